"""Trained networks by name: those that come with the game, and those in the folders of POLITY_TRAINED.

A name is looked up in these folders alone, so that what a stranger writes reads no other file.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from games.catalog.adasociety.arrays.layout import layout
from games.catalog.adasociety.arrays.network import BadNetwork, Network, digest
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of

OWN: Final = Path(__file__).parent.parent / "trained"
PLACES: Final = "POLITY_TRAINED"
"""The variable that names further folders, parted as in PATH."""


class NoNetwork(LookupError):
    """No network has that name; ``known`` are those that have one."""

    def __init__(self, name: str, known: tuple[str, ...]) -> None:
        super().__init__(f"weights {name!r}: there are none of that name; there are {', '.join(known)}")
        self.known = known


def files() -> dict[str, Path]:
    """Every network's file by name, sorted; one in a folder of the operator's, or in a training's folder there, hides
    what comes with the game.
    """
    found: dict[str, Path] = {}
    named = [Path(place) for place in os.environ.get(PLACES, "").split(os.pathsep) if place]
    for folder in (*named, OWN):
        for path in sorted([*folder.glob("*.npz"), *folder.glob("*/*.npz")]):
            found.setdefault(path.stem, path)
    return dict(sorted(found.items()))


def network(name: str) -> tuple[Network, str]:
    """The network of a name, and its digest; raises `NoNetwork` or `BadNetwork`."""
    here = files()
    if name not in here:
        raise NoNetwork(name, tuple(here))
    try:
        told = here[name].stat()
    except OSError as error:
        raise BadNetwork(f"{name}: cannot be read: {error.strerror or error}") from None
    return _read(here[name], told.st_mtime_ns, told.st_size)


@lru_cache(maxsize=32)
def _read(path: Path, changed: int, size: int) -> tuple[Network, str]:
    """Kept until the file changes."""
    made = Network.read(path)
    return made, digest(path.read_bytes())


def about(preset: str, config: AdaSocietyConfig) -> dict[str, Any]:
    """What a network that learns in this configuration can tell a seat by, as plain JSON; see `fits`."""
    task, shape = task_of(config), layout(config)
    return {
        "preset": preset,
        "mini_game": config.mini_game,
        "resources": list(task.resources),
        "roles": list(task.roles),
        "sight": config.sight,
        "horizon": task.horizon,
        "map": [task.height, task.width],
        "actions": len(shape.actions),
    }


KEYS: Final[Mapping[str, type]] = {
    "mini_game": str, "resources": list, "roles": list, "sight": int, "horizon": int, "map": list, "actions": int
}  # fmt: skip
"""What `about` must hold for a network to play."""
