"""The source's run files: plots.csv, agents.csv and global.csv, one row for each plot, agent and round.

Source: "logging_and_metrics_protocol". Rounds count from 1; the start has no row.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Final

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.state import NOBODY, MiningState, Plan
from games.core.game import Step

PLOTS: Final = "round,plot,row,col,owner,defended,raids,change"
AGENTS: Final = "round,agent,claim,raid,defend,mine,idle,gold,gold_total,plots"
GLOBAL: Final = "round,claims,raids,defences,captures,output"


class MiningFiles:
    """An owner is a seat number, empty where there is none. ``change``: claimed, taken, restored, or empty."""

    def __init__(self, config: MiningConfig, folder: Path) -> None:
        self._config = config
        names = ("plots", "agents", "global")
        self._files = [(folder / f"{name}.csv").open("w", encoding="utf-8", newline="") for name in names]
        for file, header in zip(self._files, (PLOTS, AGENTS, GLOBAL), strict=True):
            file.write(header + "\n")

    def add(self, step: Step[MiningState, Plan]) -> None:
        if step.index == 0:
            return
        plots, agents, totals = self._files
        plots.writelines(self._plot_rows(step))
        agents.writelines(self._agent_rows(step))
        totals.write(self._global_row(step))

    def close(self) -> None:
        for file in self._files:
            file.close()

    def _plot_rows(self, step: Step[MiningState, Plan]) -> list[str]:
        state: MiningState = step.state
        defended = set(state.last.defended)
        change = {claim.plot: "claimed" for claim in state.last.claims}
        raids = Counter[int]()
        for raid in state.last.raids:
            raids[raid.plot] += len(raid.raiders)
            if raid.outcome == "taken":
                change[raid.plot] = "taken"
        change.update({verdict.plot: "restored" for verdict in state.last.verdicts if verdict.restored})
        cols = self._config.cols
        return [
            f"{state.round},{plot},{plot // cols},{plot % cols},{'' if owner == NOBODY else owner},"
            f"{int(plot in defended)},{raids.get(plot, 0)},{change.get(plot, '')}\n"
            for plot, owner in enumerate(state.owners)
        ]

    def _agent_rows(self, step: Step[MiningState, Plan]) -> list[str]:
        state: MiningState = step.state
        plots = Counter(state.owners)
        rows = []
        for seat, plan in sorted(step.actions.items()):
            spent = plan.spent()
            idle = state.stamina[seat] - sum(spent.values())
            gold = (step.payoffs[seat], state.gold[seat])
            rows.append(_row(state.round, seat, *spent.values(), idle, *gold, plots[seat]))
        return rows

    def _global_row(self, step: Step[MiningState, Plan]) -> str:
        record = step.state.last
        counts = record.claim_count, record.raid_count, len(record.defended), record.capture_count
        return _row(step.state.round, *counts, record.output)


def _row(*values: object) -> str:
    return ",".join(map(str, values)) + "\n"
