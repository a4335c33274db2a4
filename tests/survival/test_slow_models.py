"""Neither a demo nor a slow model holds others up."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import pytest

from tests.sites import POLITY, ROOT, serve

SLOW = {
    "model": "mock/guided",
    "profile": {"mock": {"faults": {"slow": 1.0}, "slow_s": 600}, "timeout_s": 500, "budget_s": 500},
}
pytestmark = [pytest.mark.full, pytest.mark.timeout(400)]

THREADS = {"POLITY_LIVE_THREADS": "2", "POLITY_MODEL_THREADS": "2"}


def test_a_paced_run_goes_on_while_more_models_are_waited_for_than_there_are_threads(tmp_path: Path) -> None:
    site = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo", environ=THREADS)
    try:
        slow = [
            site.post(
                "/runs",
                {"scenario": "mining/llm-mock", "seed": seed, "config": {"miners": 2}, "seats": {"default": SLOW}},
            )["id"]
            for seed in range(1, 7)
        ]
        site.until(slow[1], "the models of two runs are asked", lambda run: run["head"] >= 0)
        paced = site.post("/runs", {"scenario": "mining/mixed", "seed": 9, "pace": 4, "config": {"rounds": 8}})["id"]
        site.until(paced, "it has ended", lambda run: run["status"] == "finished")
        assert max(site.get(f"/runs/{run}")["head"] for run in slow) == 0
    finally:
        site.end()


def test_a_worker_that_is_told_to_end_while_it_waits_for_models_loses_no_run(tmp_path: Path) -> None:
    site = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "serve.log", "--no-demo")
    try:
        slow = {"model": "mock/guided", "profile": {"mock": {"faults": {"slow": 1.0}, "slow_s": 6}}}
        run = site.post(
            "/runs",
            {
                "scenario": "mining/llm-mock",
                "seed": 1,
                "config": {"miners": 2, "rounds": 2},
                "seats": {"default": slow},
            },
        )["id"]
        site.until(run, "its models are asked", lambda one: one["head"] == 0)
        os.kill(site.children()["live"], signal.SIGTERM)
        ended = site.until(run, "it has ended", lambda one: one["status"] in ("finished", "failed"))
        assert (ended["status"], ended["head"]) == ("finished", 2)
    finally:
        site.end()
