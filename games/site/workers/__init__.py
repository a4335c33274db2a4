"""Celery: tasks, the pool of the runs of models, the sweeper."""
