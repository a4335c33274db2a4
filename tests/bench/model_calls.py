"""Wall time of a run whose seats are all models, against the time of its calls alone.

``python -m tests.bench.model_calls [SEATS ...] [--profile]``: mining over 20 rounds, each seat asking a loopback server
(a process of its own) that takes 300 ms, through litellm and beside it through bare aiohttp.
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import json
import multiprocessing
import pstats
import sys
import time
from multiprocessing.connection import Connection
from typing import Any

import aiohttp

from agents_app.profile import Profile
from agents_app.providers.litellm import library
from tests.agents.company import everyone, mining, played
from tests.agents.server import IDLE, Vendor, serving

LATENCY_S = 0.3
ROUNDS = 20


def serve(pipe: Connection) -> None:
    """The server, until the pipe says enough."""

    async def main() -> None:
        async with serving(Vendor(latency_s=LATENCY_S, content=IDLE)) as vendor:
            pipe.send(vendor.url)
            await asyncio.to_thread(pipe.recv)

    asyncio.run(main())


async def bare(url: str, seats: int, body: dict[str, Any]) -> float:
    """The same number of calls of the same size, a round after another, by aiohttp alone."""
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def call() -> None:
            async with session.post(f"{url}/chat/completions", json=body) as answer:
                await answer.json()

        began = time.perf_counter()
        for _ in range(ROUNDS):
            await asyncio.gather(*(call() for _ in range(seats)))
        return time.perf_counter() - began


async def measured(url: str, seats: int, profiled: bool) -> dict[str, Any]:
    pack, config = mining(miners=seats, rows=20, cols=20, rounds=ROUNDS)
    profile = Profile(model="openai/local", base_url=url, concurrency=1000, output="json")
    await played(pack, *(config.model_copy(update={"rounds": 1}),), everyone(pack, config, profile))
    profiler = cProfile.Profile()
    began, cpu = time.perf_counter(), time.process_time()
    if profiled:
        profiler.enable()
    run = await played(pack, config, everyone(pack, config, profile))
    profiler.disable()
    wall, cpu = time.perf_counter() - began, time.process_time() - cpu
    if profiled:
        pstats.Stats(profiler, stream=sys.stdout).sort_stats("cumulative").print_stats(45)
    assert not any(step.flags for step in run.steps)
    asked = json.loads(run.calls[-1].prompt)
    bare_cpu = time.process_time()
    alone = await bare(url, seats, {"model": "local", "messages": asked["messages"], "max_tokens": 1024})
    bare_cpu = time.process_time() - bare_cpu
    ideal = ROUNDS * LATENCY_S
    return {
        "seats": seats,
        "calls": len(run.calls),
        "ideal_s": ideal,
        "wall_s": round(wall, 2),
        "ratio": round(wall / ideal, 3),
        "aiohttp_s": round(alone, 2),
        "aiohttp_ratio": round(alone / ideal, 3),
        "cpu_ms_per_call": round(1000 * cpu / len(run.calls), 2),
        "aiohttp_cpu_ms_per_call": round(1000 * bare_cpu / len(run.calls), 2),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("seats", nargs="*", type=int, default=[20, 100])
    parser.add_argument("--profile", action="store_true")
    given = parser.parse_args()
    library()
    here, there = multiprocessing.Pipe()
    server = multiprocessing.get_context("spawn").Process(target=serve, args=(there,), daemon=True)
    server.start()
    url = here.recv()
    try:
        for seats in given.seats:
            sys.stdout.write(json.dumps(asyncio.run(measured(url, seats, given.profile))) + "\n")
    finally:
        here.send("enough")
        server.join(5)


if __name__ == "__main__":
    main()
