"""How long an experiment of models takes, against what the width of one worker would allow.

``python -m tests.bench.width [--runs N] [--rounds N] [--at-once N] [--processes N]``: the dilemma, two models on a
server on loopback that takes 300 ms, as one experiment, with as many live workers as a site starts on this machine.
Told are the wall time, what 64 runs at once would take at the least, and how many calls the server saw at once.
``--at-once 8`` is the width that there once was.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from typing import Any

from simsite.environment import live_by_cores
from tests.agents.server import Vendor, threaded
from tests.bench.model_calls import LATENCY_S
from tests.sites import Site, cpu_s, looked_at

WIDE = 64


def measured(site: Site, url: str, runs: int, rounds: int, at_once: int | None) -> dict[str, Any]:
    model = {"model": "openai/local", "profile": {"base_url": url, "concurrency": 1000}}
    other = {**model, "model": "openai/other"}
    document = {
        "game": "dilemma",
        "config": {"rounds": rounds},
        "seats": {"0": model, "1": other},
        "seeds": list(range(1, runs + 1)),
    }
    slug = f"wide-{at_once or 'free'}"
    parts = site.children()
    before = {name: cpu_s(pid) for name, pid in parts.items()}
    began = time.time()
    site.post("/experiments", {"slug": slug, "document": document, "start": True, "at_once": at_once})
    while (found := site.get(f"/experiments/{slug}"))["status"] == "running":
        time.sleep(0.5)
    took = time.time() - began
    ideal = math.ceil(runs / WIDE) * rounds * LATENCY_S
    return {
        "status": found["status"],
        "done": found["done"],
        "took_s": round(took, 1),
        "ideal_s": round(ideal, 1),
        "ratio": round(took / ideal, 2),
        "cpu_s": {name: round(cpu_s(pid) - before[name], 1) for name, pid in parts.items()},
        "load": round(os.getloadavg()[0], 1),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    usual_processes = live_by_cores(os.cpu_count() or 1)
    for name, usual in {"runs": 100, "rounds": 20, "at-once": 0, "processes": usual_processes}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    live = {"POLITY_LIVE_PROCESSES": str(given.processes)}
    with (
        threaded(Vendor(latency_s=LATENCY_S, content="C")) as vendor,
        looked_at("--no-demo", environ=live) as (site, _),
    ):
        site.operator_get("/runs")
        told = measured(site, vendor.url, given.runs, given.rounds, given.at_once or None)
        sys.stdout.write(json.dumps({**told, "calls": len(vendor.seen), "at_once": vendor.most_at_once}) + "\n")


if __name__ == "__main__":
    main()
