"""Plays a plan into a run folder of the laboratory's form, with the source's own fields beside it.

Every line of ``rounds.jsonl`` is the laboratory's record of a step and holds, under the source's names, the run, the
round and what both did; the start and the messages of a talk have no round and give null there. A folder of the same
plan is replaced whole, one of another plan is refused: nothing is ever appended.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final

import msgspec

from games.catalog.dilemma.cli.averages import AVERAGES, write_averages
from games.catalog.dilemma.cli.forms import FAMILIES
from games.catalog.dilemma.cli.plan import Plan
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.state import Choice
from games.core.agents import Decider, Decision, Request
from games.core.codec import digest
from games.core.engine import play as steps_of
from games.core.game import Step
from games.lab.aggregates import write_aggregates
from games.lab.aggregating import measured
from games.lab.cells import ROUNDS, Cell, Played, Recorder
from games.lab.faults import BadFolder, Fault
from games.lab.folder import AGGREGATES, MANIFEST, Gathering, check_free, fresh, manifest_of, write_manifest
from games.lab.reading import RunFolder

OWN: Final = "experiment"
"""The manifest's key for what only an experiment file says."""
ALWAYS: Final = ("rounds", "is_void")


def check_place(plan: Plan, force: bool) -> None:
    """Refuse a place that holds anything but a run of the same plan, unless ``force`` lets a run be replaced."""
    check_free(plan.output_dir, force or _holds(plan.output_dir) == plan_hash(plan))


def plan_hash(plan: Plan) -> str:
    """The hash of what decides the outcome and how it is kept."""
    return digest([plan.scenario.plan_hash(), plan.form.model_dump(mode="json"), plan.replicates])


def _holds(place: Path) -> str | None:
    try:
        return str(RunFolder(place).manifest[OWN]["plan_hash"])
    except (BadFolder, KeyError, TypeError):
        return None


def play(plan: Plan, force: bool = False) -> int:
    """Play all and write the folder; the number of rounds played. Raises `BadFolder` where the place is taken."""
    check_place(plan, force)
    started = datetime.now(UTC)
    same = force or _holds(plan.output_dir) == plan_hash(plan)
    cells = plan.cells()
    with fresh(plan.output_dir, same) as folder:
        gathering = Gathering(folder, len(cells))
        done: list[Played] = []
        timeless = blake2b(digest_size=16)
        for number, cell in enumerate(cells):
            part = gathering.part(number)
            one, told = _play_cell(plan, cell, part)
            _enrich(part / ROUNDS, told, timeless)
            gathering.add(number, one)
            done.append(one)
        digests = gathering.close()
        del digests[ROUNDS]  # it holds timestamps; see rounds_digest
        chosen = [_chosen(one, plan.form.metrics.names) for one in done]
        write_aggregates(folder / AGGREGATES, chosen)
        write_averages(folder / AVERAGES, chosen)
        manifest = manifest_of(plan.scenario, done, digests, started)
        own = {
            "run_id": plan.form.run.run_id,
            "plan_hash": plan_hash(plan),
            "config_hash": digest(plan.form.model_dump(mode="json")),
            "rounds_digest": timeless.hexdigest(),
            **plan.form.model_dump(mode="json"),
            "replicates": plan.replicates,
        }
        write_manifest(folder, {**manifest, OWN: own})
    return sum(int(str(one.metrics["rounds"])) for one in done)


def measure_again(run_dir: Path) -> int:
    """Both tables anew from the rounds; the number of runs. Raises `BadFolder`."""
    folder = RunFolder(run_dir)
    own = folder.manifest.get(OWN)
    names = own["metrics"]["names"] if isinstance(own, Mapping) else FAMILIES
    chosen = [_chosen(one, names) for one in measured(folder)]
    write_aggregates(run_dir / AGGREGATES, chosen)
    write_averages(run_dir / AVERAGES, chosen)
    return len(chosen)


def _chosen(one: Played, names: Sequence[str]) -> Played:
    """The measures that the experiment names, with those by seat."""
    wanted = {*ALWAYS, *(f"{name}{seat}" for name in names for seat in ("", "_a", "_b"))}
    metrics = {name: value for name, value in one.metrics.items() if name in wanted}
    return Played(one.condition, one.replicate, one.seed, one.steps, one.hash, metrics)


# --- one run --------------------------------------------------------------------------------------


