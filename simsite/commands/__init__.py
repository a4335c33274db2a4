"""The commands of `polity`, one module each; heavy imports stand inside them."""
