"""Adapters that turn a request into a decision."""

from agents_app.deciders.seating import seated_agent

__all__ = ["seated_agent"]