def _play_cell(plan: Plan, cell: Cell, folder: Path) -> tuple[Played, list[dict[str, Any]]]:
    """One run with its logs under ``folder``; and the source's fields of each step, in order."""
    pack, config = plan.scenario.pack, plan.config(cell.condition)
    traces: dict[int, Mapping[str, Any]] = {}
    deciders = {seat: _watched(agent.decider(), seat, traces) for seat, agent in enumerate(plan.agents[cell.condition])}
    series: list[Mapping[str, Any]] = []
    told: list[dict[str, Any]] = []
    before: Step[Any, Any] | None = None
    with Recorder(pack, cell, config, folder) as recorder:
        for step in steps_of(pack.game, config, cell.seed, deciders):
            found = None if before is None else pack.metrics.measure(config, before.state, step)
            if found is not None:
                series.append(found)
            recorder.add(step, found)
            told.append({**_fields(plan, config, step), **_kept(plan, traces)})
            traces.clear()
            before = step
        summary = dict(pack.metrics.summarise(config, series))
        played = Played(cell.condition, cell.replicate, cell.seed, len(series), recorder.hash, summary)
    return played, told


def _watched(decider: Decider, seat: int, traces: dict[int, Mapping[str, Any]]) -> Decider:
    """The same decider, whose traces are laid by for the record of the step."""

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        decision = decider(request)
        if decision.trace:
            traces[seat] = decision.trace
        return decision

    return decide


def _fields(plan: Plan, config: DilemmaConfig, step: Step[Any, Any]) -> dict[str, Any]:
    """The source's fields of one record. ``round_index`` counts from 0; all moves are those carried out."""
    moves, totals = step.state.moves, step.state.totals
    has_round = bool(step.payoffs)
    fields: dict[str, Any] = {
        "run_id": plan.form.run.run_id,
        "round_index": step.state.played - 1 if has_round else None,
    }
    for seat, name in enumerate(("a", "b")):
        meant = step.actions.get(seat)
        fields[f"agent_{name}_action"] = moves[seat][-1] if has_round else None
        fields[f"agent_{name}_intended"] = meant.move if has_round and isinstance(meant, Choice) else None
        fields[f"agent_{name}_payoff"] = step.payoffs[seat] if has_round else None
        fields[f"agent_{name}_cum_payoff"] = totals[seat]
        fields[f"agent_{name}_valid"] = seat not in step.notes if has_round else None
    length = config.length
    return fields | {
        "horizon_type": length.horizon,
        "fixed_n": length.rounds,
        "stop_prob": length.stop_prob,
        "timestamp_utc": datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z"),
    }


def _kept(plan: Plan, traces: Mapping[int, Mapping[str, Any]]) -> dict[str, Any]:
    """Prompts (or their hashes) and every reply of the seats that were prompted, as far as they are to be kept."""
    kept: dict[str, Any] = {}
    names = {seat: f"agent_{'ab'[seat]}" for seat in sorted(traces)}
    prompts = {name: traces[seat]["prompts"] for seat, name in names.items() if "prompts" in traces[seat]}
    if prompts:
        kept["prompts"] = prompts
    if plan.form.run.store_responses and names:
        kept["raw_responses"] = {
            name: [attempt["reply"] for attempt in traces[seat]["attempts"]] for seat, name in names.items()
        }
        kept["attempt_faults"] = {
            name: [attempt["fault"] for attempt in traces[seat]["attempts"]] for seat, name in names.items()
        }
    return kept


def _enrich(path: Path, told: Sequence[Mapping[str, Any]], timeless: Any) -> None:
    """Each record with the source's fields before its own; ``timeless`` takes the lines without their timestamps."""
    lines = path.read_bytes().splitlines()
    with path.open("wb") as file:
        for line, fields in zip(lines, told, strict=True):
            file.write(msgspec.json.encode(fields)[:-1] + b"," + line[1:] + b"\n")
            bare = {name: value for name, value in fields.items() if name != "timestamp_utc"}
            timeless.update(msgspec.json.encode(bare)[:-1] + b"," + line[1:] + b"\n")


def rounds_of(run_dir: Path) -> Iterator[dict[str, Any]]:
    """The records that are rounds, as the source has them."""
    with (run_dir / ROUNDS).open("rb") as file:
        for line in file:
            record = json.loads(line)
            if record["round_index"] is not None:
                yield record


def manifest(run_dir: Path) -> Mapping[str, Any]:
    try:
        return dict(json.loads((run_dir / MANIFEST).read_text("utf-8")))
    except (OSError, ValueError):
        raise BadFolder([Fault(str(run_dir), "", f"no run folder: it holds no {MANIFEST}")]) from None
