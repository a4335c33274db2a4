"""Agents that answer stand without Django and without the vendors' library."""

from __future__ import annotations

import subprocess
import sys

PROGRAM = """
import sys
class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "channels", "celery", "redis", "ninja", "daphne", "asgiref", "litellm"}:
            raise ImportError(f"{name} is barred here")
sys.meta_path.insert(0, Barred())
import agents_app.budget, agents_app.deciders.rerun, agents_app.estimating, agents_app.gate, agents_app.memory
from agents_app.deciders import seated_agent
from games.core.game import SeatSpec
from games.core.registry import get
pack = get("mining")
seated_agent(pack, pack.game.config_type(), SeatSpec("x"), {"kind": "model", "profile": {"model": "openai/gpt-4o"}})
print("seated")
"""


def test_a_model_is_seated_where_neither_django_nor_litellm_can_be() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, check=False)
    assert done.stdout == "seated\n", done.stderr
