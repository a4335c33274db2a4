"""How many calls are made at once, and how the number follows what the provider says."""

from __future__ import annotations

import asyncio
import threading

from agents_app.gate import Gate, gate_for
from agents_app.profile import Profile


async def test_no_more_calls_run_at_once_than_the_limit() -> None:
    gate = Gate(3)
    most = 0

    async def call() -> None:
        nonlocal most
        async with gate:
            most = max(most, gate.running)
            await asyncio.sleep(0.001)

    await asyncio.gather(*(call() for _ in range(20)))
    assert (most, gate.running) == (3, 0)


async def test_one_wave_of_429_halves_the_limit_once_and_success_wins_it_back_by_one_a_round() -> None:
    clock = [0.0]
    gate = Gate(16, now=lambda: clock[0])
    for _ in range(5):
        gate.held_back(None)
    assert gate.limit == 8
    clock[0] += 2
    gate.held_back(None)
    assert gate.limit == 4
    for _ in range(4):
        gate.went_well()
    assert 4.8 < gate.limit < 5.1
    for _ in range(1000):
        gate.went_well()
    assert gate.limit == 16


async def test_retry_after_closes_the_gate_for_everyone() -> None:
    gate = Gate(10)
    gate.held_back(0.2)
    loop = asyncio.get_running_loop()
    began = loop.time()
    async with gate:
        assert loop.time() - began >= 0.19


async def test_who_gives_up_waiting_blocks_nobody() -> None:
    gate = Gate(1)
    entered = asyncio.Event()

    async def wait() -> None:
        async with gate:
            entered.set()

    async with gate:
        impatient = [asyncio.create_task(wait()) for _ in range(3)]
        await asyncio.sleep(0)
        patient = asyncio.create_task(wait())
        await asyncio.sleep(0)
        for task in impatient:
            task.cancel()
        await asyncio.gather(*impatient, return_exceptions=True)
    await asyncio.wait_for(patient, 5)
    assert entered.is_set()
    assert gate.running == 0


def test_one_gate_serves_several_event_loops() -> None:
    gate = Gate(2)
    most = [0]

    async def many() -> None:
        async def call() -> None:
            async with gate:
                most[0] = max(most[0], gate.running)
                await asyncio.sleep(0.001)

        await asyncio.gather(*(call() for _ in range(25)))

    threads = [threading.Thread(target=asyncio.run, args=(many(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not any(thread.is_alive() for thread in threads)
    assert most[0] <= 2
    assert gate.running == 0


def test_profiles_of_one_model_at_one_address_share_a_gate_and_other_models_go_on() -> None:
    one = gate_for(Profile(model="openai/a", base_url="http://gate.test/v1", concurrency=5))
    other = gate_for(Profile(model="openai/a", base_url="http://gate.test/v1", temperature=1, concurrency=9))
    assert one is other
    assert other.most == 9
    beside = gate_for(Profile(model="openai/b", base_url="http://gate.test/v1"))
    one.held_back(30)
    assert (one.is_closed, beside.is_closed) == (True, False)
    assert gate_for(Profile(model="openai/a", base_url="http://other.test/v1")) is not one
