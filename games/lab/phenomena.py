"""What is to be seen in the games' societies: each claim is played beside its opposite and tested with all the others.

A game's `phenomena.yaml` stands beside its presets' folder, and what was last found beside it, ending in `.json`.
Replicate r has the same seed on both sides, so that differences are taken within pairs; p is corrected by Holm over all
rows that are played, or read, together.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
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
from games.lab.conduct import conduct
from games.lab.folders.running import Watcher, played
from games.lab.folders.runspec import Played, RunSpec, specs_of
from games.lab.scenarios.finding import pack_named
from games.lab.scenarios.scenario import load
from games.lab.scenarios.yamlfile import read_yaml

FILE: Final = "phenomena.yaml"
FRESH: Final = (5001, 5020)
"""Seeds on which no policy and no preset was tuned: those stand in each file's head."""
NOTHING: Final = Difference(None)
Verdict: TypeAlias = Literal["holds", "too_small", "not_shown", "opposite", "untestable", "open"]
"""``too_small``: the difference is shown, and is less than the smallest that was called interesting. ``open``: it was
not played, or rules, policies, presets or claim have changed since."""


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
    seeds: tuple[int, int] = FRESH
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
    """What came of a row. ``n`` pairs in which both sides define the measure; ``p`` corrected over all rows.

    ``plan``         the digest of claim and runs, by which a stored row is known to be of these
    ``differences``  by pair, in the order of the seeds
    """

    game: str
    name: str
    row: Phenomenon
    n: int = 0
    undefined: int = 0
    difference: Difference = NOTHING
    p_alone: float | None = None
    p: float | None = None
    verdict: Verdict = "open"
    plan: str = ""
    differences: tuple[float, ...] = ()

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
            "differences": list(self.differences),
        }


def claims_at(pack: Pack) -> Path | None:
    """The file of a game's claims, beside which what was found is kept with the ending ``.json``."""
    return pack.files.phenomena()


def phenomena_of(pack: Pack) -> Mapping[str, Phenomenon]:
    """The rows of a game by name; {} where it has no such file. Raises `Refused` with every fault."""
    path = claims_at(pack)
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
    rows = _rows(games, registry, only, seeds)
    specs = _specs(rows, registry)
    wanted = {_key(spec, rules): spec for found, rules in specs.values() for spec in found}
    measured = _measured(wanted, keep, jobs, watch)
    sides = {side: [measured[_key(spec, rules)] for spec in found] for side, (found, rules) in specs.items()}
    return judged(
        [
            replace(
                compared(pack.slug, name, row, *(sides[side] for side in _sides(pack, row))),
                plan=_plan(row, [specs[side] for side in _sides(pack, row)]),
            )
            for pack, name, row in rows
        ]
    )


def stored(games: Iterable[str], registry: Registry) -> list[Seen]:
    """Every row of the games as it was last kept (`store`), judged among all of them; open where it is not, was
    altered, or speaks of other runs than would be played now."""
    rows = _rows(games, registry)
    specs = _specs(rows, registry, tries=False)
    return judged(
        [_read(pack, name, row, _plan(row, [specs[side] for side in _sides(pack, row)])) for pack, name, row in rows]
    )


def store(rows: Iterable[Seen], registry: Registry) -> list[Path]:
    """Keep what was found beside each game's claims, a row on a line; the files. Rows without a claim are dropped."""
    found: dict[str, dict[str, Any]] = {}
    for one in rows:
        entry = {
            "plan": one.plan,
            **asdict(one.difference),
            "p_alone": one.p_alone,
            "undefined": one.undefined,
            "differences": list(one.differences),
        }
        found.setdefault(one.game, {})[one.name] = {**entry, "seal": digest(entry)}
    paths = []
    for game, entries in found.items():
        pack = pack_named(registry, game)
        claims = claims_at(pack)
        assert claims is not None
        told = {name: one for name, one in {**_entries(pack), **entries}.items() if name in phenomena_of(pack)}
        lines = ",\n".join(
            f" {json.dumps(name)}: {json.dumps(one, allow_nan=False)}" for name, one in sorted(told.items())
        )
        paths.append(claims.with_suffix(".json"))
        paths[-1].write_text(f"{{\n{lines}\n}}\n", "utf-8")
    return paths


def _entries(pack: Pack) -> dict[str, Any]:
    claims = claims_at(pack)
    path = None if claims is None else claims.with_suffix(".json")
    entries: dict[str, Any] = json.loads(path.read_text("utf-8")) if path is not None and path.is_file() else {}
    return entries


