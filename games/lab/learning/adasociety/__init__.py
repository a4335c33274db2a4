"""Doors for learning agents: a PettingZoo environment, its arrays, and the policies beside the paper's figures."""
