"""The contract's run files, and plans step by step."""

from __future__ import annotations

import csv
import json
from pathlib import Path

from games.catalog.economist.controller import controller
from games.catalog.economist.export import WORKERS, EconomistFiles, lines
from games.catalog.economist.metrics import CONTRACT
from games.catalog.economist.policies import POLICIES
from games.catalog.economist.state import NOOP, Build, Deal, Gather, Misreport, Move, Shift
from games.catalog.economist.tests.build import GAME, config, step, world
from games.core.agents import Act, Replan, deciding
from games.core.engine import play
from games.core.game import Step
from games.core.rng import Rng

SEEN = {"move": {"from", "to"}, "gather": {"resource", "amount", "income"}, "build": {"position", "houses_total"},
        "house_income": {"income", "house_pos"}, "order_placed": {"side", "resource", "qty", "price"}}  # fmt: skip


def test_the_run_files_have_the_contracts_names_columns_and_fields(tmp_path: Path) -> None:
    terms = config(5, rows=6, cols=6, epochs=3, steps_per_epoch=15, map={"wood_density": 0.3, "stone_density": 0.3})
    seats = {seat: deciding(POLICIES["trader"].bind()) for seat in range(5)}
    files = EconomistFiles(terms, tmp_path)
    rents = 0
    for one in play(GAME, terms, 4, {**seats, 5: deciding(POLICIES["heuristic"].bind())}):
        files.add(one)
        rents += sum(len(event.data["houses"]) for event in one.events if event.kind == "house_income")  # type: ignore[arg-type]
    files.close()
    log = [json.loads(line) for line in (tmp_path / "event_log.jsonl").read_text().splitlines()]
    assert {frozenset(line) for line in log} == {frozenset({"event_type", "epoch", "step", "agent_id", "details"})}
    assert sum(line["event_type"] == "house_income" for line in log) == rents > 0
    for line in log:
        assert set(line["details"]) >= SEEN.get(line["event_type"], set()), line
    taxed = [(line["epoch"], line["step"]) for line in log if line["event_type"] == "tax"]
    assert set(taxed) == {(0, 14), (1, 14), (2, 14)}
    rows = list(csv.DictReader((tmp_path / "metrics.csv").open()))
    assert (list(rows[0]), [row["epoch"] for row in rows]) == (["epoch", *CONTRACT], ["0", "1", "2"])
    assert [list(row) for row in csv.DictReader((tmp_path / "workers.csv").open())] == [list(WORKERS)] * 5
    schedule = json.loads((tmp_path / "tax_schedule.json").read_text())
    assert [one["epoch"] for one in schedule["history"]] == [0, 1, 2]


def test_what_was_struck_out_is_one_line_of_the_log_its_failure_with_the_contracts_reason() -> None:
    terms = config(4, gaming={"income_shifting_enabled": False}, misreporting={"enabled": False})
    answers = {0: Shift(5), 1: Misreport(0.3), 2: Build(), 3: NOOP}
    before = world(terms)
    actions, notes = GAME.clean_all(terms, before, answers, Rng.root(1))
    resolved = step(terms, before, actions)
    turn = GAME.turn(terms, before)
    assert turn is not None
    done = Step(1, turn, actions, notes, {}, resolved.events, {}, resolved.state)
    assert [(line["event_type"], line["agent_id"], line["details"]) for line in lines(terms, done)] == [
        ("shift_fail", "worker-01", {"reason": "disabled"}),
        ("misreport_fail", "worker-02", {"reason": "disabled"}),
        ("build_fail", "worker-03", {"reason": "insufficient_wood"}),
        ("noop", "worker-04", {}),
    ]


def test_metrics_csv_has_0_where_the_contract_has_it(tmp_path: Path) -> None:
    """Without evasions and flags the lab's measures are None; the contract's file has 0 there."""
    terms = config(2, epochs=1, steps_per_epoch=1)
    files = EconomistFiles(terms, tmp_path)
    seats = {seat: deciding(POLICIES["honest"].bind()) for seat in range(2)}
    for one in play(GAME, terms, 1, seats):
        files.add(one)
    files.close()
    [row] = csv.DictReader((tmp_path / "metrics.csv").open())
    assert (row["undetected_evasion_rate"], row["collusion_suspicion_mean"]) == ("0.0", "0.0")


def test_a_plan_to_gather_walks_gathers_and_ends() -> None:
    terms = config(1)
    state = world(terms, "..w..")
    plan, done = {"plan": "gather", "resource": "wood", "n": 2}, []
    while plan is not None:
        act = controller(GAME.observe(terms, state, 0, ()), plan, Rng.root(1))
        assert isinstance(act, Act)
        done.append(act.action)
        state, plan = step(terms, state, {0: act.action}).state, act.plan  # type: ignore[assignment]
    assert done == [Move("right"), Move("right"), Gather(), Gather()]


def test_a_plan_that_cannot_go_on_says_why() -> None:
    terms = config(1)
    poor = GAME.observe(terms, world(terms), 0, ())
    for plan, why in (
        ({"plan": "build"}, "plan_lacks"),
        ({"plan": "gather", "resource": "stone", "n": 1}, "plan_none_in_sight"),
        ({"plan": "sell", "resource": "wood", "n": 1, "price": 2}, "plan_nothing_to_sell"),
        ({"plan": "buy", "resource": "wood", "n": 9, "price": 20}, "plan_unpayable"),
        ({"plan": "go", "row": 9, "column": 9}, "plan_off_map"),
    ):
        ended = controller(poor, plan, Rng.root(1))
        assert isinstance(ended, Replan)
        assert ended.reason.kind == why


def test_a_plan_to_build_or_to_sell_does_so() -> None:
    terms = config(1)
    rich = GAME.observe(terms, world(terms, wood=[5], stone=[3]), 0, ())
    assert controller(rich, {"plan": "build"}, Rng.root(1)) == Act(Build(), None)
    sale = controller(rich, {"plan": "sell", "resource": "wood", "n": 2, "price": 3}, Rng.root(1))
    assert isinstance(sale, Act)
    assert sale.action == Deal("wood", 2, 3, "sell")
