"""Writes docs/speed.md from kept results: ``python .ci/speed.py [--check]``.

``python .ci/speed.py --measure --beside axelrod --beside swarm=FOLDER ...`` measures the results (docs/speed.json) anew
before: `polity bench` beside these peers, its growth, and a site before crowds of spectators; ten minutes on an idle
machine. With --check nothing is written; the exit status is 1 where the page is not what the results say.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
PAGE, KEPT = ROOT / "docs" / "speed.md", ROOT / "docs" / "speed.json"
CROWDS = ((100, 4.0), (500, 2.0))
"""Spectators, and rounds a second of the run that they see."""
SECONDS = 0.25
HEAD = """# Speed

What one core does, measured in one run on one machine; made by `python .ci/speed.py` from `docs/speed.json`, no
figure by hand. Rounds, steps and turns are a second of processor time of the process that plays, the best of
three turns.
"""
BESIDE = """## Beside others

By turns in one run: ours, the peer, ours, the peer. Each peer plays its own world with its own agents, in a
process of its own, and one step of its is not one round of ours: what is compared is how many times a second
everybody has acted once. A case that names worlds is so many of ours stepped at once, all their rounds counted, beside
one world of the peer's.

| peer | what it plays | of |
|---|---|---|
"""
LOOP = """## Beside plain arithmetic

Where nobody else plays the same, a loop of plain arithmetic from the same minutes tells the machine. Rounds of
all worlds count, where many are stepped at once; with one seat of `lookahead`, a round is a decision of its.
"""
GROWTH = """## How the cost grows

What a round costs in microseconds of processor time. Worlds are stepped at once by the game's batch form, and a
round is one of one world; AdaSociety has none: many worlds cost there what as many single ones cost. A row of runs
is an experiment of so many seeds, written as `polity run --out` writes it, by one process.
"""
CROWD = """## Spectators

