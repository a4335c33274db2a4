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
``polity.steps``      NAME = "module:step": a step of studies with ``settings`` (a pydantic model), ``page(settings) ->
                      {"text": …, "ask": …}`` as a study's file has them, ``score(settings, answers) -> {name: value}``
                      and ``stores`` (what each of these means); ``MODULE.step.js`` beside it draws its questions
``polity.exporters``  NAME = "module:export": ``export(folders) -> (file name, media type, bytes or chunks)`` of a
                      list of `polity.Runs`; its attribute ``about`` says in a line what it gives, by language

One that cannot be loaded, or has not what its kind needs, is named with its reason and left out.
"""

from __future__ import annotations

import hashlib
import importlib.util
import logging
import math
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

KINDS: Final = ("games", "agents", "providers", "measures", "steps", "exporters")
NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "measures": ("__call__", "about"),
    "steps": ("settings", "page", "score", "stores"),
    "exporters": ("__call__", "about"),
}
"""What a plug-in of a kind has."""
log: Final = logging.getLogger(__name__)
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
            value = EntryPoint(self.name, self.target, f"polity.{self.kind}").load()
        except Exception as error:
            raise self.fault(error) from error
        if lacking := [name for name in NEEDS.get(self.kind, ()) if not hasattr(value, name)]:
            raise self.fault(TypeError(f"{self.target} has no {', '.join(lacking)}"))
        return value

    def fault(self, error: Exception) -> BrokenPlug:
        """What it raised, under its own name."""
        return BrokenPlug(f"{self.kind[:-1]} {self.name} of {self.package} {self.version}: {error!r}")

    def beside(self, suffix: str) -> Path | None:
        """The file of that suffix beside its module, where there is one."""
        place = _place(self.target.partition(":")[0])
        found = place and place.with_suffix(suffix)
        return found if found and found.is_file() else None


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


def loaded_one(kind: str, name: str) -> tuple[Plug, Any]:
    """One by its name; raises `BrokenPlug` where no package brings it, or it cannot be loaded."""
    known = plugs(kind)
    if name not in known:
        raise BrokenPlug(f"{kind[:-1]} {name!r}: no package brings it; there are {', '.join(known) or 'none'}")
    value = _loaded(known[name])
    if isinstance(value, BrokenPlug):
        raise value
    return known[name], value


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


def _place(module: str) -> Path | None:
    try:
        spec = importlib.util.find_spec(module)
    except Exception:
        return None
    return None if spec is None or spec.origin is None else Path(spec.origin)


def _digest(module: str) -> str:
    place = _place(module)
    return "" if place is None else digest_of(place)


def digest_of(path: Path) -> str:
    """Of a game's file with what lies beside it by its name, or of a package's folder by its ``__init__.py``."""
    near = path.parent.rglob("*") if path.name == "__init__.py" else path.parent.glob(f"{path.stem}.*")
    mark = hashlib.sha256()
    for one in sorted(file for file in near if file.suffix in READ):
        mark.update(f"{one.relative_to(path.parent).as_posix()}\0".encode() + one.read_bytes() + b"\0")
    return mark.hexdigest()[:16]


class Measured:
    """A game's measures with those that packages add; a measure that the game has keeps its name.

    One that raises is told in the log, and what it would have measured is undefined: no run fails of it.
    """

    def __init__(self, slug: str, own: Metrics, added: Sequence[tuple[Plug, Any]]) -> None:
        self.slug, self.own, self.added = slug, own, added

    def measure(self, config: Any, before: Any, step: Step[Any, Any]) -> Mapping[str, JSON]:
        return self.own.measure(config, before, step)

    def summarise(self, config: Any, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        more: dict[str, JSON] = {}
        for plug, one in self.added:
            try:
                found = dict(one(self.slug, config, series))
                if odd := [name for name, value in found.items() if not _is_plain(value)]:
                    raise ValueError(f"{odd[0]} is {found[odd[0]]!r}")
                more |= found
            except Exception as error:
                _told(f"{plug.fault(error)}; its measures are undefined")
                more |= dict.fromkeys(one.about)
        return {**more, **self.own.summarise(config, series)}

    def about(self) -> Mapping[str, str]:
        return {name: text for _, one in self.added for name, text in one.about.items()} | dict(self.own.about())


@cache
def _told(message: str) -> None:
    """Into the log, once a process."""
    log.error(message)


def _is_plain(value: Any) -> bool:
    return value is None or isinstance(value, int | str) or (isinstance(value, float) and math.isfinite(value))


def with_measures(pack: Pack) -> Pack:
    """The pack with the measures that are plugged in; itself where there are none."""
    added = list(loaded("measures"))
    return replace(pack, metrics=Measured(pack.slug, pack.metrics, added)) if added else pack


def without_measures(pack: Pack) -> Pack:
    """The pack with its game's own measures alone: what is plugged in is not the game's to answer for."""
    return replace(pack, metrics=pack.metrics.own) if isinstance(pack.metrics, Measured) else pack
