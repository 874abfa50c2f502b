"""Local randomisation: reports that protect a value before anybody counts them, and estimates from many of them."""
