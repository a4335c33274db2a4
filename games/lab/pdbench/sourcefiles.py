"""The source's own fields and tables in a run folder, beside those that every run folder has.

Every line of ``rounds.jsonl`` is the laboratory's record of a round and holds, under the source's names, the run, the
round and what both did; the start and the messages of a talk, which are no rounds, stand in ``steps.jsonl``. A folder
of the same plan is replaced whole, one of another plan is refused: nothing is ever appended.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.state import Choice
from games.core.agents import Decider
from games.core.codec import digest
from games.core.game import Seat, Step
from games.errors.faults import BadFolder
from games.lab.folders.aggregates import write_aggregates
from games.lab.folders.aggregating import measured
from games.lab.folders.folder import AGGREGATES
from games.lab.folders.logs import PlainLogs
from games.lab.folders.place import check_free
from games.lab.folders.reading import RunFolder, timeless_digest
from games.lab.folders.recorder import ROUNDS, STEPS
from games.lab.folders.running import Watcher, run
from games.lab.folders.runspec import Additions, Played, RunSpec, Traces
from games.lab.folders.sealing import FILES, TIMELESS, seal_again
from games.lab.pdbench.agents import Seated
from games.lab.pdbench.averages import AVERAGES, write_averages
from games.lab.pdbench.clients import Bill
from games.lab.pdbench.forms import FAMILIES, ExperimentForm
from games.lab.pdbench.plan import Plan

OWN: Final = "experiment"
"""The manifest's key for what only an experiment file says."""
ALWAYS: Final = ("rounds", "is_void")


def check_place(plan: Plan, force: bool) -> None:
    """Refuse a place that holds anything but a run of the same plan, unless ``force`` lets a run be replaced."""
    check_free(plan.output_dir, force or SourceFiles.of(plan).may_replace(plan.output_dir))


def plan_hash(plan: Plan) -> str:
    """The hash of what decides the outcome and how it is kept."""
    return digest([plan.scenario.plan_hash(), plan.form.model_dump(mode="json"), plan.replicates])


def play(plan: Plan, force: bool = False, watch: Watcher | None = None) -> int:
    """Play all and write the folder; the number of rounds played. Raises `BadFolder` where the place is taken."""
    done = run(plan.scenario, plan.output_dir, None, force, watch, additions=SourceFiles.of(plan), is_plain=True)
    return sum(int(str(match.metrics["rounds"])) for match in done)


def spent(folder: Path) -> Bill:
    """What the real models of a folder took, by its rounds, whichever process played them."""
    bill = Bill()
    for line in PlainLogs(folder).lines(ROUNDS):
        for usage in json.loads(line).get("usage", {}).values():
            bill = bill.told(usage)
    return bill


@dataclass(frozen=True, slots=True)
class SourceFiles(Additions):
    """What an experiment file adds: its model seats, the source's fields of each record, its tables and its plan."""

    form: ExperimentForm
    agents: Mapping[str, tuple[Seated, Seated]]
    plan_hash: str
    replicates: int

    @classmethod
    def of(cls, plan: Plan) -> SourceFiles:
        return cls(plan.form, plan.agents, plan_hash(plan), plan.replicates)

    def deciders(self, spec: RunSpec) -> Mapping[Seat, Decider]:
        return {seat: agent.decider() for seat, agent in enumerate(self.agents[spec.condition])}

    def fields(self, spec: RunSpec, config: DilemmaConfig, step: Step[Any, Any], traces: Traces) -> Mapping[str, Any]:
        """The source's fields of one record. ``round_index`` counts from 0; all moves are those carried out."""
        moves, totals = step.state.moves, step.state.totals
        has_round = bool(step.payoffs)
        fields: dict[str, Any] = {
            "run_id": self.form.run.run_id,
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
            **self._stored(traces),
        }

    def _stored(self, traces: Traces) -> dict[str, Any]:
        """Prompts (or their hashes) and every reply of the seats that were prompted, as far as they are asked for."""
        stored: dict[str, Any] = {}
        names = {seat: f"agent_{'ab'[seat]}" for seat in sorted(traces)}
        prompts = {name: traces[seat]["prompts"] for seat, name in names.items() if "prompts" in traces[seat]}
        if prompts:
            stored["prompts"] = prompts
        if usage := {name: traces[seat]["usage"] for seat, name in names.items() if "usage" in traces[seat]}:
            stored["usage"] = usage
        if self.form.run.store_responses and names:
            stored["raw_responses"] = {
                name: [attempt["reply"] for attempt in traces[seat]["attempts"]] for seat, name in names.items()
            }
            stored["attempt_faults"] = {
                name: [attempt["fault"] for attempt in traces[seat]["attempts"]] for seat, name in names.items()
            }
        return stored

    def is_round(self, step: Step[Any, Any]) -> bool:
        return bool(step.payoffs)

    def may_replace(self, place: Path) -> bool:
        """A folder of the same plan, which would hold the same bytes again."""
        try:
            return bool(RunFolder(place).manifest[OWN]["plan_hash"] == self.plan_hash)
        except (BadFolder, KeyError, TypeError):
            return False

    def finish(self, folder: Path, played: Collection[Played], manifest: Mapping[str, Any]) -> Mapping[str, Any]:
        _write_tables(folder, played, self.form.metrics.names)
        files = {name: about for name, about in manifest[FILES].items() if name not in (ROUNDS, STEPS)}
        timeless = {name: timeless_digest(folder / name) for name in PlainLogs(folder).files(ROUNDS)}
        form = self.form.model_dump(mode="json")
        own: dict[str, Any] = {"run_id": self.form.run.run_id, "plan_hash": self.plan_hash, "config_hash": digest(form)}
        own |= {"rounds_digest": timeless[ROUNDS], **form, "replicates": self.replicates}
        return {**manifest, FILES: files, TIMELESS: timeless, OWN: own}


def measure_again(run_dir: Path) -> int:
    """Both tables anew from the rounds; the number of runs. Raises `BadFolder`, for a folder of another game too."""
    folder = RunFolder(run_dir)
    if folder.game != "dilemma":
        raise folder.bad("", f"a folder of {folder.game}, not of the dilemma; polity aggregate measures it")
    folder.check_unaltered(leave_out=(AGGREGATES, AVERAGES))
    own = folder.manifest.get(OWN)
    names = own["metrics"]["names"] if isinstance(own, Mapping) and "run_id" in own else FAMILIES
    played = list(measured(folder))
    _write_tables(run_dir, played, names)
    seal_again(run_dir, folder.manifest, (AGGREGATES, AVERAGES))
    return len(played)


def _write_tables(folder: Path, played: Collection[Played], names: Sequence[str]) -> None:
    """The aggregates and their averages: the measures that the experiment names, with those by seat."""
    wanted = {*ALWAYS, *(f"{name}{seat}" for name in names for seat in ("", "_a", "_b"))}
    chosen = []
    for whole in played:
        metrics = {name: value for name, value in whole.metrics.items() if name in wanted}
        chosen.append(Played(whole.condition, whole.replicate, whole.seed, whole.steps, whole.hash, metrics))
    write_aggregates(folder / AGGREGATES, chosen)
    write_averages(folder / AVERAGES, chosen)
