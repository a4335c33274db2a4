"""What happens: the world between two steps, who decides, what each action does, what each seat is asked and shown."""
