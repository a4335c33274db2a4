"""Hosts a run of models and policies without a site: all seats of a turn at once, answers applied in seat order."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from typing import Any, TypeAlias, TypeVar

from agents_app.ports import Ledger, SeatedAgent
from agents_app.staggered import gathered
from games.core.agents import Controller, Decider, Decision, Memory
from games.core.engine import Ask, News, Position, drive
from games.core.game import C, Game, Seat, Step
from games.core.requests import news as news_of

T = TypeVar("T")
Ledgers: TypeAlias = Callable[[Seat, int], Ledger]
"""``(seat, step) -> ledger``."""


async def play_seated(
    game: Game[C, Any, Any, Any],
    config: C,
    seed: int,
    deciders: Mapping[Seat, Decider],
    agents: Mapping[Seat, SeatedAgent],
    ledgers: Ledgers,
    since: Position[Any, Any] | None = None,
    controller: Controller | None = None,
) -> AsyncIterator[Step[Any, Any]]:
    """Every step, from step 0 or after ``since``, and what is asked when the match is over. ``deciders`` answer without
    I/O, ``agents`` with it.

    Raises `RunStop` after all answers of its turn have been awaited, so that none that was paid for is lost.
    """
    reflecting = tuple(sorted(seat for seat, agent in agents.items() if agent.reflects))
    loop = drive(game, config, seed, since, reflecting, controller)
    answer: Any = None
    while True:
        try:
            told = loop.send(answer)
        except StopIteration as over:
            await _looking_back(game, config, seed, over.value, agents, ledgers)
            return
        match told:
            case Ask(index, _, requests):
                fresh = {seat: request for seat, request in requests.items() if request.standing is None}
                answer = {seat: deciders[seat](request) for seat, request in fresh.items() if seat not in agents}
                asked: dict[Seat, Awaitable[Decision[Any]]] = {
                    seat: agents[seat].decide(request, ledgers(seat, index))
                    for seat, request in fresh.items()
                    if seat in agents
                }
                answer.update(await _together(asked))
            case News(index, requests):
                news: dict[Seat, Awaitable[Memory]] = {
                    seat: agents[seat].reflect(request, ledgers(seat, index)) for seat, request in requests.items()
                }
                answer = await _together(news)
            case Step():
                yield told
                answer = None


async def _looking_back(
    game: Game[C, Any, Any, Any],
    config: C,
    seed: int,
    position: Position[Any, Any],
    agents: Mapping[Seat, SeatedAgent],
    ledgers: Ledgers,
) -> None:
    """The questions that are asked when the match is over."""
    asked = sorted(seat for seat, agent in agents.items() if agent.is_asked_at_end)
    if not asked:
        return
    told = news_of(game, config, seed, position, asked)
    index = position.last.index
    await _together({seat: agents[seat].look_back(one, ledgers(seat, index)) for seat, one in told.items()})


async def _together(asked: Mapping[Seat, Awaitable[T]]) -> dict[Seat, T]:
    """All answers in seat order; every one is awaited before the first error is raised."""
    results = await gathered(asked.values())
    answers: dict[Seat, T] = {}
    for seat, result in zip(asked, results, strict=True):
        if isinstance(result, BaseException):
            raise result
        answers[seat] = result
    return answers


def steps_of(steps: AsyncIterator[Step[Any, Any]]) -> Iterator[Step[Any, Any]]:
    """The steps of an asynchronous host for a synchronous reader, in an event loop of their own."""

    async def following() -> Step[Any, Any] | None:
        return await anext(steps, None)

    with asyncio.Runner() as runner:
        loop = runner.get_loop()  # the runner's own way would set a handler of signals for each step
        while (step := loop.run_until_complete(following())) is not None:
            yield step
