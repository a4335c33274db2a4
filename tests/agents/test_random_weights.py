"""Random weights behind a server that keeps to schemas: every game ends, moves are legal, and a restart loses no step.

The same is asked of a real llama.cpp server with random weights, which the long check installs.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterator

import pytest

from agents_app.profile import Profile
from games.core.registry import packs
from tests.agents.company import Run, everyone, mining, played
from tests.agents.llama import Llama
from tests.agents.sampling import RandomWeights
from tests.agents.server import serving
from tests.agents.test_everything_accepted_plays import SHORT, config_of

MATCHES = [
    pytest.param(slug, preset, changes, id=f"{slug}-{preset}")
    for slug, presets in SHORT.items()
    for preset, changes in presets.items()
]


async def ends(slug: str, preset: str, changes: dict[str, object], url: str) -> Run:
    """A match with the model in every seat, asked by schema, to its end."""
    pack = packs()[slug]
    config = config_of(pack, preset, changes)
    profile = Profile(model="openai/local", base_url=url, output="structured", retries=1, fallback_limit=1)
    run = await played(pack, config, everyone(pack, config, profile))
    assert pack.game.turn(config, run.steps[-1].state) is None
    return run


@pytest.mark.parametrize(("slug", "preset", "changes"), MATCHES)
async def test_random_weights_that_keep_to_a_schema_play_moves_that_can_be_read(
    slug: str, preset: str, changes: dict[str, object]
) -> None:
    async with serving(RandomWeights()) as vendor:
        run = await ends(slug, preset, changes, vendor.url)
    labels = Counter(call.failure for call in run.calls)
    assert set(labels) <= {"", "illegal"}
    assert labels[""] > 0


async def test_a_restart_of_the_server_in_the_middle_loses_no_step() -> None:
    pack, config = mining(miners=2, rows=3, cols=3, rounds=6)
    vendor = RandomWeights(latency_s=0.02)
    server = await asyncio.start_server(vendor.handle, "127.0.0.1", 0)
    vendor.port = server.sockets[0].getsockname()[1]

    async def restarted() -> None:
        nonlocal server
        while len(vendor.seen) < 5:
            await asyncio.sleep(0.01)
        server.close()
        await asyncio.sleep(0.6)
        server = await asyncio.start_server(vendor.handle, "127.0.0.1", vendor.port)

    profile = Profile(model="openai/local", base_url=vendor.url, output="structured", timeout_s=10, budget_s=20)
    restart = asyncio.create_task(restarted())
    run = await played(pack, config, everyone(pack, config, profile))
    await restart
    server.close()
    assert len(run.steps) == 7
    assert not [flags for step in run.steps for flags in step.flags.values() if "fallback" in flags]


@pytest.fixture(scope="module")
def llama(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Llama]:
    """A llama.cpp server; two wheels of 34 MB are fetched for it."""
    server = Llama(tmp_path_factory.mktemp("llama"))
    server.start()
    yield server
    server.kill()


@pytest.mark.full
@pytest.mark.timeout(600)
@pytest.mark.parametrize(("slug", "preset", "changes"), MATCHES)
async def test_a_llama_cpp_server_ends_every_game(
    slug: str, preset: str, changes: dict[str, object], llama: Llama
) -> None:
    run = await ends(slug, preset, changes, llama.url)
    labels = Counter(call.failure for call in run.calls)
    print(slug, preset, dict(labels))  # noqa: T201 - figures
    assert set(labels) <= {"", "illegal", "truncated"}, "all that is not cut short can be read"
    assert labels[""] > 0


@pytest.mark.full
@pytest.mark.timeout(600)
async def test_a_llama_cpp_server_that_is_killed_in_the_middle_loses_no_step(llama: Llama) -> None:
    pack, config = mining(miners=2, rows=3, cols=3, rounds=20)
    profile = Profile(model="openai/local", base_url=llama.url, output="structured", timeout_s=30, budget_s=60)

    async def killed() -> None:
        await asyncio.sleep(1)
        await asyncio.to_thread(llama.kill)
        await asyncio.sleep(1)
        await asyncio.to_thread(llama.start)

    playing = asyncio.create_task(played(pack, config, everyone(pack, config, profile)))
    await killed()
    assert not playing.done(), "the match was over before the server came back"
    run = await playing
    assert len(run.steps) == 21
    assert {call.failure for call in run.calls} & {"away", "reset"}, "nobody noticed"
    fallbacks = [flags for step in run.steps for flags in step.flags.values() if "fallback" in flags]
    why = {flag for flags in fallbacks for flag in flags}
    assert why <= {"fallback", "illegal", "truncated"}, "nothing was played for a server that was away"
