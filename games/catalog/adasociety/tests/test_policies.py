"""The baselines: random play, the crew, the loner; who haggles, and who explores."""

from __future__ import annotations

from collections import Counter

import pytest

from games.catalog.adasociety.play.haggling_policy import HAGGLER, counterpart
from games.catalog.adasociety.play.policies import BLIND, LOAD36, PIONEER, RANDOM
from games.catalog.adasociety.play.team_policy import bargain
from games.catalog.adasociety.rules.observe import observe
from games.catalog.adasociety.tests.build import GAME, held, start, step, world
from games.core.agents import deciding
from games.core.engine import play
from games.core.game import Event
from games.core.rng import Rng
from games.lab.learning.adasociety import preset_config


def test_random_takes_every_legal_action_equally_often() -> None:
    config = world("0H . .\n. . .\n. . .", piles={(0, 0): ("wood", 2)})
    state = held(config, start(config), s0={"wood": 1, "stone": 1})
    observation = observe(config, state, 0)
    play = RANDOM.bind()
    taken = Counter(play(observation, None, Rng(key))[0] for key in range(9000))
    assert set(taken) == set(observation.legal())
    expected = 9000 / len(taken)
    assert all(abs(count - expected) < 5 * expected**0.5 for count in taken.values()), taken


def test_blind_takes_every_physical_action_equally_often_legal_or_not() -> None:
    config = world("0 . .\n. . .\n. . .")
    observation = observe(config, held(config, start(config)), 0)
    play = BLIND.bind()
    taken = Counter(play(observation, None, Rng(key))[0] for key in range(9000))
    assert len(taken) == 6 + 2 * 6


def test_the_authors_load_is_all_36_actions_whatever_is_known_and_what_is_not_is_struck_out() -> None:
    config = world("0 . .\n. . .\n. . .")
    state = held(config, start(config))
    play = LOAD36.bind()
    taken = Counter(play(observe(config, state, 0), None, Rng(key))[0] for key in range(9000))
    assert len(taken) == 36
    cleaned = {action: GAME.clean(config, state, 0, action, Rng(0)) for action in taken}
    assert sum(not notes for _, notes in cleaned.values()) == 5


def test_the_crew_brings_all_into_one_group_by_negotiation() -> None:
    config = preset_config("negotiation-hard")
    state = start(config)
    while state.step < config.social_steps:
        turn = GAME.turn(config, state)
        assert turn is not None
        actions = {f"s{seat}": bargain(observe(config, state, seat)) for seat in turn.seats}
        state = step(config, state, **actions).state
    assert [len(members) for members in state.graph.members.values()] == [8]
    weights = [weight for _, weight in next(iter(state.graph.members.values()))]
    assert weights == [125_000_000] * 8


def told(preset: str, seats: dict[int, dict[str, int]], steps: int) -> list[Event]:
    """What happens in the first steps where all haggle, each with its own parameters."""
    agents = {seat: deciding(HAGGLER.bind(seats.get(seat, {}))) for seat in range(8)}
    played = play(GAME, preset_config(preset), 7, agents)
    return [event for _, one in zip(range(steps), played, strict=False) for event in one.events]


def test_hagglers_give_way_until_they_meet_in_the_middle() -> None:
    events = [event for event in told("demo", {}, 12) if {0, 7} == {event.data.get("seat"), event.data.get("to")}]
    assert [event.data["share"] for event in events] == [70, 70, 60, 60, 50]
    merged = [event for event in told("demo", {}, 12) if event.kind == "groups_merged"]
    assert {event.data["share"] for event in merged} == {50}


def test_who_never_gives_way_agrees_with_nobody_and_is_not_asked_twice() -> None:
    greedy = {"greed": 40, "yields": 0, "patience": 3}
    events = told("demo", {3: greedy, 6: greedy}, 33)
    merged = {seat for event in events if event.kind == "groups_merged" for seat, _ in event.data["weights"]}  # type: ignore[union-attr]
    assert merged
    assert not merged & {3, 6}
    pairs = [tuple(event.data["seats"]) for event in events if event.kind == "bargain_opened"]  # type: ignore[arg-type]
    assert len([pair for pair in pairs if {3, 6} & set(pair)]) == len({pair for pair in pairs if {3, 6} & set(pair)})
    kinds = Counter(event.kind for event in events)
    assert kinds["bargain_ended"]
    assert kinds["bargain_lapsed"]


@pytest.mark.parametrize("alone", [4, 5, 8])
def test_all_who_are_free_meet_each_other_in_turn(alone: int) -> None:
    graph = start(world("\n".join([" ".join(map(str, range(alone))), " ".join("." * alone)]))).graph
    met = set()
    for at in range(alone):
        pairs = {seat: counterpart(graph, seat, at) for seat in range(alone)}
        assert all(pairs[other] == seat for seat, other in pairs.items() if other is not None)
        met |= {(seat, other) for seat, other in pairs.items() if other is not None}
    assert len(met) == alone * (alone - 1)


def test_pioneers_get_beyond_hammers_and_torches_and_nobody_stands_at_a_wall() -> None:
    config = preset_config("exploration").model_copy(update={"steps": 150})
    walls: Counter[tuple[object, ...]] = Counter()
    longest, made = 0, set()
    for one in play(GAME, config, 7, {seat: deciding(PIONEER.bind()) for seat in range(8)}):
        walled = [event.data for event in one.events if event.kind == "step_blocked"]
        walls = Counter({key: walls[key] + 1 for key in [(data["seat"], str(data["cell"])) for data in walled]})
        longest = max(longest, *walls.values(), 0)
        made |= {name for event in one.events if event.kind == "synthesized" for name in event.data["made"]}  # type: ignore[union-attr]
    assert {"hammer", "torch", "steel"} <= made
    assert longest < 10
