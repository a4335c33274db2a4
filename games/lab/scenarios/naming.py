"""What an agent is called in tables and legends: its policy with what it plays by, or its model."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from games.core.pack import Pack


def agent_label(pack: Pack | None, config: Any, agent: Mapping[str, Any]) -> str:
    """In a word or two: what it plays by where that is not as usual.

    A game may name its policies better than by their parameters; see `Pack.policy_label`.
    """
    params = {name: value for name, value in (agent.get("params") or {}).items() if value is not None}
    if agent.get("kind") == "policy":
        policy = str(agent["policy"])
        if pack is not None and pack.policy_label is not None and policy in pack.policies:
            return pack.policy_label(config, policy, params)
        fields = pack.policies[policy].params.model_fields if pack and policy in pack.policies else {}
        own = {
            name: value for name, value in sorted(params.items()) if name not in fields or value != fields[name].default
        }
        told = (f"{name} {value if isinstance(value, str) else json.dumps(value)}" for name, value in own.items())
        return f"{policy} ({', '.join(told)})" if own else policy
    name = str(agent.get("model") or agent.get("label") or agent.get("profile") or agent.get("kind"))
    return f"{agent['persona']} ({name})" if agent.get("persona") else name
