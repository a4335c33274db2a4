"""The site's parts in one process: toys among the games, tasks noted instead of queued, the doorbell in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agents_app.people import PeopleSettings
from games.core import registry
from games.core.registry import Pack
from games.lab.scenario import Condition, Scenario
from games.lab.seating import PersonSeat, PolicyAgent
from games.models import Run
from games.services.runs import run_create
from tests.core.toys import PARADE, ParadeConfig


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    real = registry.packs

    def packs(package: str = registry.CATALOG) -> dict[str, Pack]:
        return {**real(package), PARADE.slug: PARADE}

    monkeypatch.setattr(registry, "packs", packs)


@pytest.fixture(autouse=True)
def in_memory(settings: Any) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What would have been sent to the workers."""
    sent: list[tuple[str, str]] = []
    for module in ("services.runs", "services.joining", "services.seats", "services.forks", "people", "conductor"):
        monkeypatch.setattr(f"games.{module}.enqueue", lambda run_id, queue, *_: sent.append((run_id, queue)))
    return sent


def parade(days: int = 5, seed: int = 1, people: tuple[int, ...] = (), terms: PeopleSettings | None = None) -> Scenario:
    latest = PolicyAgent("latest")
    agents = tuple(PersonSeat(latest) if seat in people else latest for seat in range(3))
    condition = Condition("base", ParadeConfig(days=days), agents, people=terms or PeopleSettings())
    return Scenario("tests.core.toys", PARADE, "toy", {"en": "Toy"}, {}, (condition,), (seed,))


@pytest.fixture
def make_run(db: None) -> Callable[..., Run]:
    def make(
        days: int = 5, seed: int = 1, people: tuple[int, ...] = (), terms: PeopleSettings | None = None, **how: Any
    ) -> Run:
        return run_create(scenario=parade(days, seed, people, terms), **how)

    return make
