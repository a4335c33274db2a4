"""The core and the whole catalog stand without Django."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "channels", "celery", "redis", "ninja", "daphne", "asgiref"}:
            raise ImportError(f"{name} is barred here")
sys.meta_path.insert(0, Barred())
import games.core.conformance
from games.core.registry import packs
print(",".join(packs()))
"""


def test_the_core_and_the_catalog_import_where_django_cannot_be() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mining" in done.stdout.strip().split(",")
