"""Experiments on the site: conditions over seeds, played through the queues, and what their runs say."""
