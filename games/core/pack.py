"""What a game is beside its rules: policies, measures, words, presets, all as one value."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from games.core.agents import Controller, PolicySpec
from games.core.answers import JSON, Note
from games.core.exempt import Exempt
from games.core.game import Game, Seat, Step
from games.core.instructions import Teller
from games.core.prompts import GamePrompts
from games.core.reckoning.wording import AddedWords
from games.core.words import Words


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


class Seated(Protocol):
    """Who sits in a seat where policies play: a policy by name, with its parameters."""

    @property
    def policy(self) -> str: ...
    @property
    def params(self) -> Mapping[str, Any]: ...


@dataclass(frozen=True, slots=True)
class Sitting:
    """A policy in a seat (`Seated`)."""

    policy: str
    params: Mapping[str, Any] = field(default_factory=dict)


class Renaming(NamedTuple):
    """Seats that the rules treat alike, given other names: seat ``i`` becomes ``order[i]``.

    ``action`` gives an action in the new names; None: what its schema marks as ``x-seat`` is renamed.
    """

    order: tuple[Seat, ...]
    action: Callable[[Any], Any] | None = None


class NoBatch(ValueError):
    """Raised by `Pack.batch` for a config that it does not cover; one line that says which setting is in the way."""


class Files(ABC):
    """What a game has beside its rules, as texts: read from a folder, or made from a declaration."""

    @abstractmethod
    def words(self) -> Words:
        """What the game calls its things, by language."""

    @abstractmethod
    def scenarios(self) -> Mapping[str, str]:
        """The presets by name, sorted, as YAML. Raises OSError where one cannot be read."""

    @abstractmethod
    def rule_sheet(self) -> str:
        """The rules in markdown, under the fixed headings."""

    def bench(self) -> str | None:
        """What `polity bench` measures, as YAML; None: the defaults with each policy."""
        return None

    def golden(self) -> Path | None:
        """The folder of golden traces, where there is one."""
        return None

    def phenomena(self) -> Path | None:
        """The file of claims about its societies, where there may be one."""
        return None

    def stated(self) -> str | None:
        """What the game's source is, and what of it nothing here plays, as YAML; None: the game has no source."""
        return None

    def story(self) -> str | None:
        """What its stories look for in a run's log, as YAML; None: what follows from its words and measures."""
        return None

    def reproduced(self) -> str | None:
        """What `polity reproduce` has kept, as JSON; None: nothing."""
        return None

    def changed(self) -> int:
        """When the presets were changed, in nanoseconds; 0 where they do not change while the process lives."""
        return 0


@dataclass(frozen=True, slots=True)
class FolderFiles(Files):
    """The files of a game's folder."""

    folder: Path

    def words(self) -> Words:
        return Words(self.folder / "words")

    def _presets(self) -> list[Path]:
        return sorted((self.folder / "scenarios").glob("*.yaml"))

    def scenarios(self) -> Mapping[str, str]:
        return LazyTexts({path.stem: path for path in self._presets()})

    def rule_sheet(self) -> str:
        return (self.folder / "README.md").read_text("utf-8")

    def _text(self, name: str) -> str | None:
        path = self.folder / name
        return path.read_text("utf-8") if path.is_file() else None

    def bench(self) -> str | None:
        return self._text("bench.yaml")

    def golden(self) -> Path | None:
        return self.folder / "tests" / "golden"

    def phenomena(self) -> Path | None:
        return self.folder / "phenomena.yaml"

    def stated(self) -> str | None:
        return self._text("source.yaml")

    def story(self) -> str | None:
        return self._text("story.yaml")

    def reproduced(self) -> str | None:
        return self._text("reproduced.json")

    def changed(self) -> int:
        return max((path.stat().st_mtime_ns for path in self._presets()), default=0)


class LazyTexts(Mapping[str, str]):
    """Texts by name that are read when they are asked for."""

    def __init__(self, paths: Mapping[str, Path]) -> None:
        self._paths = paths

    def __getitem__(self, name: str) -> str:
        return self._paths[name].read_text("utf-8")

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


