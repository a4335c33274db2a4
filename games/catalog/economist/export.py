"""The contract's run files: event_log.jsonl, metrics.csv, tax_schedule.json and workers.csv.

Source: contract, "Logging Schema" and "Reproducibility"; columns as in the public code. Epochs and steps count from 0;
what happens at an epoch's end stands at its last step.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.metrics import CONTRACT, closed, epoch_metrics
from games.catalog.economist.money import decimal
from games.catalog.economist.rules import EconomistGame
from games.catalog.economist.state import Action, State
from games.catalog.economist.tax import Schedule, decimals
from games.core.answers import JSON
from games.core.game import Step

WORKERS: Final = (
    "agent_id", "position", "coin", "wood", "stone", "houses_built", "cumulative_income", "times_audited",
    "times_caught", "total_fines", "coalition_id",
)  # fmt: skip
FAILS: Final = {
    "move": "move_fail", "gather": "gather_fail", "build": "build_fail", "buy": "trade_fail", "sell": "trade_fail",
    "cancel": "trade_fail", "shift": "shift_fail", "misreport": "misreport_fail",
}  # fmt: skip
"""What was struck out of an answer is a failure in the contract's log, in the place of the nothing that came of it."""
REASONS: Final = {"shift_disabled": "disabled", "misreport_disabled": "disabled"}
"""Reasons that have another word in the contract's log; the others are the notes' own."""
CUT: Final = frozenset({"price_clamped", "quantity_cut", "order_uncovered", "shift_cut", "fraction_cut"})
OWN: Final = frozenset({"land_opened", "order_ended", "epoch_ended", "planner_kept"})
"""Events of the lab that the contract does not know."""


class EconomistFiles:
    """Agents are named as seats are; a trade and a flag have the empty name, as in the public code."""

    def __init__(self, config: EconomistConfig, folder: Path) -> None:
        self._config, self._folder = config, folder
        self._log = (folder / "event_log.jsonl").open("w", encoding="utf-8", newline="\n")
        self._metrics = (folder / "metrics.csv").open("w", encoding="utf-8", newline="")
        self._metrics.write(",".join(("epoch", *CONTRACT)) + "\n")
        self._history: list[JSON] = []
        self._last: State | None = None

    def add(self, step: Step[State, Action]) -> None:
        after: State = step.state
        before, self._last = self._last, after
        if before is None:
            return
        at = {"epoch": before.epoch, "step": before.step - before.planning}
        for line in lines(self._config, step):
            self._log.write(json.dumps({**line, **at}, ensure_ascii=False) + "\n")
        report = closed(self._config, before, after)
        if report is not None:
            row = epoch_metrics(self._config, report)
            values = [repr(0.0 if row[name] is None else row[name]) for name in CONTRACT]  # the contract knows no None
            self._metrics.write(",".join((str(report.epoch), *values)) + "\n")
            self._history.append({"epoch": report.epoch, "brackets": _brackets(report.schedule)})

    def close(self) -> None:
        self._log.close()
        self._metrics.close()
        if self._last is None:
            return
        taxes = self._config.taxation
        schedule = {
            "family": "piecewise", "brackets": _brackets(self._last.schedule), "smoothing": taxes.smoothing,
            "damping": taxes.damping, "history": self._history,
        }  # fmt: skip
        (self._folder / "tax_schedule.json").write_text(json.dumps(schedule, indent=2) + "\n", "utf-8", newline="\n")
        with (self._folder / "workers.csv").open("w", encoding="utf-8", newline="") as file:
            rows = csv.writer(file, lineterminator="\n")
            rows.writerow(WORKERS)
            rows.writerows(_workers(self._config, self._last))


def _workers(config: EconomistConfig, state: State) -> Iterator[list[object]]:
    had = state.workers
    for seat, name in enumerate(names_of(config)[:-1]):
        row, col = divmod(had.cell[seat], config.terms.cols)
        coin, wood, stone, earned, fines = (
            f"{decimal(of[seat]):.2f}" for of in (had.coin, had.wood, had.stone, had.earned, had.fines)
        )
        yield [
            name, f"({row}, {col})", coin, wood, stone, had.built[seat], earned, had.audits[seat], had.catches[seat],
            fines, config.coalition(seat),
        ]  # fmt: skip


def names_of(config: EconomistConfig) -> list[str]:
    """What seats are called in the files."""
    return [seat.name for seat in EconomistGame().seats(config)]


def lines(config: EconomistConfig, step: Step[State, Action]) -> Iterator[dict[str, Any]]:
    """A step's lines without their time, in the order in which things happened.

    An action that was struck out, not only cut, is one line, its failure: who did nothing by choice alone is a noop.
    """
    names, failed = names_of(config), dict[Any, dict[str, Any]]()
    for seat, notes in step.notes.items():
        for note in notes:
            kind = FAILS.get(str(note.data.get("action")))
            if kind is not None and note.kind not in CUT:
                failed[seat] = _line(kind, names[seat], reason=REASONS.get(note.kind, note.kind))
    for event in step.events:
        data: dict[str, Any] = {key: value for key, value in event.data.items() if key not in ("by", "rates")}
        by: Any = event.data.get("by")
        name = "planner" if event.kind == "planner_update" else "" if by is None else names[by]
        if event.kind == "noop" and by in failed:
            yield failed[by]
        elif event.kind == "house_income":
            for cell in data["houses"]:
                yield _line(event.kind, name, income=round(data["income"] / data["count"], 6), house_pos=cell)
        elif event.kind not in OWN:
            named: dict[str, Any] = {key: names[data[key]] for key in ("buyer", "seller") if key in data}
            if "agents" in data:
                named["agents"] = [names[seat] for seat in data["agents"]]
            yield _line(event.kind, name, **data | named)


def _line(kind: str, name: str, /, **details: Any) -> dict[str, Any]:
    return {"event_type": kind, "agent_id": name, "details": details}


def _brackets(schedule: Schedule) -> list[JSON]:
    return [{"threshold": threshold, "rate": rate} for threshold, rate in decimals(schedule)]


def folder_name(_scenario: str, seed: int, timestamp: str) -> str:
    """Where a run's files stand, by the contract: ``runs/<timestamp>_ai_economist_seed<seed>``."""
    return f"runs/{timestamp}_ai_economist_seed{seed}"
