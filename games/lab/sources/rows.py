"""The rows of a source: each number or claim with its place, ours beside it where it was played, and the verdict."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from statistics import fmean, stdev
from typing import Any, Final, Literal, TypeAlias

from games.core.codec import digest
from games.core.pack import Pack
from games.core.registry import Registry
from games.lab.analysis.intervals import describe
from games.lab.analysis.references import verdict_of
from games.lab.analysis.report.sentences import shared_levels
from games.lab.scenarios.finding import pack_named
from games.lab.scenarios.scenario import Scenario, load
from games.lab.scenarios.stated import SourceForm, notes_of, source_of

Verdict: TypeAlias = Literal[
    "within", "holds", "above", "below", "opposite", "inconclusive", "incomparable", "untestable", "open"
]
"""Of a number and of a claim. ``open``: not played; or what is kept was altered, or played by another plan."""
AGREES: Final[frozenset[Verdict]] = frozenset({"within", "holds"})
DIFFERS: Final[frozenset[Verdict]] = frozenset({"above", "below", "opposite"})
LEARNT: Final = "learnt/"
"""What the name of a training begins with among what is kept."""
LAST: Final = "last"
"""What was judged at the end of a training."""
STEPS: Final = "steps"
MARKS: Final = ("references:", " place:")
"""One of these stands in each preset that has rows."""


@dataclass(frozen=True, slots=True)
class Row:
    """A number or a claim of a source.

    ``key``        ``preset#name``; "" where no preset plays it
    ``place``      where it stands: ``table 2, Contract Easy, PPO``
    ``claim``      by language, what is claimed; empty of a number
    ``theirs``     the printed number and ``spread``, what follows plus-minus; None of a claim
    ``ours``       our mean over ``n`` seeds, of a claim the difference; ``low`` and ``high`` its 95% interval
    ``p``          of a claim, corrected over the claims of its preset
    ``values``     ours by seed
    ``why``        by language, what it waits for or why it cannot be compared
    ``note``       by language, what is known of why ours is what it is
    ``seconds``    that all runs of its preset took when they were played
    ``by``         the command that makes it anew where `polity reproduce` does not
    ``plan``       the hash of the plan by which it was played
    """

    game: str
    key: str
    place: str
    claim: Mapping[str, str] = field(default_factory=dict)
    metric: str = ""
    condition: str = ""
    theirs: float | None = None
    spread: float | None = None
    ours: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    p: float | None = None
    difference: float | None = None
    values: Sequence[float | None] = ()
    verdict: Verdict = "open"
    why: Mapping[str, str] = field(default_factory=dict)
    note: Mapping[str, str] = field(default_factory=dict)
    seconds: float | None = None
    by: str = ""
    plan: str = ""

    @property
    def preset(self) -> str:
        """The preset that plays it; "" where none does."""
        return self.key.partition("#")[0]

    @property
    def table(self) -> str:
        """The first part of its place: ``table 2`` of "table 2, PPO", ``treatments`` of "treatments: talk"."""
        return re.split("[,:]", self.place, maxsplit=1)[0]

    def plain(self) -> dict[str, Any]:
        return {**asdict(self), "preset": self.preset, "table": self.table}


@dataclass(frozen=True, slots=True)
class Source:
    """A game's source with all its rows: those that are played in the order of their presets, then the others."""

    game: str
    form: SourceForm
    rows: tuple[Row, ...]

    def counts(self) -> dict[str, int]:
        """Rows by verdict."""
        return dict(Counter(row.verdict for row in self.rows))


def sources(registry: Registry | None = None) -> list[Source]:
    """Every game that has a source, in the order of the registry, with what is kept of its rows."""
    registry = registry or Registry()
    packs = [pack_named(registry, slug) for slug in registry.modules()]
    return [
        Source(pack.slug, form, tuple(rows_of(pack, form))) for pack in packs if (form := source_of(pack)) is not None
    ]


def playing(pack: Pack) -> list[str]:
    """The presets that have rows."""
    return [name for name, text in pack.scenarios.items() if any(mark in text for mark in MARKS)]


def rows_of(pack: Pack, form: SourceForm) -> Iterator[Row]:
    """The rows of a game's source. What is kept counts where plan and rules are those it was played by, and where
    nobody has changed it since.
    """
    kept, notes = kept_of(pack), notes_of(form)
    for preset in playing(pack):
        scenario = load(f"{pack.slug}/{preset}", tries=False)
        entry = kept.get(preset, {})
        is_known = is_current(entry, scenario)
        for row in stated_in(scenario, preset):
            noted = replace(row, note=notes.get(row.key, {}))
            yield filled(noted, entry) if is_known else noted
    for one in form.unplayed:
        verdict: Verdict = "incomparable" if one.never else "open"
        why = form.reasons[one.never or one.waits]
        stated: dict[str, Any] = {"theirs": one.theirs, "spread": one.spread, "verdict": verdict, "why": why}
        row = Row(pack.slug, "", one.place, one.claim, **stated)
        noted = replace(row, note=notes.get(one.place, {}))
        yield learnt(noted, one.learnt, kept, one.over) if one.learnt else noted


