"""Tells other processes that something is there: the doorbell to the web, the queue to the workers."""