class NoFiles(Files):
    """Of a pack that stands by itself."""

    def words(self) -> Words:
        return Words(Path())

    def scenarios(self) -> Mapping[str, str]:
        return {}

    def rule_sheet(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class Pack:
    """One game, as a value.

    ``policies``           the named baselines, by name; ``default_policy`` is the one that sits where nothing is said,
                           ``role_defaults`` that of a role which has one of its own
    ``cadences``           the label of the clock by which a metric is measured, for those that are not measured at each
                           step: their value is of the last step before that label moves on, and None at any other
    ``headline``           the measure of a step that says most of a match in one curve; "": none does. Its noun stands
                           in the words under ``headline``: "cooperation" in "cooperation fell from 77% to 31%"
    ``prompts``            its words for models and the stages that have them; None: models are shown JSON
    ``instructions``       what people in its seats are told; see `games.core.instructions`. A game that is loaded
                           without any has those of `games.core.derived`, made from its prompts
    ``controller``         carries plans out, where the game has plans
    ``export``             ``(config, folder) -> Export``, where the source names run files of its own
    ``folder_name``        ``(scenario's name, seed, timestamp) -> path`` of the run folder that ``--out auto``
                           writes, below the working directory, where the source has a name for it
    ``spent``              ``(config, state, seat, action) -> Note``: how much a cleaned action takes of what its seat
                           may spend in this step, where the game has such a bound; None where it takes nothing
    ``indistinguishable``  ``(config, state, seat) -> states`` that differ from the given one only in facts which this
                           seat may not know: it must observe, be asked and be shown the same in all of them
    ``open_state``         in its place, why no state holds a private fact: all seats are then shown the same of it
    ``alike``              ``(config) -> renamings`` under which payoffs are only renamed; by default any two seats of
                           a role may change places. Seats that are never alike are `Exempt.unequal`
    ``reseated``           ``(state, places) -> state``: the first state where each seat has what chance gave to another
                           of its role, ``places[seat]``; None where the start draws nothing by seat
    ``batch``              many runs of `play` at once, equal step for step: ``(config, seeds, seated)`` gives round by
                           round the step of each seed, None where its run is over, with every seat in ``seated``;
                           raises `NoBatch` where it does not cover the config or a policy. See `games.core.batch`
    ``timings``            further rows for `polity bench`, such as batch forms beside a peer library in the same run:
                           ``(repeats) -> rows`` of plain values, each with its ``case``
    ``theory``             ``(config) -> JSON``: equilibria and the efficient outcome of a round with what they pay, and
                           what people did in published studies; None where the game says none of it
    ``policy_label``       ``(config, policy, params) -> name``: what a policy is called, where its parameters say it
                           badly
    ``standings``          what a round robin of a game of two seats counts: by the name of a matrix the measures of
                           seats 0 and 1; the first ranks the entrants
    ``arrives``            ``(config) -> measures`` that are above 0 in runs where what the config turns on arrives:
                           talk is said, taxes are paid. Of one with a sign before it ("-raid_rate") that is looked for
                           in the control's runs: what is deterred must happen where nothing deters it
    ``inert_settings``     fields of the config (``piles.*.units`` inside others) that change nothing which is played,
                           told, asked or measured, each with the reason; the laws hold every other field to changing
                           something
    ``unheeded``           settings that no bundled policy acts otherwise for where they are changed alone, each with
                           the reason; `polity probe` names every other one as dead
    ``config_samples``     configs over the defaults that use what no preset uses, for that law
    ``exempt``             what the game does otherwise than the laws expect, each with its reason
    ``demo_pace``          rounds a second at which the site's demo plays the preset ``demo``, if there is one: slow
                           enough to follow, fast enough that something has happened within ten seconds
    ``around``             ``(pack, mechanisms) -> pack``: the game with mechanisms around it that are settings of
                           its own, as `games.declare.mechanisms.Own` lays them; raises ValueError for what it lacks
    ``switches``           by mechanism around it the settings that lay it there; the one of its name where none is said
    ``files``              words, presets, rule sheet: of the folder, or made from the declaration
    ``board``              a prebuilt module that draws it, beside a game from elsewhere; found, not given
    """

    game: Game[Any, Any, Any, Any]
    title: str
    tagline: str
    policies: Mapping[str, PolicySpec]
    default_policy: str
    metrics: Metrics
    role_defaults: Mapping[str, str] = field(default_factory=dict)
    cadences: Mapping[str, str] = field(default_factory=dict)
    headline: str = ""
    prompts: GamePrompts | None = None
    instructions: Teller | None = None
    controller: Controller | None = None
    export: Callable[[Any, Path], Export] | None = None
    folder_name: Callable[[str, int, str], str] | None = None
    spent: Callable[[Any, Any, Seat, Any], Note | None] | None = None
    indistinguishable: Callable[[Any, Any, Seat], Iterable[Any]] | None = None
    open_state: str = ""
    alike: Callable[[Any], Iterable[Renaming]] | None = None
    reseated: Callable[[Any, Sequence[Seat]], Any] | None = None
    batch: Callable[..., Any] | None = None
    timings: Callable[[int], Sequence[Mapping[str, JSON]]] | None = None
    theory: Callable[[Any], Mapping[str, JSON] | None] | None = None
    policy_label: Callable[[Any, str, Mapping[str, Any]], str] | None = None
    standings: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    arrives: Callable[[Any], Iterable[str]] | None = None
    inert_settings: Mapping[str, str] = field(default_factory=dict)
    unheeded: Mapping[str, str] = field(default_factory=dict)
    config_samples: Sequence[Mapping[str, JSON]] = ()
    exempt: Exempt = field(default_factory=Exempt)
    demo_pace: float = 1.0
    around: Callable[[Pack, Sequence[str]], Pack] | None = None
    switches: Mapping[str, Mapping[str, JSON]] = field(default_factory=dict)
    files: Files = field(default_factory=NoFiles)
    board: Path | None = None
    _kept: dict[str, Words] = field(init=False, repr=False, compare=False, default_factory=dict)

    @property
    def slug(self) -> str:
        return self.game.slug

    def default_for(self, role: str) -> str:
        """The policy that sits in a seat of this role where nothing is said."""
        return self.role_defaults.get(role, self.default_policy)

    @property
    def words(self) -> Words:
        """What the game calls its things, by language; always the same object."""
        if not self._kept:
            own, names = self.files.words(), tuple(name for name, spec in self.policies.items() if spec.reckons)
            self._kept["words"] = AddedWords(own, names) if names else own
        return self._kept["words"]

    @property
    def scenarios(self) -> Mapping[str, str]:
        """The presets by name, sorted, each as YAML."""
        return self.files.scenarios()

    @property
    def folder(self) -> Path | None:
        """The folder of a game that has one."""
        return getattr(self.files, "folder", None)
