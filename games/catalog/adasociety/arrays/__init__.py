"""What a seat sees as arrays and does as numbers, and networks that read the one and choose the other."""
