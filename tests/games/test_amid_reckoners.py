"""Two people and a model amid agents that reckon: all of them move."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import pytest

from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.site.drive.conductor import conduct
from games.site.models import Call
from games.site.record.recordings import recordings_found
from games.site.runs.creating import run_create
from tests.games.persons import Person, again

pytestmark = pytest.mark.django_db(transaction=True)

RECKONS: Final = {"policy": "lookahead", "params": {"depth": 2, "width": 2, "worlds": 1}}


class Table(NamedTuple):
    """A preset made small, who sits beside two people in seats 0 and 1, and what these do."""

    preset: str
    config: Mapping[str, Any]
    seats: Mapping[str, Any]
    move: Mapping[str, Any]
    steps: int = 3


TABLES: Final = (
    Table(
        "economist/living",
        {"epochs": 1, "steps_per_epoch": 6, "skill_build": [1] * 7 + [2] * 7},
        {"2": {"model": "mock/honest"}, "3": RECKONS},
        {"do": "noop"},
    ),
    Table(
        "mining/settling",
        {"miners": 5, "rows": 4, "cols": 5, "rounds": 3},
        {"2": {"model": "mock/guided"}, "3": RECKONS, "4": {"policy": "avenger"}},
        {"items": []},
    ),
    Table(
        "nations/deterrence",
        {"turns": 3},
        {"2": {"model": "mock/trader"}, "3": RECKONS},
        {},
    ),
    Table(
        "adasociety/social-structure-easy",
        {},
        {"2": {"model": "mock/crew"}, "3": RECKONS},
        {"do": "move", "direction": "stay"},
    ),
)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.preset))
def test_two_people_and_a_model_play_amid_agents_that_reckon(table: Table) -> None:
    game = table.preset.partition("/")[0]
    people = {str(seat): {"person": True} for seat in (0, 1)}
    forms = recordings_found(game, read_seats({"seats": {**table.seats, **people}}, "test"), "test")
    run = run_create(scenario=load(table.preset, extra=[Layer("test", dict(table.config), forms)]))
    pair = Person("one"), Person("two")
    for person in pair:
        assert person.joins(run.code).status_code == 201
        person.starts()
    conduct(run.pk, "live")
    for _ in range(4 * table.steps):
        for person in pair:
            turn = person.sees()["turn"]
            if turn is not None and turn["moved"] is None:
                answer = person.moves(turn["step"], action=dict(table.move))
                assert answer.status_code == 200, answer.content
        conduct(run.pk, "live")
        if again(run).head >= table.steps:
            break
    assert again(run).head >= table.steps, (run.status, run.error)
    assert Call.objects.filter(run=run).exists()
