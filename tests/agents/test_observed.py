"""What a seat knows as JSON, as programs at the door and pages get it: none of the settings stand in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

import pytest

from agents_app.prompting import observed
from games.core.agents import Decision
from games.core.engine import Ask, drive, hosted
from games.core.pack import Pack
from games.core.registry import get, packs
from games.lab.scenarios.scenario import load


def sent(pack: Pack, config: Any, steps: int = 12) -> Iterator[dict[int, Any]]:
    """What each asked seat gets, turn by turn, where nobody answers."""
    told: list[dict[int, Any]] = []

    def ask(turn: Ask[Any, Any]) -> dict[int, Decision[Any]]:
        seen = {seat: observed(request.observation, pack.game.config_type) for seat, request in turn.requests.items()}
        told.append(json.loads(json.dumps(seen)))
        return {seat: Decision(None) for seat in turn.requests}

    for step in hosted(drive(pack.game, config, 3), ask):
        yield from told
        told.clear()
        if step.index >= steps:
            return


def mappings(value: Any) -> Iterator[Mapping[str, Any]]:
    if isinstance(value, Mapping):
        yield value
        for part in value.values():
            yield from mappings(part)
    elif isinstance(value, list):
        for part in value:
            yield from mappings(part)


@pytest.mark.parametrize("slug", list(packs()))
def test_no_settings_stand_whole_in_what_a_seat_is_sent(slug: str) -> None:
    pack = get(slug)
    preset = next(iter(pack.scenarios))
    names = set(pack.game.config_type.model_fields)
    looked = 0
    for seats in sent(pack, load(f"{slug}/{preset}").conditions[0].config):
        for one in mappings(seats):
            assert len(names & one.keys()) < max(3, len(names) // 2), sorted(names & one.keys())
            looked += 1
    assert looked


def test_an_end_that_is_not_known_cannot_be_read_out_of_what_is_sent() -> None:
    nations = get("nations")
    worlds = [
        nations.game.config_type(end_known=False, turns=turns, rounds=rounds) for turns, rounds in ((9, 1), (14, 3))
    ]
    ours, theirs = (list(sent(nations, config, 5)) for config in worlds)
    assert ours == theirs
    assert ours[0]["0"]["public"]["turn"] == 1


def test_what_another_nation_wants_and_its_first_army_are_not_sent() -> None:
    nations = get("nations")
    made = nations.game.config_type
    plain = made(armies=(2, 3, 4, 5))
    other = made(armies=(2, 7, 1, 0), goals=({"seat": 2, "kind": "damage"},))
    for ours, theirs in zip(sent(nations, plain, 1), sent(nations, other, 1), strict=True):
        assert ours["0"] == theirs["0"]
        assert ours["2"] != theirs["2"]


def test_a_worker_is_sent_no_other_workers_skill() -> None:
    economist = get("economist")
    config = load("economist/small-land").conditions[0].config
    worlds = [config.model_copy(update={"skill_gather": (1,) * (config.workers - 1) + (last,)}) for last in (1, 3)]
    first, other = (next(sent(economist, one)) for one in worlds)
    assert first["0"] == other["0"]
    last = str(config.workers - 1)
    assert first[last] != other[last]
