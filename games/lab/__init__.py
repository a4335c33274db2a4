"""The laboratory without a site: scenario files, bulk runs and their folders. Imports the games, never Django."""
