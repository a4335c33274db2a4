"""Parts of a site killed while calls are in a vendor's batch: the runs go on from it, and nothing is paid for twice."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

import pytest

from tests.agents.batches import BatchVendor
from tests.agents.server import IDLE, threaded
from tests.survival.battered import Battered, no_call_is_stored_twice
from tests.survival.test_kills import battered
from tests.survival.test_model_kills import undisturbed

__all__ = ["battered"]
SEEDS = (1, 2, 3)
CONFIG = {"miners": 3, "rows": 4, "cols": 4, "rounds": 5}
KILLED_AT = {
    "POST /v1/files": ("beat",),  # the batch is stored, and not sent
    "POST /v1/batches": ("beat",),  # the vendor has it, its id is lost
    "GET /v1/batches/": ("bulk", "beat", "launcher"),  # it is open
    "GET /v1/files/": ("beat",),  # it is answered, and nobody has the answers
}
"""What a vendor is being asked when parts are killed, and which; a round each, and one for nobody."""


@pytest.fixture
def vendor() -> Iterator[BatchVendor]:
    with threaded(BatchVendor(content=IDLE)) as vendor:
        yield vendor


def await_held(vendor: BatchVendor, what: str) -> None:
    """Until the vendor has carried out such a request and does not answer."""
    vendor.held, vendor.holds = 0, what
    deadline = time.monotonic() + 120
    while not vendor.held:
        assert time.monotonic() < deadline, f"nobody asks it for {what}"
        time.sleep(0.02)


@pytest.mark.full
@pytest.mark.timeout(400)
@pytest.mark.parametrize("battered", ["sqlite", "postgresql"], indirect=True)
def test_parts_killed_while_a_batch_is_open_pay_for_no_call_twice(battered: Battered, vendor: BatchVendor) -> None:
    profile = {"base_url": vendor.url, "output": "json", "batch": {"poll_s": 0.2, "gather_s": 0.5}}
    document = {
        "game": "mining",
        "config": CONFIG,
        "seats": {"default": {"model": "openai/local", "profile": profile}},
        "seeds": list(SEEDS),
    }
    battered.site.post("/experiments", {"slug": "by-batch", "document": document, "start": True})
    kills = 0
    for asked, parts in KILLED_AT.items():
        await_held(vendor, asked)
        kills += sum(battered.kill(part) for part in parts)
        vendor.holds = ""
    battered.finish(120)
    assert kills == sum(map(len, KILLED_AT.values()))
    runs = {seed: run for run, seed in battered.rows("select id, seed from games_run")}
    assert set(runs) == set(SEEDS)
    for seed, run in runs.items():
        assert battered.steps(run) == undisturbed(CONFIG, seed), f"seed {seed}: another run than undisturbed"
    calls = len(SEEDS) * CONFIG["miners"] * CONFIG["rounds"]
    files = [vendor.files[one["input_file_id"]] for one in vendor.batches.values()]
    ordered = [json.loads(line)["custom_id"] for file in files for line in file.splitlines()]
    assert len(ordered) == len(set(ordered)) == calls, "a call was ordered twice"
    assert sorted(vendor.answered) == sorted(ordered)
    no_call_is_stored_twice(battered)
    failures = [failure for (failure,) in battered.rows("select failure from games_call")]
    assert (failures, vendor.singles) == ([""] * calls, 0)
    print(f"{calls} calls in {len(vendor.batches)} batches, {kills} kills, {len(vendor.files)} files")  # noqa: T201
