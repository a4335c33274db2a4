"""Adapters that turn a request into a decision."""
