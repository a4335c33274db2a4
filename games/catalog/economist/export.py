"""The contract's run files: event_log.jsonl, metrics.csv, tax_schedule.json and workers.csv.

Source: contract, "Logging Schema" and "Reproducibility"; columns as in the public code. Epochs and steps count from 0;
what happens at an epoch's end stands at its last step.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.metrics import CONTRACT, closed, epoch_metrics
from games.catalog.economist.money import decimal
from games.catalog.economist.state import Action, State
from games.core.answers import Note
from games.core.game import Event, Step

WORKERS: Final = (
    "agent_id", "position", "coin", "wood", "stone", "houses_built", "cumulative_income", "times_audited",
    "times_caught", "total_fines", "coalition_id",
)  # fmt: skip
FAILS: Final = {
    "move": "move_fail", "gather": "gather_fail", "build": "build_fail", "buy": "trade_fail", "sell": "trade_fail",
    "shift": "shift_fail", "misreport": "misreport_fail",
}  # fmt: skip
"""What was struck out of an answer is a failure in the contract's log, in the place of the nothing that came of it."""
REASONS: Final = {"shift_disabled": "disabled", "misreport_disabled": "disabled"}
"""Reasons that have another word in the contract's log; the others are the notes' own."""
CUT: Final = frozenset({"price_clamped", "quantity_cut", "shift_cut", "fraction_cut"})
OWN: Final = frozenset({"land_opened", "epoch_ended", "planner_kept"})
"""Events of the lab that the contract does not know."""


class EconomistFiles:
    """Agents are named as seats are; a trade and a flag have the empty name, as in the public code."""

    def __init__(self, config: EconomistConfig, folder: Path) -> None:
        self._config, self._folder = config, folder
        self._log = (folder / "event_log.jsonl").open("w", encoding="utf-8", newline="\n")
        self._metrics = (folder / "metrics.csv").open("w", encoding="utf-8", newline="")
        self._metrics.write(",".join(("epoch", *CONTRACT)) + "\n")
        self._history: list[dict[str, Any]] = []
        self._last: State | None = None

    def add(self, step: Step[State, Action]) -> None:
        after: State = step.state
        before, self._last = self._last, after
        if before is None:
            return
        at = before.step - before.planning
        for line in lines(self._config, step):
            self._log.write(json.dumps({**line, "epoch": before.epoch, "step": at}, ensure_ascii=False) + "\n")
        report = closed(self._config, before, after)
        if report is not None:
            row = epoch_metrics(self._config, report)
            values = [repr(0.0 if row[name] is None else row[name]) for name in CONTRACT]  # the contract knows no None
            self._metrics.write(",".join((str(report.epoch), *values)) + "\n")
            self._history.append({"epoch": report.epoch, "brackets": _brackets(report.schedule)})

    def close(self) -> None:
        self._log.close()
        self._metrics.close()
        if self._last is not None:
            self._write_schedule(self._last)
            self._write_workers(self._last)

    def _write_schedule(self, state: State) -> None:
        taxes = self._config.taxation
        written = {
            "family": "piecewise",
            "brackets": _brackets(state.schedule),
            "smoothing": taxes.smoothing,
            "damping": taxes.damping,
            "history": self._history,
        }
        text = json.dumps(written, indent=2) + "\n"
        (self._folder / "tax_schedule.json").write_text(text, encoding="utf-8", newline="\n")

    def _write_workers(self, state: State) -> None:
        had, cols = state.workers, self._config.terms.cols
        rows = [",".join(WORKERS)]
        for seat in range(self._config.workers):
            amounts = (had.coin, had.wood, had.stone)
            row, col = divmod(had.cell[seat], cols)
            values = [
                agent(self._config, seat), f'"({row}, {col})"', *(f"{decimal(of[seat]):.2f}" for of in amounts),
                str(had.built[seat]), f"{decimal(had.earned[seat]):.2f}", str(had.audits[seat]), str(had.catches[seat]),
                f"{decimal(had.fines[seat]):.2f}", self._config.coalition(seat),
            ]  # fmt: skip
            rows.append(",".join(values))
        text = "".join(f"{row}\n" for row in rows)
        (self._folder / "workers.csv").write_text(text, encoding="utf-8", newline="")


def agent(config: EconomistConfig, seat: int) -> str:
    """A seat's name in the files."""
    return "planner" if seat == config.workers else f"worker-{seat + 1:0{max(2, len(str(config.workers)))}}"


def lines(config: EconomistConfig, step: Step[State, Action]) -> Iterator[dict[str, Any]]:
    """A step's lines without their time, in the order in which things happened.

    An action that was struck out is one line, its failure: who did nothing by choice alone is a noop.
    """
    failed = {
        seat: {"event_type": kind, "agent_id": agent(config, seat), "details": {"reason": reason}}
        for seat, notes in step.notes.items()
        for kind, reason in _failures(notes)
    }
    for event in step.events:
        seat: Any = event.data.get("by")
        if event.kind == "noop" and seat in failed:
            yield failed[seat]
        elif event.kind not in OWN:
            yield from _told(config, event)


def _failures(notes: Iterable[Note]) -> Iterator[tuple[str, str]]:
    """Kind and reason of what was struck out, not only cut."""
    for note in notes:
        kind = FAILS.get(str(note.data.get("action")))
        if kind is not None and note.kind not in CUT:
            yield kind, REASONS.get(note.kind, note.kind)


def _told(config: EconomistConfig, event: Event) -> Iterator[dict[str, Any]]:
    data: Mapping[str, Any] = event.data
    name = agent(config, data["by"]) if "by" in data else "planner" if event.kind == "planner_update" else ""
    details = {key: _named(config, key, value) for key, value in data.items() if key not in ("by", "rates")}
    if event.kind != "house_income":
        yield {"event_type": event.kind, "agent_id": name, "details": details}
        return
    each = data["income"] / data["count"]
    for cell in data["houses"]:
        paid = {"income": round(each, 6), "house_pos": cell}
        yield {"event_type": "house_income", "agent_id": name, "details": paid}


def _named(config: EconomistConfig, key: str, value: Any) -> Any:
    if key in ("buyer", "seller"):
        return agent(config, value)
    return [agent(config, seat) for seat in value] if key == "agents" else value


def _brackets(schedule: Any) -> list[dict[str, float]]:
    return [{"threshold": decimal(threshold), "rate": decimal(rate)} for threshold, rate in schedule]


def folder_name(_scenario: str, seed: int, timestamp: str) -> str:
    """Where a run's files stand, by the contract: ``runs/<timestamp>_ai_economist_seed<seed>``."""
    return f"runs/{timestamp}_ai_economist_seed{seed}"
