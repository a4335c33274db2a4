"""Models that are asked through their vendor's batch interface, by the shell's host."""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from agents_app.pricing import batch_price, price_for
from agents_app.profile import BadProfile, Batch, Price, Profile, read_profile
from games.errors.faults import BadScenario
from games.lab.folders import running
from games.lab.folders.calllog import CALLS
from games.lab.folders.mailing import BATCHES, Office
from games.lab.folders.reading import RunFolder
from games.lab.folders.rerunning import rerun_folder
from games.lab.folders.running import journals_of, run
from games.lab.folders.runspec import RunStopped
from games.lab.scenarios.scenario import Scenario, load_data
from tests.agents.batches import BatchVendor
from tests.agents.server import IDLE, threaded

QUICK = {"poll_s": 0.1, "gather_s": 0.3}


def asked(vendor: BatchVendor, seeds: int = 3, rounds: int = 2, **profile: Any) -> Scenario:
    """Runs of three miners, all of them models of the vendor that are asked by batch."""
    batch = {**QUICK, **profile.pop("batch", {})}
    how = {"base_url": vendor.url, "output": "json", "batch": batch, **profile}
    config = {"miners": 3, "rows": 4, "cols": 4, "rounds": rounds}
    seats = {"default": {"model": "openai/local", "profile": how}}
    return load_data({"config": config, "seats": seats, "seeds": list(range(1, seeds + 1))}, "test", "mining")


@pytest.fixture
def offices(monkeypatch: pytest.MonkeyPatch) -> list[Office]:
    """Those that are opened, so that one can be made to die."""
    opened: list[Office] = []

    class Seen(Office):
        def __enter__(self) -> Office:
            opened.append(self)
            return super().__enter__()

    monkeypatch.setattr(running, "Office", Seen)
    return opened


def until(is_so: Callable[[], bool]) -> None:
    for _ in range(600):
        if is_so():
            return
        time.sleep(0.05)
    raise AssertionError("it never came to be so")


def calls_in(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in RunFolder(folder).lines(CALLS)]


def test_calls_of_many_runs_and_seats_that_are_asked_together_go_into_one_batch(tmp_path: Path) -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        run(asked(vendor, batch={"input_usd": 1, "output_usd": 2}), tmp_path / "out")
    assert (len(vendor.batches), vendor.singles, len(vendor.answered)) == (2, 0, 18)
    lines = calls_in(tmp_path / "out")
    assert Counter(one["batch"] for one in lines) == {"batch_0": 9, "batch_1": 9}
    assert {(one["rate"], one["failure"], one["cost_usd"]) for one in lines} == {("batch", "", "0.00094000")}
    assert not journals_of(tmp_path / "out").exists()
    assert [str(told) for _, told in rerun_folder(RunFolder(tmp_path / "out"))] == ["identical 3/3"] * 3


LABELS = {400: "refused", 429: "rate_limited", 500: "server_error", "batch_expired": "timeout", "other": "server_error"}


@pytest.mark.parametrize("fault", [429, 500, "batch_expired", "other"])
def test_a_single_line_that_fails_has_the_label_of_a_single_call_and_is_asked_again(
    tmp_path: Path, fault: int | str
) -> None:
    with threaded(BatchVendor(content=IDLE, lines={1: fault})) as vendor:
        run(asked(vendor, seeds=1, rounds=1), tmp_path / "out")
    lines = calls_in(tmp_path / "out")
    assert Counter(one["failure"] for one in lines) == {"": 3, LABELS[fault]: 1}
    (bad,) = (one for one in lines if one["failure"])
    assert (bad["batch"], bad["attempt"], bad["cost_usd"], bad.get("tokens_in")) == ("batch_0", 1, None, None)
    assert len(vendor.batches) == 2


def test_a_model_that_a_line_refuses_stops_the_run_with_the_vendors_sentence(tmp_path: Path) -> None:
    with threaded(BatchVendor(content=IDLE, lines={1: 401})) as vendor, pytest.raises(RunStopped) as stop:
        run(asked(vendor, seeds=1, rounds=1), tmp_path / "out")
    assert "cannot be asked" in str(stop.value)
    assert "not this one" in str(stop.value)


@pytest.mark.parametrize(
    ("vendor", "told"),
    [(BatchVendor(ends="failed"), "no such model here"), (BatchVendor(refuses="no such key"), "no such key")],
)
def test_a_batch_that_is_refused_as_a_whole_stops_the_run_with_the_vendors_sentence(
    tmp_path: Path, vendor: BatchVendor, told: str
) -> None:
    with threaded(vendor), pytest.raises(RunStopped) as stop:
        run(asked(vendor, seeds=1, rounds=1), tmp_path / "out")
    assert told in str(stop.value)


