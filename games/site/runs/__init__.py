"""Makes runs and steers them: from a scenario, as a fork, as the demo."""
