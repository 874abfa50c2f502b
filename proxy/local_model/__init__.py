"""The local model: tables released row by row under local randomisation, and estimates from such files alone."""
