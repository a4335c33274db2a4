"""Finds the games: every folder of `games/catalog` (and of any other package given) that has a PACK.

A game is found, not listed. A broken folder fails loudly, with its name.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from games.core.agents import Controller, PolicySpec
from games.core.answers import JSON
from games.core.game import Game, Seat, Step
from games.core.prompts import GamePrompts
from games.core.words import Words

CATALOG = "games.catalog"


class Metrics(Protocol):
    """A game's measures. Undefined is None, never 0 or NaN; they stay outside every hash."""

    def measure(self, config: Any, before: Any, step: Step[Any, Any]) -> Mapping[str, JSON]:
        """One step's measures, from the state before it and the step. Lists and counts may be kept for `summarise`."""
        ...

    def summarise(self, config: Any, series: Sequence[Mapping[str, Any]]) -> Mapping[str, JSON]:
        """A run's measures, from those of its steps (the start, step 0, is not among them)."""
        ...

    def about(self) -> Mapping[str, str]:
        """Formula, range and what higher means, for each name that `summarise` gives."""
        ...


class Export(Protocol):
    """Writes the run files that the game's own source names. Made for one run; fed every step, the start first."""

    def add(self, step: Step[Any, Any]) -> None: ...
    def close(self) -> None: ...


class Meeting(NamedTuple):
    """One run of a round robin: the numbers of the two who met, the replicate, and the run's measures."""

    a: int
    b: int
    replicate: int
    metrics: Mapping[str, Any]


class Robin(Protocol):
    """Who did how well in a round robin, as a game of two seats counts it."""

    def __call__(self, names: Sequence[str], meetings: Sequence[Meeting], counts_itself: bool) -> Mapping[str, JSON]:
        """``matrices`` by name, rows by columns in the order of ``names``, and ``ranking``, best first.

        ``counts_itself``: whether self-matches count in the ranking.
        """
        ...


class Seated(Protocol):
    """Who sits in a seat where policies play: a policy by name, with its parameters."""

    @property
    def policy(self) -> str: ...
    @property
    def params(self) -> Mapping[str, Any]: ...


class NoBatch(ValueError):
    """Raised by `Pack.batch` for a config that it does not cover; one line that says which setting is in the way."""


@dataclass(frozen=True, slots=True)
class Pack:
    """One game's folder, as a value.

    ``policies``    the named baselines, by name; ``default_policy`` is the one that sits where nothing is said
    ``prompts``     its words for models and the stages that have them; None: models are shown JSON
    ``controller``  carries plans out, where the game has plans
    ``export``      ``(config, folder) -> Export``, where the source names run files of its own
    ``twins``       ``(config, state, seat) -> states`` that differ from the given one only in facts which this seat may
                    not know: it must observe, be asked and be shown the same in all of them
    ``batch``       a faster form of `play`, equal to it step for step: ``(config, seeds, seated) -> steps by seed``,
                    with every seat in ``seated``; raises `NoBatch` where it does not cover the config
    ``timings``     further rows for `polity bench`, such as batch forms beside a peer library in the same run:
                    ``(repeats) -> rows`` of plain values, each with its ``case``
    ``label``       ``(config, policy, params) -> name``: what a policy is called, where its parameters say it badly
    ``robin``       the standings of a round robin, in a game of two seats
    ``settings``    fields of the config (``piles.*.units`` inside others) that change nothing which is played, told,
                    asked or measured, each with the reason; the laws hold every other field to changing something
    ``samples``     configs over the defaults that use what no preset uses, for that law
    """

    game: Game[Any, Any, Any, Any]
    title: str
    tagline: str
    policies: Mapping[str, PolicySpec]
    default_policy: str
    metrics: Metrics
    prompts: GamePrompts | None = None
    controller: Controller | None = None
    export: Callable[[Any, Path], Export] | None = None
    twins: Callable[[Any, Any, Seat], Iterable[Any]] | None = None
    batch: Callable[..., Any] | None = None
    timings: Callable[[int], Sequence[Mapping[str, JSON]]] | None = None
    label: Callable[[Any, str, Mapping[str, Any]], str] | None = None
    robin: Robin | None = None
    settings: Mapping[str, str] = field(default_factory=dict)
    samples: Sequence[Mapping[str, JSON]] = ()
    folder: Path = Path()

    @property
    def slug(self) -> str:
        return self.game.slug

    @property
    def words(self) -> Words:
        """What the game calls its things, by language."""
        return Words(self.folder / "words")

    def scenario_files(self) -> dict[str, Path]:
        """The presets by name, sorted: ``scenarios/NAME.yaml``."""
        return {path.stem: path for path in sorted((self.folder / "scenarios").glob("*.yaml"))}


class BrokenGame(RuntimeError):
    """A folder of the catalog that cannot be used; the message names it."""


class UnknownGame(LookupError):
    """No folder of the catalog has that name; the message lists those that exist."""


def load_pack(module_name: str) -> Pack:
    """The PACK of one game's package, its folder filled in; raises `BrokenGame`."""
    slug = module_name.rpartition(".")[2]
    try:
        module = importlib.import_module(module_name)
    except Exception as error:
        raise BrokenGame(f"game {slug}: its folder cannot be imported: {error!r}") from error
    pack = getattr(module, "PACK", None)
    if not isinstance(pack, Pack):
        raise BrokenGame(f"game {slug}: its package has no PACK = Pack(...)")
    if pack.slug != slug:
        raise BrokenGame(f"game {slug}: its game calls itself {pack.slug!r}; folder and slug must be the same")
    if pack.default_policy not in pack.policies:
        raise BrokenGame(f"game {slug}: default_policy {pack.default_policy!r} is not one of its policies")
    fields = {name: getattr(pack, name) for name in Pack.__dataclass_fields__}
    return Pack(**{**fields, "folder": Path(str(module.__file__)).parent})


@lru_cache(maxsize=8)
def packs(package: str = CATALOG) -> Mapping[str, Pack]:
    """Every game of a package by slug, sorted."""
    root = importlib.import_module(package)
    names = sorted(info.name for info in pkgutil.iter_modules(root.__path__) if info.ispkg)
    return {name: load_pack(f"{package}.{name}") for name in names}


def slugs() -> tuple[str, ...]:
    return tuple(packs())


def get(slug: str) -> Pack:
    """The pack of a game; raises `UnknownGame`."""
    try:
        return packs()[slug]
    except KeyError:
        raise UnknownGame(f"game {slug!r}: there is none of that name; there are {', '.join(packs())}") from None
