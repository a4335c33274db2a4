"""The built-in synthesis tree: 15 resources and 9 events, by name.

Source: AdaSociety paper, appendix A.1 (resources) and table 5 (events).
"""

from __future__ import annotations

from typing import Annotated, Final

from pydantic import AfterValidator, Field, StringConstraints
from pydantic.config import JsonDict

from games.core.settings import Settings, setting

Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,23}$")]
Units = Annotated[int, Field(ge=1, le=1000)]


ByName: Final = AfterValidator(lambda given: dict(sorted(given.items())))
"""Mappings of a config in alphabetical order: a file's or a store's own order of keys may decide nothing."""
OF_RESOURCES: Final[JsonDict] = {"names": ["resources", "new_resources"]}
"""Keyword of a schema: the settings whose entries or keys a name, or the keys of a mapping, are chosen from."""
Bag = Annotated[dict[Name, Units], ByName, Field(json_schema_extra={**OF_RESOURCES, "unit": "units"})]
UNLIMITED: Final = 32767
"""The capacity of whatever a role does not limit. An inventory never comes near it."""


class ResourceKind(Settings):
    """One kind of resource. ``requires`` must be held to see it on the map and to pick it."""

    value: float = setting(least=0, most=1_000_000)
    requires: Bag = setting({})


class EventKind(Settings):
    """One kind of event grid. ``inputs`` are consumed, ``outputs`` made; ``requires`` must be held to see and do it."""

    inputs: Bag = setting(min_length=1)
    outputs: Bag = setting(min_length=1)
    requires: Bag = setting({})


def _resource(value: float, **requires: int) -> ResourceKind:
    return ResourceKind(value=value, requires=requires)


def _event(output: str, inputs: dict[str, int], **requires: int) -> EventKind:
    return EventKind(inputs=inputs, outputs={output: 1}, requires=requires)


RESOURCES: Final[dict[str, ResourceKind]] = {
    "wood": _resource(1),
    "stone": _resource(1),
    "hammer": _resource(5),
    "coal": _resource(2, hammer=1),
    "torch": _resource(20),
    "iron": _resource(3, torch=1),
    "steel": _resource(30),
    "shovel": _resource(100),
    "pickaxe": _resource(150),
    "gem_mine": _resource(4, pickaxe=1),
    "clay": _resource(4, shovel=1),
    "pottery": _resource(40),
    "cutter": _resource(100),
    "gem": _resource(200),
    "totem": _resource(1000),
}
"""In the fixed order of every table and mask (the authors' code takes a set's order, which differs by process)."""

EVENTS: Final[dict[str, EventKind]] = {
    "hammer_craft": _event("hammer", {"wood": 1, "stone": 1}),
    "torch_craft": _event("torch", {"wood": 1, "coal": 1}, coal=1),
    "steel_making": _event("steel", {"iron": 1, "coal": 1}, iron=1),
    "potting": _event("pottery", {"clay": 2, "coal": 1}, clay=1),
    "shovel_craft": _event("shovel", {"steel": 2, "wood": 2}, steel=1),
    "pickaxe_craft": _event("pickaxe", {"steel": 3, "wood": 2}, steel=1),
    "cutter_craft": _event("cutter", {"steel": 2, "stone": 3}, steel=1),
    "gem_cutting": _event("gem", {"gem_mine": 1}, cutter=1, gem_mine=1),
    "totem_making": _event("totem", {"gem": 2, "pottery": 1, "steel": 1}, gem=1),
}


def with_cutter_consumed(kind: EventKind) -> EventKind:
    """Gem cutting as the authors' code has it: the cutter is an input. The paper's table only requires it."""
    return kind.model_copy(update={"inputs": {"cutter": 1, **kind.inputs}})
