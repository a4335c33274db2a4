"""What is to be seen in the games' societies: each claim is played beside its opposite and tested with all the others.

A game's `phenomena.yaml` stands beside its presets' folder. Replicate r has the same seed on both sides, so that
differences are taken within pairs; p is corrected by Holm over all rows that are played together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, RootModel, ValidationError, model_validator

from games.core.codec import digest
from games.core.pack import Pack
from games.core.registry import Registry
from games.errors.faults import Refused, among
from games.lab.analysis.families import adjusted
from games.lab.analysis.power import ALPHA
from games.lab.analysis.testing import Difference, paired_difference, paired_t
from games.lab.folders.running import Watcher, played
from games.lab.folders.runspec import Played, RunSpec, specs_of
from games.lab.scenarios.finding import pack_named
from games.lab.scenarios.scenario import load
from games.lab.scenarios.yamlfile import read_yaml

FILE: Final = "phenomena.yaml"
Verdict: TypeAlias = Literal["holds", "too_small", "not_shown", "opposite", "untestable"]
"""``too_small``: the difference is shown, and is less than the smallest that was called interesting."""


class Text(BaseModel):
    """A sentence in both languages."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    en: str = Field(min_length=1)
    zh: str = Field(min_length=1)


class Phenomenon(BaseModel):
    """A row of the file.

    ``preset, against``  ``PRESET/CONDITION`` of the game, or ``PRESET`` of one condition
    ``measure``          a measure of the whole run
    ``sign``             how the preset differs from its opposite
    ``seeds``            the first and the last
    ``effect``           the smallest difference of interest, in the measure's unit
    ``source``           where it is claimed
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    claim: Text
    preset: str
    against: str
    measure: str
    sign: Literal["higher", "lower"]
    seeds: tuple[int, int] = (1, 20)
    effect: float = Field(ge=0)
    source: str = Field(min_length=1)

    @model_validator(mode="after")
    def _is_a_comparison(self) -> Phenomenon:
        if self.preset == self.against:
            raise ValueError(f"against is {self.against}, the preset itself; name its opposite")
        if not 0 <= self.seeds[0] < self.seeds[1]:
            raise ValueError(f"seeds are {list(self.seeds)}; give the first and a later last")
        return self


class _File(RootModel[dict[str, Phenomenon]]):
    pass


@dataclass(frozen=True, slots=True)
class Seen:
    """What came of a row. ``n`` pairs in which both sides define the measure; ``p`` corrected over all rows."""

    game: str
    name: str
    row: Phenomenon
    n: int
    undefined: int
    difference: Difference
    p_alone: float | None
    p: float | None = None
    verdict: Verdict = "untestable"

    def plain(self) -> dict[str, Any]:
        """As JSON."""
        return {
            "game": self.game,
            "name": self.name,
            **self.row.model_dump(mode="json"),
            "n": self.n,
            "undefined": self.undefined,
            "estimate": self.difference.estimate,
            "low": self.difference.low,
            "high": self.difference.high,
            "p_alone": self.p_alone,
            "p": self.p,
            "verdict": self.verdict,
        }


def phenomena_of(pack: Pack) -> Mapping[str, Phenomenon]:
    """The rows of a game by name; {} where it has no such file. Raises `Refused` with every fault."""
    path = pack.files.phenomena()
    if path is None or not path.is_file():
        return {}
    source = f"{pack.slug}/{FILE}"
    try:
        rows = _File.model_validate(read_yaml(path, source)).root
    except ValidationError as error:
        told = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in error.errors())
        raise Refused(f"{source}: {told}") from error
    return rows


def seen(
    games: Iterable[str],
    registry: Registry,
    keep: Path | None = None,
    jobs: int | None = None,
    watch: Watcher | None = None,
    only: Sequence[str] = (),
    seeds: tuple[int, int] | None = None,
) -> list[Seen]:
    """Play every row of the games beside its opposite and test all together.

    ``keep``   a file to which each run's measures are added; runs that stand there are not played again
    ``only``   names of rows; () plays all
    ``seeds``  the first and the last in place of each row's own
    """
    rows = [
        (pack, name, row if seeds is None else row.model_copy(update={"seeds": seeds}))
        for pack in (pack_named(registry, game) for game in games)
        for name, row in phenomena_of(pack).items()
        if not only or name in only
    ]
    specs = {
        (pack.slug, side, row.seeds): _side(pack, side, row.seeds, registry)
        for pack, _, row in rows
        for side in (row.preset, row.against)
    }
    wanted = {_key(spec, pack_rules): spec for found, pack_rules in specs.values() for spec in found}
    measured = _measured(wanted, keep, jobs, watch)
    sides = {name: [measured[_key(spec, pack_rules)] for spec in found] for name, (found, pack_rules) in specs.items()}
    return judged(
        [
            compared(pack.slug, name, row, *(sides[pack.slug, side, row.seeds] for side in (row.preset, row.against)))
            for pack, name, row in rows
        ]
    )


def compared(
    game: str, name: str, row: Phenomenon, of: Sequence[Mapping[str, Any]], against: Sequence[Mapping[str, Any]]
) -> Seen:
    """A row tested alone, from the runs' measures on both sides in the order of the seeds. Raises `Refused`."""
    for run in (*of, *against):
        if row.measure not in run:
            raise Refused(f"{game}/{FILE}: {name}.measure {row.measure!r}: {among(row.measure, run)}")
    pairs = [(one.get(row.measure), other.get(row.measure)) for one, other in zip(of, against, strict=True)]
    differences = [float(one - other) for one, other in pairs if one is not None and other is not None]
    outcome = paired_t(differences, row.sign)
    return Seen(
        game, name, row, len(differences), len(pairs) - len(differences), paired_difference(differences), outcome.p
    )


