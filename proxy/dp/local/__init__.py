"""Local randomisation: reports that protect each value by themselves, and estimates from many of them."""
