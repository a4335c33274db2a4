"""The simplest complete game, which ``polity new-game`` copies; docs/adding-a-game.md walks through it."""