def judged(rows: Sequence[Seen]) -> list[Seen]:
    """The rows with p corrected by Holm over all of them, and what follows."""
    ps = adjusted([one.p_alone for one in rows], "holm")
    return [replace(one, p=p, verdict=_verdict(one, p)) for one, p in zip(rows, ps, strict=True)]


def _verdict(one: Seen, p: float | None) -> Verdict:
    estimate, low, high = one.difference.estimate, one.difference.low, one.difference.high
    if p is None or estimate is None or low is None or high is None:
        return "untestable"
    if p <= ALPHA:
        return "holds" if abs(estimate) >= one.row.effect else "too_small"
    return "opposite" if (high < 0 if one.row.sign == "higher" else low > 0) else "not_shown"


def _side(pack: Pack, side: str, seeds: tuple[int, int], registry: Registry) -> tuple[list[RunSpec], str]:
    """The runs of ``PRESET/CONDITION`` and the version of the rules. Raises `Refused`."""
    preset, _, condition = side.partition("/")
    scenario = load(f"{pack.slug}/{preset}", registry, seeds=tuple(range(seeds[0], seeds[1] + 1)))
    names = [one.name for one in scenario.conditions]
    if not condition and len(names) > 1:
        raise Refused(f"{pack.slug}/{FILE}: {preset} has several conditions; name one: {', '.join(names)}")
    if condition and condition not in names:
        raise Refused(f"{pack.slug}/{FILE}: {side}: there is no such condition; {among(condition, names)}")
    chosen = next(one for one in scenario.conditions if condition in ("", one.name))
    other = next((agent.kind for agent in chosen.seats if agent.kind != "policy"), None)
    if other is not None:
        raise Refused(f"{pack.slug}/{FILE}: {side} seats a {other}; a claim is played by policies, who always move")
    return [spec for spec in specs_of(scenario) if spec.condition == chosen.name], str(pack.game.rules_version)


def _key(spec: RunSpec, rules: str) -> str:
    return digest([spec.module, rules, spec.config, list(spec.agents), spec.seed])


def _measured(
    wanted: Mapping[str, RunSpec], keep: Path | None, jobs: int | None, watch: Watcher | None
) -> dict[str, Mapping[str, Any]]:
    """By key the measures of each run: those that were kept, and the others played now and kept at once."""
    found = {key: told for key, told in _kept(keep).items() if key in wanted}
    missing = {key: spec for key, spec in wanted.items() if key not in found}
    note: Callable[[str, Played], None] = _nowhere if keep is None else _Keeper(keep)
    for key, run in zip(missing, played(list(missing.values()), lambda number: None, jobs, watch), strict=True):
        note(key, run)
        found[key] = run.metrics
    return found


def _kept(keep: Path | None) -> dict[str, Mapping[str, Any]]:
    """What an earlier call kept. A last line that was cut off is left out: its run is played again."""
    if keep is None or not keep.is_file():
        return {}
    lines = keep.read_text("utf-8").split("\n")[:-1]
    try:
        return dict(map(json.loads, lines))
    except ValueError as error:
        raise Refused(f"{keep}: a line is no run of phenomena ({error}); name another file") from error


def _nowhere(key: str, run: Played) -> None:
    """Keep nothing."""


@dataclass(frozen=True, slots=True)
class _Keeper:
    path: Path

    def __call__(self, key: str, run: Played) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps([key, run.metrics], allow_nan=False) + "\n")
