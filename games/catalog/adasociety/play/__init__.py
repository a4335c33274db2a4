"""Who plays without a model: scripted policies, plans in the source's grammar, the controller that carries them out."""
