"""SIGKILL at random moments: every run ends as if nothing had happened, and no step, answer or move is lost or doubled.

People play too. What they were told is kept was played, once, in the step for which it was sent.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from tests.survival.battered import Battered, Told, batter, no_call_is_stored_twice, undisturbed
from tests.survival.persons import Person, Program, playing

RUNS = [Told("mining/mixed", 1), Told("mining/mixed", 2), Told("mining/baseline", 3), Told("mining/window-0", 4)]
RUNS += [Told("mining/llm-mock", 5)]
TERMS = {"deadline_s": 3600, "grace_s": 3600}
COMERS = {"person": Person, "program": Program}
PROGRAM = {"program": True}
SLOW = {"latency_s": 0.3, "faults": {"prose": 0.1, "illegal": 0.05}}


def company(rounds: int) -> list[Told]:
    """Two people against each other; one against a model that takes its time, one against a program; two among all."""
    person, short = {"person": True}, {"rounds": rounds}
    against = {"model": "mock/GTFT", "profile": {"persona": "generous_tft", "max_tokens": 4, "mock": SLOW}}
    among = {"model": "mock/guided", "profile": {"memory": "rounds", "mock": SLOW}}
    seats = {"0": person, "1": person, "2": among, "3": among, "default": {"policy": "guided"}}
    land = {"miners": 5, "rows": 8, "cols": 8, **short}
    return [
        Told("dilemma/llm-mock", 6, short, {"0": person, "1": person}, TERMS),
        Told("dilemma/llm-mock", 7, short, {"0": person, "1": against}, TERMS),
        Told("mining/baseline", 8, land, seats, TERMS),
        Told("dilemma/llm-mock", 9, short, {"0": person, "1": PROGRAM}, TERMS),
    ]


@pytest.fixture(params=["sqlite", "postgresql"])
def battered(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Battered]:
    url = request.getfixturevalue("postgres_url") if request.param == "postgresql" else None
    site = Battered(tmp_path, url)
    yield site
    site.end()


def people_of(battered: Battered, runs: Mapping[str, Told]) -> dict[str, list[Person]]:
    """For each run that has seats for people and programs, as many."""
    people: dict[str, list[Person]] = {}
    for run, started in runs.items():
        if started.people:
            told = battered.site.operator_get(f"/runs/{run}/people")
            people[run] = [
                COMERS[one["kind"]](one["seat"], lambda: battered.address, told["code"]["code"])
                for one in told["seats"]
                if one["kind"] in COMERS
            ]
    return people


def compare(battered: Battered, runs: Mapping[str, Told], people: Mapping[str, list[Person]]) -> None:
    for run, told in runs.items():
        answers = {person.seat: person.decider() for person in people.get(run, ())}
        assert battered.steps(run) == undisturbed(told, answers), f"{told}: another run than undisturbed"
    no_call_is_stored_twice(battered)


def every_move_was_kept_once(battered: Battered, people: Mapping[str, list[Person]]) -> None:
    for run, persons in people.items():
        stored = battered.rows(
            "select step, seat, client_id from games_decision "
            f"where run_id = '{run}' and purpose = 'act' and client_id <> '' order by step, seat"
        )
        ours = {(step, person.seat): person.move(step)["id"] for person in persons for step in person.sent}
        assert {(step, seat): client for step, seat, client in stored} == ours, "a move was lost, or a default played"
        assert len(stored) == len(ours) == len(persons) * (len(battered.steps(run)) - 1)
        for person in persons:
            assert person.wrong == []
            assert set(person.acknowledged) == set(person.sent)


def acknowledged(people: Mapping[str, list[Person]]) -> dict[str, int]:
    everybody = [person for persons in people.values() for person in persons]
    return {
        "moves": sum(len(person.acknowledged) for person in everybody),
        "lines lost": sum(person.returns for person in everybody),
    }


@pytest.mark.parametrize("battered", ["sqlite"], indirect=True)
@pytest.mark.timeout(300)
def test_killing_each_part_once_changes_nothing(battered: Battered) -> None:
    runs = battered.begin([*RUNS, *company(rounds=20)], pace=20)
    people = people_of(battered, runs)
    with playing([person for persons in people.values() for person in persons]):
        for part in battered.parts:
            time.sleep(0.5)
            assert battered.kill(part), f"{part} was not there to kill"
        battered.finish(120)
        ended(people)
    compare(battered, runs, people)
    every_move_was_kept_once(battered, people)


def ended(people: Mapping[str, list[Person]]) -> None:
    """Until everybody has been told that it is over."""
    deadline = time.monotonic() + 60
    while not all(person.is_over for persons in people.values() for person in persons):
        assert time.monotonic() < deadline, [person.wrong for persons in people.values() for person in persons]
        time.sleep(0.2)


@pytest.mark.full
@pytest.mark.timeout(3000)
def test_a_hundred_kills_change_nothing(battered: Battered, record_property: Any) -> None:
    runs = battered.begin([*RUNS, *company(rounds=250)], pace=1)
    people = people_of(battered, runs)
    everybody = [person for persons in people.values() for person in persons]
    with playing(everybody):
        hits = batter(battered, 100, seed=11)
        standing = {run: head for run, (_, head, _) in battered.runs().items()}
        for person in everybody:
            person.think_s = 0.05
        battered.hurry()
        battered.finish(900)
        ended(people)
    compare(battered, runs, people)
    every_move_was_kept_once(battered, people)
    told = {"kills": hits, "launcher starts": battered.starts, "heads at the last kill": standing}
    told |= acknowledged(people)
    record_property("tally", json.dumps(told))
    print(told)  # noqa: T201
