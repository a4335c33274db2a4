"""A server whose model has random weights: it keeps to a JSON Schema and means nothing by what it says."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from games.core.rng import Rng
from tests.agents.server import Vendor


@dataclass
class RandomWeights(Vendor):
    """Answers with something that the request's schema allows; in prose where none is asked for."""

    def _answer(self, fault: str, headers: Mapping[str, str]) -> tuple[str, list[str], dict[str, Any]]:
        asked = self.seen[-1]
        form = asked.get("response_format")
        rng = Rng.root(11).at("reply", sum(self.served.values()))
        self.content = json.dumps(sample(form["json_schema"]["schema"], rng)) if form else "Hm, hm."
        return super()._answer(fault, headers)


def sample(schema: Mapping[str, Any], rng: Rng) -> Any:
    """A value that fits the schema, drawn."""
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return rng.choice(schema["enum"], "enum")
    for name in ("oneOf", "anyOf"):
        if name in schema:
            return sample(rng.choice(schema[name], name), rng.at("option"))
    match schema.get("type"):
        case "object":
            given = schema.get("properties", {})
            return {name: sample(part, rng.at(name)) for name, part in given.items()}
        case "array":
            first = schema.get("prefixItems", [])
            least, most = schema.get("minItems", len(first)), min(schema.get("maxItems", 3), 3)
            count = max(least, len(first), int(rng.unit("count") * (most + 1)))
            parts = [first[n] if n < len(first) else schema.get("items", {}) for n in range(count)]
            return [sample(part, rng.at("item", n)) for n, part in enumerate(parts)]
        case "integer" | "number":
            least = schema.get("minimum", schema.get("exclusiveMinimum", 0))
            most = schema.get("maximum", least + 9)
            drawn = least + rng.unit("number") * (most - least)
            return int(drawn) if schema["type"] == "integer" else drawn or 0.5
        case "boolean":
            return rng.unit("flag") < 0.5
        case "string":
            return "so be it"[: schema.get("maxLength", 8)]
        case _:
            return None