def learnt(row: Row, training: str, kept: Mapping[str, Any], over: str = "") -> Row:
    """A row with what is kept of a training, a value a seed: ``PRESET/ALGORITHM``, or with the name of one of its
    entry's rows behind it, or `STEPS`, millions that it took. Of a claim that it is above 0, or above that of the
    training ``over``, seed by seed.
    """
    first, other = (_kept_training(row.game, one, kept) if one else None for one in (training, over))
    if first is None or (over and other is None):
        return row
    told, entry = first
    if other is not None:
        told = _apart(told, other[0])
    metric = entry.get("measure", "reward / best")
    filled = replace(row, **told, metric=metric, seconds=entry["seconds"], by=entry["command"])
    if row.verdict == "incomparable":
        return filled
    if row.theirs is not None:
        verdict: Verdict = verdict_of(row.theirs, told["low"], told["high"])
        return replace(filled, verdict=verdict, difference=told["ours"] - row.theirs, why={})
    verdict = "holds" if told["low"] > 0 else "opposite" if told["high"] < 0 else "inconclusive"
    return replace(filled, verdict=verdict, difference=told["ours"], why={})


def _kept_training(game: str, training: str, kept: Mapping[str, Any]) -> tuple[Any, Any] | None:
    """What is kept of a training, and its entry; None where nothing is, or what is kept was another's plan."""
    preset, algorithm, name = [*training.split("/"), LAST][:3]
    entry = kept.get(f"{LEARNT}{preset}/{algorithm}")
    if entry is None or not is_current(entry, load(f"{game}/{preset}", tries=False)):
        return None
    if name != STEPS:
        return entry["rows"][name], entry
    steps, runs = entry["steps"] / 1e6, entry["runs"]
    return {"ours": steps, "low": steps, "high": steps, "n": runs, "values": [steps] * runs}, entry


def _apart(one: Mapping[str, Any], other: Mapping[str, Any]) -> dict[str, Any]:
    """One row less another, seed by seed, with its interval: by Student's quantile as it stands in what is kept, so
    that who reads loads no statistics.
    """
    values = [first - second for first, second in zip(one["values"], other["values"], strict=True)]
    kept = max(one, other, key=lambda row: stdev(row["values"]))
    half = stdev(values) * (kept["high"] - kept["ours"]) / stdev(kept["values"])
    return {"ours": fmean(values), "low": fmean(values) - half, "high": fmean(values) + half, "n": len(values),
            "values": values}  # fmt: skip


def interval(values: Iterable[float]) -> dict[str, Any]:
    """The mean of values, a seed each, with its 95% interval, as rows have it."""
    each = list(values)
    told = describe(each)
    return {"ours": told.mean, "low": told.low, "high": told.high, "n": told.n, "values": each}


def stated_in(scenario: Scenario, preset: str) -> list[Row]:
    """What a preset plays rows for, with nothing of ours yet."""
    if scenario.experiment is None:
        return []
    slug = scenario.pack.slug
    numbers = [
        Row(
            slug,
            f"{preset}#{one['name']}",
            one["place"],
            metric=one["metric"],
            condition=one["condition"],
            theirs=one["theirs"],
            spread=one["spread"],
            why=one["incomparable"],
        )
        for one in scenario.experiment.references
    ]
    claims = [
        Row(
            slug,
            f"{preset}#{named(one['hypothesis'], one['weights'])}",
            one["place"],
            one["text"] or {"en": one["hypothesis"]},
            metric=one["metric"],
            condition=contrast(one["weights"]),
        )
        for one in scenario.experiment.comparisons
        if one.get("place")
    ]
    return [*numbers, *claims]


def contrast(weights: Mapping[str, float]) -> str:
    """What is held against what: ``talk − baseline``; of several cells the levels that they share, else all of them."""
    sides = [[name for name, weight in weights.items() if (weight > 0) is is_of] for is_of in (True, False)]
    return " − ".join(shared_levels(side) or ", ".join(side) for side in sides if side)


def named(hypothesis: str, weights: Mapping[str, float]) -> str:
    """The name of one test of a hypothesis, which may ask the same of several conditions."""
    return f"{hypothesis}:{'-'.join(weights)}"


def kept_of(pack: Pack) -> dict[str, Any]:
    """What `polity reproduce --write` has kept, by preset."""
    text = pack.files.reproduced()
    kept: dict[str, Any] = {} if text is None else json.loads(text)
    return kept


def is_current(entry: Mapping[str, Any], scenario: Scenario) -> bool:
    """Whether what is kept was played by the plan that stands, and nobody has changed it since."""
    return entry.get("plan") == scenario.plan_hash() and entry["seal"] == seal_of(entry)


def seal_of(entry: Mapping[str, Any]) -> str:
    """The digest of an entry that is kept, its seal left out."""
    return digest({name: value for name, value in entry.items() if name != "seal"})


def filled(row: Row, entry: Mapping[str, Any]) -> Row:
    """A row with what an entry of its preset says of it: ``rows`` by name, and ``seconds``."""
    known = entry["rows"].get(row.key.partition("#")[2])
    return row if known is None else replace(row, **known, seconds=entry["seconds"], plan=entry["plan"])
