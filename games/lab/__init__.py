"""The laboratory without a site: scenarios, run folders, statistics. Pure Python and files."""