def _read(pack: Pack, name: str, row: Phenomenon, plan: str) -> Seen:
    entry = _entries(pack).get(name, {})
    seal = entry.pop("seal", None)
    if entry.get("plan") != plan or seal != digest(entry):
        return Seen(pack.slug, name, row, plan=plan)
    pairs = entry["differences"]
    found = Difference(entry["estimate"], entry["low"], entry["high"])
    told = (len(pairs), entry["undefined"], found, entry["p_alone"])
    return Seen(pack.slug, name, row, *told, plan=plan, differences=tuple(pairs))


Row: TypeAlias = tuple[Pack, str, Phenomenon]
Side: TypeAlias = tuple[str, str, tuple[int, int]]
"""Game, ``PRESET/CONDITION`` and seeds."""


def _rows(
    games: Iterable[str], registry: Registry, only: Sequence[str] = (), seeds: tuple[int, int] | None = None
) -> list[Row]:
    return [
        (pack, name, row if seeds is None else row.model_copy(update={"seeds": seeds}))
        for pack in (pack_named(registry, game) for game in games)
        for name, row in phenomena_of(pack).items()
        if not only or name in only
    ]


def _sides(pack: Pack, row: Phenomenon) -> tuple[Side, Side]:
    return (pack.slug, row.preset, row.seeds), (pack.slug, row.against, row.seeds)


def _specs(rows: Sequence[Row], registry: Registry, tries: bool = True) -> dict[Side, tuple[list[RunSpec], str]]:
    packs = {side: pack for pack, _, row in rows for side in _sides(pack, row)}
    return {side: _side(pack, side[1], side[2], registry, tries) for side, pack in packs.items()}


def _plan(row: Phenomenon, specs: Sequence[tuple[list[RunSpec], str]]) -> str:
    runs = [[_key(spec, rules) for spec in found] for found, rules in specs]
    return digest([row.measure, row.sign, row.effect, runs])


def compared(
    game: str, name: str, row: Phenomenon, of: Sequence[Mapping[str, Any]], against: Sequence[Mapping[str, Any]]
) -> Seen:
    """A row tested alone, from the runs' measures on both sides in the order of the seeds. Raises `Refused`."""
    for run in (*of, *against):
        if row.measure not in run:
            raise Refused(f"{game}/{FILE}: {name}.measure {row.measure!r}: {among(row.measure, run)}")
    pairs = [(one.get(row.measure), other.get(row.measure)) for one, other in zip(of, against, strict=True)]
    differences = [float(one - other) for one, other in pairs if one is not None and other is not None]
    found, p = paired_difference(differences), paired_t(differences, row.sign).p
    n = len(differences)
    return Seen(game, name, row, n, len(pairs) - n, found, p, differences=tuple(differences))


def judged(rows: Sequence[Seen]) -> list[Seen]:
    """The rows with p corrected by Holm over all of them, and what follows."""
    ps = adjusted([one.p_alone for one in rows], "holm")
    return [replace(one, p=p, verdict=_verdict(one, p)) for one, p in zip(rows, ps, strict=True)]


def _verdict(one: Seen, p: float | None) -> Verdict:
    estimate, low, high = one.difference.estimate, one.difference.low, one.difference.high
    if not one.n and not one.undefined:
        return "open"
    if p is None or estimate is None or low is None or high is None:
        return "untestable"
    if p <= ALPHA:
        return "holds" if abs(estimate) >= one.row.effect else "too_small"
    return "opposite" if (high < 0 if one.row.sign == "higher" else low > 0) else "not_shown"


def _side(
    pack: Pack, side: str, seeds: tuple[int, int], registry: Registry, tries: bool = True
) -> tuple[list[RunSpec], str]:
    """The runs of ``PRESET/CONDITION``, and the version of rules and policies. Raises `Refused`."""
    preset, _, condition = side.partition("/")
    scenario = load(f"{pack.slug}/{preset}", registry, seeds=tuple(range(seeds[0], seeds[1] + 1)), tries=tries)
    names = [one.name for one in scenario.conditions]
    if not condition and len(names) > 1:
        raise Refused(f"{pack.slug}/{FILE}: {preset} has several conditions; name one: {', '.join(names)}")
    if condition and condition not in names:
        raise Refused(f"{pack.slug}/{FILE}: {side}: there is no such condition; {among(condition, names)}")
    chosen = next(one for one in scenario.conditions if condition in ("", one.name))
    other = next((agent.kind for agent in chosen.seats if agent.kind != "policy"), None)
    if other is not None:
        raise Refused(f"{pack.slug}/{FILE}: {side} seats a {other}; a claim is played by policies, who always move")
    version = f"{pack.game.rules_version} {conduct(pack, [agent.policy for agent in chosen.seats])}"
    return [spec for spec in specs_of(scenario) if spec.condition == chosen.name], version


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
