"""Plays what a preset has rows for, and tells what came of each row."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from games.core.pack import Pack
from games.lab.analysis.comparing import Compared
from games.lab.analysis.references import Held
from games.lab.analysis.result import Result
from games.lab.folders.reading import RunFolder
from games.lab.folders.reporting import result_of
from games.lab.folders.running import Progress, run
from games.lab.scenarios.scenario import Scenario
from games.lab.sources.rows import LEARNT, kept_of, named, playing, seal_of

VERDICTS: Final = {
    "shown": "holds", "not_shown": "inconclusive", "opposite": "opposite", "untestable": "untestable",
    "not_delivered": "untestable",
}  # fmt: skip
"""What the test of a claim says of it."""
SEEDS_KEPT: Final = 40
"""Of so many seeds the single values are kept."""


def reproduced(
    scenario: Scenario, jobs: int | None = None, watch: Callable[[Progress], None] | None = None
) -> dict[str, Any]:
    """All runs of a preset, played anew and measured: the plan, runs, seconds, and its rows by name.

    Raises what `games.lab.folders.running.run` raises.
    """
    began = time.perf_counter()
    with TemporaryDirectory(prefix="polity-reproduce-") as place:
        out = Path(place) / "runs"
        runs = len(run(scenario, out, jobs, watch=watch))
        result = result_of(RunFolder(out))
    return {
        "plan": scenario.plan_hash(),
        "runs": runs,
        "seconds": round(time.perf_counter() - began, 1),
        "rows": rows_in(result),
    }


def rows_in(result: Result) -> dict[str, Any]:
    """What a result says of each row of its preset, by the row's name."""
    numbers = {held.reference.name: _number(held) for held in result.references}
    claims = {
        named(one.comparison.hypothesis, one.comparison.weights): _claim(one)
        for one in result.comparisons
        if one.comparison.place
    }
    return {**numbers, **claims}


def _number(held: Held) -> dict[str, Any]:
    told = held.told
    return {
        "ours": told.mean,
        "low": told.low,
        "high": told.high,
        "n": told.n,
        "difference": held.difference,
        "values": list(held.values[:SEEDS_KEPT]),
        "verdict": held.verdict,
    }


def _claim(one: Compared) -> dict[str, Any]:
    return {
        "ours": one.difference.estimate,
        "low": one.difference.low,
        "high": one.difference.high,
        "n": min(one.n, default=0),
        "p": one.p_adjusted,
        "verdict": VERDICTS[one.verdict],
    }


def keep(pack: Pack, found: Mapping[str, Any]) -> Path:
    """Write what was found beside what is kept already of presets that are still there; returns the file. The game
    must have a folder.
    """
    assert pack.folder is not None
    path = pack.folder / "reproduced.json"
    sealed = {preset: {**entry, "seal": seal_of(entry)} for preset, entry in found.items()}
    there = playing(pack)
    told = dict(
        sorted(
            (name, one) for name, one in {**kept_of(pack), **sealed}.items() if name in there or name.startswith(LEARNT)
        )
    )
    path.write_text("{\n" + ",\n".join(_lines(told)) + "\n}\n", "utf-8")
    return path


def _lines(told: Mapping[str, Any]) -> Iterator[str]:
    """A preset's entry with each of its rows on a line, so that a change is seen where it is."""
    for preset, entry in told.items():
        rows = ",\n".join(f"  {_text(name)}: {_text(row)}" for name, row in entry["rows"].items())
        head = _text({name: value for name, value in entry.items() if name != "rows"})[:-1]
        yield f' {_text(preset)}: {head}, "rows": {{\n{rows}\n }}}}'


def _text(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False)
