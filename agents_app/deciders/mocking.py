"""What the mock is told in place of reading: how a model would write its policy's action in the form asked for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from agents_app.deciders.forms import Asked
from agents_app.prompting import schema_text
from agents_app.providers.mock import Hint
from games.core import codec
from games.core.agents import Request
from games.core.pack import Pack
from games.core.prompts import GamePrompts


def hint_of_move(
    pack: Pack, config: Any, words: GamePrompts, request: Request[Any, Any], asked: Asked, attempt: int
) -> Hint:
    """The hint for the call of that number about a move or a plan."""

    def written(action: Any, raw: Any) -> str:
        return _written(asked, codec.dump(pack.game.action_type, action) if raw is None else raw)

    def word(action: Any) -> str:
        return written(action, words.as_plan(config, request, action) if asked.form == "plan" else None)

    def excess(action: Any) -> str:
        return written(action, words.excess(config, request, action))

    return Hint(request, word, excess, attempt=attempt)


def _written(asked: Asked, raw: Any) -> str:
    """A raw answer as a model would write it in this format: nothing that the schema does not name."""
    properties = asked.spec.schema.get("properties")
    if isinstance(raw, dict) and isinstance(properties, Mapping):
        raw = {name: value for name, value in raw.items() if name in properties}
    match asked.form:
        case "token":
            return next((token for token, value in asked.tokens.items() if value == raw), "?")
        case "plan":
            return raw if isinstance(raw, str) else f"PLAN: {schema_text(raw)}"
        case "structured":
            return schema_text({"commentary": "As usual.", **raw} if isinstance(raw, dict) else raw)
        case "json":
            return f"As usual.\n```json\n{schema_text(raw)}\n```"
