"""Several runs of models at once on a site, against the time of one run's calls alone.

``python -m tests.bench.model_runs [--runs N] [--seats N] [--rounds N] [--times N]``: mining, each seat asking a server
on loopback (a process of its own) that takes 300 ms. Told are the time from the first start to the first and the last
end, and the processor time of each part, turn by turn: in the first one, a fresh site loads what talks to models.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import time
from datetime import datetime
from typing import Any

from tests.bench.model_calls import LATENCY_S, serve
from tests.sites import Site, cpu_s, looked_at


def measured(site: Site, url: str, runs: int, seats: int, rounds: int) -> dict[str, Any]:
    profile = {"base_url": url, "concurrency": 1000, "output": "json"}
    body = {
        "scenario": "mining/baseline",
        "config": {"miners": seats, "rows": 6, "cols": 6, "rounds": rounds},
        "seats": {"default": {"model": "openai/local", "profile": profile}},
    }
    parts = site.children()
    before = {name: cpu_s(pid) for name, pid in parts.items()}
    began = time.time()
    started = {site.post("/runs", body)["id"] for _ in range(runs)}
    posted = time.time() - began
    while True:
        time.sleep(0.5)
        mine = [one for one in site.get("/runs?limit=50") if one["id"] in started]
        if all(one["status"] == "finished" for one in mine):
            break
    took = sorted(datetime.fromisoformat(one["ended"]).timestamp() - began for one in mine)
    ideal = rounds * LATENCY_S
    return {
        "runs": runs,
        "seats": seats,
        "ideal_s": ideal,
        "posted_s": round(posted, 2),
        "first_s": round(took[0], 2),
        "last_s": round(took[-1], 2),
        "ratio": round(took[-1] / ideal, 2),
        "cpu_s": {name: round(cpu_s(pid) - before[name], 2) for name, pid in parts.items()},
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name, usual in {"runs": 10, "seats": 8, "rounds": 20, "times": 2}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    given = parser.parse_args()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    server.start()
    url = here.recv()
    try:
        with looked_at("--no-demo") as (site, _):
            site.operator_get("/runs")
            for _ in range(given.times):
                told = measured(site, url, given.runs, given.seats, given.rounds)
                sys.stdout.write(json.dumps(told) + "\n")
    finally:
        here.send("enough")
        server.join(5)


if __name__ == "__main__":
    main()
