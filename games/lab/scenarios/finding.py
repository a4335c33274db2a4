"""Games and presets by the names that files and arguments give them, refused in one line with the nearest name."""

from __future__ import annotations

import importlib
from pathlib import Path

from games.core.registry import BrokenGame, Pack, Registry, UnknownGame, load_pack
from games.errors.faults import Refused, among


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


def preset_named(registry: Registry, name: str) -> Path:
    """The file of ``GAME/PRESET``; raises `Refused` with the nearest names."""
    slug, _, preset = name.partition("/")
    files = presets_of(module_named(registry, slug))
    if preset not in files:
        choice = among(preset, files) if preset else f"name one: {', '.join(f'{slug}/{p}' for p in files)}"
        raise Refused(f"scenario {name!r}: {slug} has no preset of that name; {choice}")
    return files[preset]


def pack_of(module: str) -> Pack:
    """The pack of one game's module; raises `Refused` where its folder is broken."""
    try:
        return load_pack(module)
    except BrokenGame as error:
        raise Refused(str(error)) from error


def presets_of(module: str) -> dict[str, Path]:
    """Preset files by name, sorted, without importing the game's rules where its package can be found without."""
    package, _, slug = module.rpartition(".")
    for root in importlib.import_module(package).__path__:
        folder = Path(root) / slug
        if folder.is_dir():
            return dict(sorted((path.stem, path) for path in (folder / "scenarios").glob("*.yaml")))
    return {}
