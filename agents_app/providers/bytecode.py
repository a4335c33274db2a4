"""A library's bytecode, written before anybody waits for its import: that takes less than half the time with it.

uv installs packages without bytecode, and Python writes that of a module when it is first imported. To write it for all
packages of a site would take many times as long as for the one that is large.
"""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

PATIENCE_S = 300.0
QUIETLY = "import os, sys; os.nice(19); __import__(sys.argv[1])"


def is_missing(package: str) -> bool:
    """Whether the bytecode of an installed package is not there, and could be kept."""
    found = find_spec(package)
    if found is None or found.cached is None or sys.dont_write_bytecode:
        return False
    cached = Path(found.cached)
    there = next(place for place in cached.parents if place.exists())
    return not cached.exists() and os.access(there, os.W_OK)


def write_ahead(package: str, environ: dict[str, str] | None = None) -> bool:
    """Have a process of its own import it at the lowest priority; whether it has. This one's memory stays as it is."""
    if not is_missing(package):
        return False
    words = [sys.executable, "-c", QUIETLY, package]
    done = subprocess.run(
        words,
        env={**os.environ, **(environ or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        timeout=PATIENCE_S,
        check=False,
    )
    return done.returncode == 0
