"""What other packages bring: entry points by kind, each with version and digest, loaded when it is asked for.

``polity.games``      NAME = "package.NAME": a module that is a game, as in the catalog; ``NAME.board.js`` beside a
                      file, ``board.js`` in a folder, draws it
``polity.agents``     NAME = "module:make": ``make(variant) -> decide``; ``decide(request)`` gives an action, its plain
                      JSON or a `Decision`, and may be awaited. It sits where a seat names the model
                      ``agent/NAME/VARIANT``
``polity.providers``  NAME = "module:Provider": ``Provider(profile)`` as `agents_app.providers.protocol` has it, for
                      models called ``NAME/…``
``polity.measures``   NAME = "module:measure": ``measure(slug, config, series) -> {name: number or None}``, added to a
                      run's measures; its attribute ``about`` gives formula and range for each name

One that cannot be loaded is named with its reason, and left out.
"""

from __future__ import annotations

import hashlib
import importlib.util
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from games.core.answers import JSON

if TYPE_CHECKING:
    from games.core.game import Step
    from games.core.pack import Metrics, Pack

KINDS: Final = ("games", "agents", "providers", "measures")
READ: Final = (".py", ".js", ".json", ".yaml", ".md")
"""Suffixes of what a digest covers."""


class BrokenPlug(RuntimeError):
    """A plug-in that cannot be loaded; the message names it, its package and the reason."""


@dataclass(frozen=True, slots=True)
class Plug:
    """One entry point. ``digest``: SHA-256 of the module's file, or of its folder's code and texts, 16 digits."""

    kind: str
    name: str
    target: str
    package: str
    version: str
    digest: str

    def load(self) -> Any:
        """The module or what it names; raises `BrokenPlug`."""
        try:
            return EntryPoint(self.name, self.target, f"polity.{self.kind}").load()
        except Exception as error:
            raise BrokenPlug(f"{self.kind[:-1]} {self.name} of {self.package} {self.version}: {error!r}") from error


@cache
def plugs(kind: str) -> dict[str, Plug]:
    """The plug-ins of a kind by name, sorted; of two by one name the package that comes first by its own keeps it."""
    found: dict[str, Plug] = {}
    for one in sorted(
        entry_points(group=f"polity.{kind}"), key=lambda one: (one.name, str(one.dist and one.dist.name))
    ):
        package, version = (one.dist.name, one.dist.version) if one.dist else ("", "")
        found.setdefault(one.name, Plug(kind, one.name, one.value, package, version, _digest(one.module)))
    return found


def loaded(kind: str) -> Iterator[tuple[Plug, Any]]:
    """What can be loaded of a kind, in order of names."""
    for plug in plugs(kind).values():
        value = _loaded(plug)
        if not isinstance(value, BrokenPlug):
            yield plug, value


def broken(kind: str) -> dict[str, str]:
    """Why a plug-in of this kind cannot be used, by name; games are tried by the registry."""
    tried = {} if kind == "games" else {name: _loaded(plug) for name, plug in plugs(kind).items()}
    return {name: str(value) for name, value in tried.items() if isinstance(value, BrokenPlug)}


@cache
def _loaded(plug: Plug) -> Any:
    try:
        return plug.load()
    except BrokenPlug as error:
        return error


def _digest(module: str) -> str:
    try:
        spec = importlib.util.find_spec(module)
    except Exception:
        return ""
    return "" if spec is None or spec.origin is None else digest_of(Path(spec.origin))


def digest_of(path: Path) -> str:
    """Of a game's file with what lies beside it by its name, or of a package's folder by its ``__init__.py``."""
    near = path.parent.rglob("*") if path.name == "__init__.py" else path.parent.glob(f"{path.stem}.*")
    mark = hashlib.sha256()
    for one in sorted(file for file in near if file.suffix in READ):
        mark.update(f"{one.relative_to(path.parent).as_posix()}\0".encode() + one.read_bytes() + b"\0")
    return mark.hexdigest()[:16]


class Measured:
    """A game's measures with those that packages add; a measure that the game has keeps its name."""

    def __init__(self, slug: str, own: Metrics, added: Sequence[Any]) -> None:
        self.slug, self.own, self.added = slug, own, added

    def measure(self, config: Any, before: Any, step: Step[Any, Any]) -> Mapping[str, JSON]:
        return self.own.measure(config, before, step)

    def summarise(self, config: Any, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        more = {name: value for one in self.added for name, value in one(self.slug, config, series).items()}
        return {**more, **self.own.summarise(config, series)}

    def about(self) -> Mapping[str, str]:
        return {name: text for one in self.added for name, text in one.about.items()} | dict(self.own.about())


def with_measures(pack: Pack) -> Pack:
    """The pack with the measures that are plugged in; itself where there are none."""
    added = [measure for _, measure in loaded("measures")]
    return replace(pack, metrics=Measured(pack.slug, pack.metrics, added)) if added else pack
