"""The site's parts in one process: toys among the games, tasks noted instead of queued, the doorbell in memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from agents_app.people import PeopleSettings
from games.core.registry import Registry
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import PersonSeat, PolicyAgent
from games.site.drive import conductor
from games.site.models import Run
from games.site.runs.creating import run_create
from tests.core.toys import PARADE, ParadeConfig


@pytest.fixture(autouse=True)
def toys(monkeypatch: pytest.MonkeyPatch) -> None:
    real = Registry.get
    monkeypatch.setattr(Registry, "get", lambda self, slug: PARADE if slug == PARADE.slug else real(self, slug))


@pytest.fixture(autouse=True)
def in_memory(settings: Any) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice lasts as long as a busy machine needs; who wants to see one end says so."""
    monkeypatch.setattr(conductor, "SLICE_S", dict.fromkeys(conductor.SLICE_S, 600.0))


@pytest.fixture(autouse=True)
def queued(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, str]]:
    """What would have been sent to the workers."""
    sent: list[tuple[str, str]] = []
    for module in (
        "runs.creating",
        "runs.forks",
        "people.joining",
        "people.seats",
        "drive.person_seats",
        "drive.batches",
        "drive.conductor",
        "drive.sweeping",
    ):
        monkeypatch.setattr(f"games.site.{module}.enqueue", lambda run_id, queue, *_: sent.append((run_id, queue)))
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
