"""`answers.py URL`: status 0 when a test may make databases there."""

from __future__ import annotations

import sys

import psycopg

if __name__ == "__main__":
    with psycopg.connect(sys.argv[1], connect_timeout=5, autocommit=True) as server:
        row = server.execute("SELECT rolcreatedb OR rolsuper FROM pg_roles WHERE rolname = current_user").fetchone()
    sys.exit(0 if row and row[0] else 1)