One run of mining on a site of one web process (SQLite, the machine's other core plays), each spectator with a
websocket of its own: how long after a round was stored the last of them had it, and what share of a core the
web process took.
"""
AGAIN = """## Measure it yourself

`polity bench GAME --beside axelrod` plays beside what is installed, `--beside swarm=FOLDER` beside a checkout;
`--growth` and `--keep FILE` as their help says. Processor time leaves out what others do, and not that they
warm caches for themselves and slow a core down: compare figures of one run with each other, never of two.
"""


def figure(value: float | None) -> str:
    """Three digits that count."""
    if value is None:
        return ""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


def rows(head: Sequence[str], body: Sequence[Sequence[str]]) -> Iterator[str]:
    yield "| " + " | ".join(head) + " |"
    yield "|" + "---|" * len(head)
    for row in body:
        yield "| " + " | ".join(row) + " |"


def page(kept: Any) -> str:
    pairs = kept["pairs"]
    lines = [*HEAD.splitlines(), "", *where(kept), "", *BESIDE.splitlines()]
    lines += [
        f"| {name} | {kept['peers'][name]['plays']} | {about(name, kept['peers'][name])} |"
        for name in sorted(kept["peers"])
    ]
    beside = [one for one in pairs if one["peer"] != "loop"]
    head: Sequence[str] = ("game", "case", "policy", "rounds/s", "peer", "its steps/s", "times")
    told = [[one["game"], one["case"], one["policy"], figure(one["rounds_per_s"]), one["peer"],
             figure(one["peer_steps_per_s"]), figure(one["times"])] for one in beside]  # fmt: skip
    lines += ["", *rows(head, told), ""]
    told = [[one["game"], one["case"], one["policy"], figure(one["rounds_per_s"]), f"{1e6 * one['times']:,.1f}"]
            for one in pairs if one["peer"] == "loop"]  # fmt: skip
    if told:
        lines += [*LOOP.splitlines(), "", *rows(("game", "case", "policy", "rounds/s", "a million loops"), told), ""]
    lines += [*GROWTH.splitlines(), ""]
    lines += [*growth(kept["cases"]), *CROWD.splitlines(), ""]
    head = ("spectators", "rounds/s", "half within", "99% within", "of a core")
    told = [[str(one["spectators"]), figure(one["pace"]), *(f"{one[name]} ms" for name in ("p50_ms", "p99_ms")),
             figure(one["web_cpu"])] for one in kept["spectators"]]  # fmt: skip
    return "\n".join([*lines, *rows(head, told), "", *AGAIN.splitlines()]) + "\n"


def where(kept: Any) -> Iterator[str]:
    machine = kept["machine"]
    versions = ", ".join(f"{name} {machine[name]}" for name in ("python", "numpy", "numba") if machine[name])
    where = f"{machine['processor']}, {machine['cores']} cores, {machine['system']}; {versions}"
    yield f"{where}; Polity {machine['polity']}, commit {machine['commit'][:10]}."
    yield f"Processes that wanted a core when it began: {machine['load'][0]:g}, when it ended:"
    yield f"{machine['load_after'][0]:g}; about 1 where the machine does nothing else.{kept.get('note', '')}"


def about(name: str, peer: Any) -> str:
    version = peer.get("version") if name != "polity" else None
    known = version or (f"commit {peer['commit'][:10]}" if peer["commit"] and name not in ("loop", "polity") else "")
    return ", ".join(filter(None, (peer["where"], known, f"Python {peer['python']}")))


def growth(cases: Sequence[Any]) -> Iterator[str]:
    """A table for each axis: a row for each case, with what it costs at each value."""
    key: Callable[[Any], str] = axis
    for name, found in groupby(sorted((one for one in cases if one["grows_with"]), key=key), key):
        costs: dict[tuple[str, ...], list[str]] = {}
        for one in found:
            cost = f"{one['runs_s']:.3g} s" if name == "runs" else figure(1e6 / one["rounds_per_s"])
            row = (one["game"], one["case"], one["grows_with"].replace("agents.explorer.count", "players"))
            costs.setdefault(row, []).append(f"{one['at']:,}: {cost}")
        unit = "seconds in all" if name == "runs" else "microseconds a round"
        yield from rows(("game", "case", "with", unit), [[*row, " · ".join(told)] for row, told in costs.items()])
        yield ""


def axis(case: Any) -> str:
    name = case["grows_with"]
    return {"rounds": "length", "turns": "length", "steps": "length", "epochs": "length"}.get(
        name, name if name in ("worlds", "runs") else "seats"
    )


def measure(peers: Sequence[str], seconds: float) -> Any:
    """All results anew."""
    beside = [word for one in peers for word in ("--beside", one)]
    with tempfile.TemporaryDirectory() as place:
        kept = Path(place, "kept.json")
        asked = ["bench", *beside, "--growth", "--seconds", str(seconds), "--keep", str(kept)]
        subprocess.run([sys.executable, "-m", "simsite", *asked], cwd=ROOT, check=False, stdout=subprocess.DEVNULL)
        found = json.loads(kept.read_text("utf-8"))
    sys.path.insert(0, str(ROOT))
    from tests.bench.test_crowd import watched_by
    from tests.sites import POLITY, serve

    found["spectators"] = []
    for count, pace in CROWDS:
        with tempfile.TemporaryDirectory() as place:
            site = serve([POLITY], ROOT, Path(place, "home"), Path(place, "serve.log"), "--no-demo")
            try:
                found["spectators"].append({"pace": pace, **watched_by(site, count, pace)})
            finally:
                site.end()
    return found


def main() -> int:
    known = argparse.ArgumentParser(description=__doc__)
    known.add_argument("--check", action="store_true")
    known.add_argument("--measure", action="store_true")
    known.add_argument("--beside", action="append", default=[])
    known.add_argument("--seconds", type=float, default=SECONDS)
    asked = known.parse_args()
    if asked.measure:
        KEPT.write_text(json.dumps(measure(asked.beside, asked.seconds), indent=1, ensure_ascii=False) + "\n", "utf-8")
    text = page(json.loads(KEPT.read_text("utf-8")))
    if asked.check:
        same = PAGE.is_file() and PAGE.read_text("utf-8") == text
        print("docs/speed.md is what docs/speed.json says" if same else "docs/speed.md is not: python .ci/speed.py")  # noqa: T201
        return 0 if same else 1
    PAGE.write_text(text, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