@pytest.mark.parametrize("ends", ["expired", ""])
def test_what_a_batch_leaves_unanswered_is_a_timeout_that_costs_nothing(tmp_path: Path, ends: str) -> None:
    with threaded(BatchVendor(content=IDLE, ends=ends)) as vendor:
        run(asked(vendor, seeds=1, rounds=1, call_retries=0, batch={"deadline_s": 1}), tmp_path / "out")
    lines = calls_in(tmp_path / "out")
    assert {(one["cost_usd"], one["tokens_in"]) for one in lines if one["failure"] == "timeout"} == {(None, None)}
    assert Counter(one["failure"] for one in lines) == ({"": 1, "timeout": 2} if ends else {"timeout": 3})
    assert {one["status"] for one in vendor.batches.values()} == {ends or "cancelled"}


def test_an_order_whose_answer_was_lost_is_found_again_and_not_given_twice(tmp_path: Path) -> None:
    with threaded(BatchVendor(content=IDLE, away=1)) as vendor:
        run(asked(vendor, seeds=1, rounds=1), tmp_path / "out")
    assert (len(vendor.batches), len(vendor.answered)) == (1, 3)


@pytest.mark.parametrize("lost", [0, 1])
def test_a_process_that_is_begun_again_takes_its_batches_up_and_pays_for_nothing_twice(
    tmp_path: Path, offices: list[Office], lost: int
) -> None:
    with threaded(BatchVendor(content=IDLE, ends="", away=lost)) as vendor:
        scenario = asked(vendor, seeds=2, rounds=1, batch={"poll_s": 1.5 if lost else 0.1})

        def played() -> None:
            with suppress(RunStopped):
                run(scenario, tmp_path / "out")

        first = Thread(target=played)
        first.start()
        until(lambda: bool(vendor.batches))
        journal = journals_of(tmp_path / "out") / BATCHES
        until(lambda: ('"id": "batch_0"' in journal.read_text()) or bool(lost))
        offices[-1].__exit__()  # as when the process dies: nobody looks at the batch any more
        first.join(30)
        vendor.ends = "completed"
        run(scenario, tmp_path / "out")
    assert (len(vendor.batches), len(vendor.answered)) == (1, 6)
    assert Counter(one["failure"] for one in calls_in(tmp_path / "out")) == {"": 6}


def test_a_limit_of_calls_holds_and_the_calls_in_flight_are_kept(tmp_path: Path) -> None:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        with pytest.raises(RunStopped, match="limit"):
            run(asked(vendor, seeds=1, rounds=3, limits={"calls": 2}), tmp_path / "out")
        assert len(vendor.answered) == 6
        run(asked(vendor, seeds=1, rounds=3), tmp_path / "out", force=True)
        assert len(vendor.answered) == 9


@pytest.mark.parametrize(
    ("profile", "told"),
    [
        ({"model": "mock/guided", "batch": {}}, "a mock calls nobody"),
        ({"batch": {"deadline_s": 0}}, "batch.deadline_s"),
        ({"batch": {"poll_s": 0.01}}, "batch.poll_s"),
        ({"batch": {"gather_s": 601}}, "batch.gather_s"),
        ({"batch": {"input_usd": 1}}, "give both or neither"),
    ],
)
def test_settings_of_a_batch_that_cannot_hold_are_refused_by_name(profile: dict[str, Any], told: str) -> None:
    with pytest.raises(BadProfile, match=told):
        read_profile({"model": "openai/local", **profile})


def test_a_vendor_without_the_protocol_and_several_processes_are_refused_before_the_start(tmp_path: Path) -> None:
    seats = {"default": {"model": "anthropic/claude-3", "profile": {"batch": {}}}}
    with pytest.raises(BadScenario, match="anthropic is not asked by OpenAI's protocol"):
        load_data({"config": {"miners": 3}, "seats": seats}, "test", "mining")
    with pytest.raises(BadScenario, match="in one process"):
        run(asked(BatchVendor()), tmp_path / "out", jobs=2)


def test_a_batch_is_reckoned_at_its_own_price_where_one_is_known_and_said_to_be_ordinary_else() -> None:
    own, plain = Profile(model="openai/gpt-4o-mini", batch=Batch()), Profile(model="openai/gpt-4o-mini")
    ordinary, batched = price_for(own), price_for(own, by_batch=True)
    assert ordinary == price_for(plain) is not None
    assert batched is not None
    assert (batched.input_usd * 2, batched.output_usd * 2) == (ordinary.input_usd, ordinary.output_usd)
    priced = Profile(model="openai/x", batch=Batch(), price=Price(input_usd=1, output_usd=2))
    assert (batch_price(priced), price_for(priced, by_batch=True)) == (None, priced.price)
