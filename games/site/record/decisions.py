"""A seat's answer as the text that keeps it, and back."""

from __future__ import annotations

import json
from typing import Any

from games.core import codec
from games.core.agents import Decision
from games.site.record.selectors import Playing


def encode_decision(play: Playing, decision: Decision[Any]) -> str:
    action = None if decision.action is None else codec.dump(play.game.action_type, decision.action)
    return json.dumps(
        {
            "action": action,
            "memory": decision.memory,
            "plan": decision.plan,
            "flags": list(decision.flags),
            "trace": dict(decision.trace),
        },
        ensure_ascii=False,
        allow_nan=False,
    )


def decode_decision(play: Playing, text: str) -> Decision[Any]:
    told = json.loads(text)
    action = None if told["action"] is None else codec.load(play.game.action_type, told["action"])
    return Decision(action, told["memory"], told["plan"], tuple(told["flags"]), told["trace"])


def flags_of(text: str) -> tuple[str, ...]:
    """How a stored answer came about, without reading what it says."""
    return tuple(json.loads(text)["flags"])
