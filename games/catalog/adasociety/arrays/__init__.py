"""What seats see as arrays, what they do as numbers, and many worlds side by side: for what learns or has learnt."""
