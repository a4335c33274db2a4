"""Equal seats: who they are, that each has had every policy, and that an advantage would be found."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from games.core.engine import Position, play, start
from games.core.registry import Registry
from games.errors.faults import Refused
from games.lab.scenarios.scenario import load
from games.laws.evenness import MARGIN, _taking, _turned, equals, evened
from tests.bench.evenness import SETTINGS
from tests.lab.conftest import Said

REGISTRY = Registry()


def last(game: str, seeds: int, settings: Mapping[str, Any]) -> list[Any]:
    pack = REGISTRY.get(game)
    *_, found = evened(pack, REGISTRY.module(game), pack.game.config_type(**settings), {}, range(1, seeds + 1))
    return found


def test_seats_of_one_role_with_the_same_numbers_are_equal() -> None:
    pack = REGISTRY.get("economist")
    config = pack.game.config_type(workers=4, skill_gather=[1, 2, 1, 2])
    assert equals(pack, config) == [(0, 2), (1, 3), (4,)]
    condition = load("adasociety/negotiation-easy", REGISTRY).conditions[0]
    assert equals(REGISTRY.get("adasociety"), condition.config) == [(0, 1), (2, 3)]


def test_every_policy_of_a_lineup_sits_once_in_each_equal_seat_beside_the_same_neighbours() -> None:
    lineup = ["a", "b", "p", "a", "c"]
    seatings = [[lineup[place] for place in places] for places in _turned([(0, 1, 3, 4), (2,)])]
    assert ["".join(column) for column in zip(*seatings, strict=True)] == ["abac", "baca", "pppp", "acab", "caba"]
    assert len(list(_turned([(0, 1, 2), (3, 4)]))) == 6


@pytest.mark.parametrize("name", ["economist/small-land", "adasociety/contract-easy"])
def test_luck_of_the_start_goes_to_other_seats_with_whoever_had_it(name: str) -> None:
    scenario = load(name, REGISTRY)
    pack, config = scenario.pack, scenario.conditions[0].config
    assert pack.reseated is not None
    first = start(pack.game, config, 5).state
    places = [1, 0, *range(2, len(pack.game.seats(config)))]
    second = pack.reseated(first, places)

    def cells(state: Any) -> Any:
        return state.workers.cell if name.startswith("economist") else state.cells

    assert cells(second)[:2] == cells(first)[1::-1]
    assert cells(second)[2:] == cells(first)[2:]
    assert pack.reseated(second, places) == first
    assert all(one.holds for one in pack.game.invariants(config, second))


def test_a_game_that_favours_a_seat_is_uneven(monkeypatch: pytest.MonkeyPatch) -> None:
    pack = REGISTRY.get("stag_hunt")
    resolve = type(pack.game).resolve

    def favours(self: Any, *args: Any) -> Any:
        resolved = resolve(self, *args)
        more = {seat: paid * (1.1 if seat == 0 else 1) for seat, paid in resolved.payoffs.items()}
        return type(resolved)(resolved.state, resolved.events, more)

    even = last("stag_hunt", 40, {})
    monkeypatch.setattr(type(pack.game), "resolve", favours)
    skewed = last("stag_hunt", 40, {})
    assert {one.verdict for one in even} <= {"even", "open"}
    assert {one.verdict for one in skewed} == {"uneven"}
    assert skewed[0].share is not None
    assert skewed[0].share - (even[0].share or 0) == pytest.approx(0.1 / 2.1, abs=0.01)


def test_where_no_two_seats_are_equal_or_a_model_sits_it_is_refused() -> None:
    with pytest.raises(Refused, match="no two seats are equal"):
        last("ultimatum", 2, {})
    scenario = load("mining/llm-noise", REGISTRY)
    condition = scenario.conditions[0]
    seated = dict(enumerate(condition.seats))
    with pytest.raises(Refused, match="is no policy's"):
        next(evened(scenario.pack, scenario.module, condition.config, seated, range(2)))


def test_the_command_tells_programs_what_equal_seats_earn(polity: Callable[..., Said]) -> None:
    told = json.loads(polity("probe", "dilemma", "--preset", "noisy", "--seats", "3", "--json").out)
    assert [one["name"] for one in told["seats"]] == ["A", "B"]
    assert told["seats"][0]["share"] == -told["seats"][1]["share"]
    said = polity("probe", "dilemma", "--seats", "3", "--presets")
    assert said.status == 2


def test_in_a_negotiation_who_has_most_of_a_group_speaks_for_it_whatever_its_number() -> None:
    scenario = load("adasociety/negotiation-easy", REGISTRY)
    condition = scenario.conditions[0]
    seated = {
        seat: replace(condition.seats[seat], policy=policy)
        for seat, policy in enumerate(("crew", "haggler", "haggler", "crew"))
    }
    *_, found = evened(scenario.pack, scenario.module, condition.config, seated, range(1, 7))
    assert {one.verdict for one in found} <= {"even", "open"}, found


@pytest.mark.parametrize("game", ["dilemma", "stag_hunt"])
def test_no_seat_of_two_has_an_advantage_over_few_seeds(game: str) -> None:
    assert "uneven" not in {one.verdict for one in last(game, 20, SETTINGS[game])}


@pytest.mark.full
@pytest.mark.parametrize("name", [name for name in SETTINGS if "/" not in name])
def test_no_seat_has_an_advantage_over_two_hundred_seeds(name: str) -> None:
    found = last(name, 200, SETTINGS[name])
    assert "uneven" not in {one.verdict for one in found}
    assert all(abs(one.share) <= MARGIN + one.half for one in found)


@pytest.mark.parametrize("seed", [3, 12])
def test_exploration_is_the_same_run_with_its_seats_turned_until_chance_says_who_gets_a_cell(seed: int) -> None:
    scenario = load("adasociety/exploration", REGISTRY)
    pack, config = scenario.pack, scenario.conditions[0].config.model_copy(update={"steps": 160})
    lineup = [(("blind", "load36")[seat % 2], dict[str, Any]()) for seat in range(8)]
    first = start(pack.game, config, seed)
    assert pack.reseated is not None
    runs = []
    for places in (list(range(8)), [3, 4, 5, 6, 7, 0, 1, 2]):
        began = replace(first, state=pack.reseated(first.state, places))
        own = {seat: _taking(pack, lineup[place], seed, place) for seat, place in enumerate(places)}
        runs.append((places, [began, *play(pack.game, config, seed, own, Position((began,)))]))
    (_, steps), (places, turned) = runs
    assert len(steps) == len(turned)
    for number, (step, other) in enumerate(zip(steps, turned, strict=True)):
        if any(event.kind == "cell_contested" for event in step.events):
            break
        assert [step.state.cells[place] for place in places] == list(other.state.cells), f"step {number}"
        assert [step.state.bags[place] for place in places] == list(other.state.bags), f"step {number}"
        assert {seat: step.payoffs.get(place) for seat, place in enumerate(places)} == {
            seat: other.payoffs.get(seat) for seat in range(8)
        }
    assert number > 25


def test_seats_are_compared_under_chosen_policies_alone(polity: Callable[..., Said]) -> None:
    args = ("probe", "dilemma", "--seats", "2", "--policy")
    assert polity(*args, "ALLC").out.count("+0.00% ± 0.00%") == 2
    said = polity(*args, "NOBODY")
    assert (said.status, "policy 'NOBODY': there is none of that name" in said.err) == (2, True)
