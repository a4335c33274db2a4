"""The source's run files."""

from __future__ import annotations

import csv
from pathlib import Path

from games.catalog.mining.export import MiningFiles
from games.catalog.mining.tests.builder import GAME, World, board, step_of
from games.core.engine import start


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def exported(folder: Path, world: World, asked: dict[str, list[str]]) -> dict[str, list[dict[str, str]]]:
    files = MiningFiles(world.config, folder)
    files.add(start(GAME, world.config, world.seed))
    files.add(step_of(world, asked))
    files.close()
    return {name: rows(folder / f"{name}.csv") for name in ("plots", "agents", "global")}


def test_a_round_is_a_row_for_each_plot_each_agent_and_the_whole(tmp_path: Path) -> None:
    world = board("AB/.A").changed(gold=(5, 0))
    asked = {"A": ["defend 0,0", "mine 0,0 3", "claim 1,0"], "B": ["raid 0,0", "raid 1,1"]}
    written = exported(tmp_path, world, asked)
    assert [list(row.values()) for row in written["plots"]] == [
        ["11", "0", "0", "0", "0", "1", "1", ""],
        ["11", "1", "0", "1", "1", "0", "0", ""],
        ["11", "2", "1", "0", "0", "0", "0", "claimed"],
        ["11", "3", "1", "1", "1", "0", "1", "taken"],
    ]
    assert written["agents"] == [
        {
            "round": "11", "agent": "0", "claim": "1", "raid": "0", "defend": "1", "mine": "3", "idle": "5",
            "gold": "3", "gold_total": "8", "plots": "2",
        },
        {
            "round": "11", "agent": "1", "claim": "0", "raid": "2", "defend": "0", "mine": "0", "idle": "8",
            "gold": "0", "gold_total": "0", "plots": "2",
        },
    ]  # fmt: skip
    assert written["global"] == [
        {"round": "11", "claims": "1", "raids": "2", "defences": "1", "captures": "1", "output": "3"}
    ]


def test_a_plot_that_was_given_back_says_so(tmp_path: Path) -> None:
    written = exported(tmp_path, board("AB", adjudication=1.0), {"B": ["raid 0,0"]})
    assert [row["change"] for row in written["plots"]] == ["restored", ""]
