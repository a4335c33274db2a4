"""Games and presets by the names that files and arguments give them, refused in one line with the nearest name."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from games.core.pack import Pack
from games.core.registry import BrokenGame, Registry, UnknownGame, is_file, load_pack, look_in, looked_in
from games.errors.faults import Refused, among
from games.lab.scenarios.yamlfile import parse_yaml, read_yaml


def module_named(registry: Registry, slug: str) -> str:
    """The module of a game; raises `Refused` with the nearest name."""
    try:
        return registry.module(slug)
    except UnknownGame as unknown:
        lost = "".join(f"; {why}" for why in registry.lost().values())
        near = among(slug, registry.modules())
        raise Refused(f"game {slug!r}: there is none of that name; {near}{lost}") from unknown


def pack_named(registry: Registry, slug: str) -> Pack:
    """A game; raises `Refused` where there is none of that name or its folder is broken."""
    return pack_of(module_named(registry, slug))


def game_target(target: str) -> str:
    """A scenario or game by name; ``path/to/game.py`` or ``path/to/game.py:PRESET`` is the game in that file, which
    this process finds from now on. Raises `Refused` where there is no such file."""
    path, _, preset = target.partition(":")
    if not path.endswith(".py"):
        return target
    if not Path(path).is_file():
        raise Refused(f"{path}: there is no such file")
    look_in((*looked_in(), str(Path(path).resolve())))
    slug = Path(path).stem
    return f"{slug}/{preset}" if preset else slug


@dataclass(frozen=True, slots=True)
class Found:
    """A scenario where it was found. ``folder`` is where its references start; ``game`` the one whose preset it is."""

    read: Callable[[], Any]
    folder: Path | None
    game: str | None


def preset_named(registry: Registry, name: str) -> Found:
    """The preset ``GAME/PRESET``; raises `Refused` with the nearest names."""
    slug, _, preset = name.partition("/")
    module = module_named(registry, slug)
    files = presets_of(module)
    if preset not in files:
        choice = among(preset, files) if preset else f"name one: {', '.join(f'{slug}/{p}' for p in files)}"
        raise Refused(f"scenario {name!r}: {slug} has no preset of that name; {choice}")
    found = files[preset]
    if isinstance(found, Path):
        return Found(lambda: read_yaml(found, name), found.parent, slug)
    return Found(lambda: parse_yaml(found, name), None, slug)


def pack_of(module: str) -> Pack:
    """The pack of one game's module; raises `Refused` where its folder is broken."""
    try:
        return load_pack(module)
    except BrokenGame as error:
        raise Refused(str(error)) from error


def presets_of(module: str) -> Mapping[str, Path | str]:
    """Presets by name, sorted: the files of a folder, without importing its rules; the texts of a declared game."""
    package, _, slug = module.rpartition(".")
    for root in () if is_file(module) or not package else importlib.import_module(package).__path__:
        folder = Path(root) / slug
        if folder.is_dir():
            return dict(sorted((path.stem, path) for path in (folder / "scenarios").glob("*.yaml")))
    return pack_of(module).scenarios
