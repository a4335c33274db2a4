"""What a model reads of what its nation knows: each line by the act that it tells of."""

from __future__ import annotations

from typing import Any

import pytest

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.instructions import tell
from games.catalog.nations.prompts import NationsPrompts
from games.catalog.nations.state import Attack, Grant, Message, Orders, Promise, ResourceGrant
from games.catalog.nations.tests.builder import GAME
from games.core.agents import deciding
from games.core.engine import Position, play
from games.core.instructions import system_prompt
from games.core.prompts import PromptContext
from games.core.requests import Requests, news
from games.lab.scenarios.form import AgentForm
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.lab.scenarios.seating import ModelSeat

SPEECH: dict[int, Orders] = {
    1: Orders(messages=(Message(None, "first words"), Message((1,), "pledge", Promise("grant", 30, 1)))),
    2: Orders(
        buy=1,
        disband=4,
        grants=(Grant(1, 5), Grant(2, 50)),
        resources=(ResourceGrant(1, "energy", 3),),
        messages=(Message(None, "second words"),),
    ),
    3: Orders(messages=(Message(None, "last words"),)),
}
"""What Aldor orders in each turn; the others are silent."""


def played(config: NationsConfig, turns: int, orders: dict[int, Orders]) -> Position[Any, Any]:
    """So many steps of a match in which the first nation gives these orders."""

    def decide(seen: Any, memory: Any, rng: Any) -> tuple[Orders, None]:
        return (orders.get(seen.public.turn, Orders()) if seen.seat == 0 else Orders()), None

    steps = list(play(GAME, config, 1, {one: deciding(decide) for one in range(config.nations)}))
    return Position(steps[: turns + 1])


def asked(config: NationsConfig, turns: int, seat: int, orders: dict[int, Orders]) -> Any:
    """What a seat is asked next."""
    position = played(config, turns, orders)
    turn = GAME.turn(config, position.last.state)
    assert turn is not None
    return Requests(GAME, config, 1, position, turn)[seat]


def read(config: NationsConfig, turns: int, seat: int, language: str = "en", **more: Any) -> str:
    request = asked(config, turns, seat, more.get("orders", SPEECH))
    return NationsPrompts().render(config, PromptContext(request, language))["user"]


WORLD = NationsConfig(nations=3, territories=6, turns=5, rounds=2, armies=(2, 0, 0))
GIVING = NationsConfig(nations=3, territories=6, turns=5, armies=(2, 0, 0), resources={"deposits": "even"})  # type: ignore[arg-type]
STARVED = NationsConfig(nations=3, territories=6, resources={"deposits": "specialised"})  # type: ignore[arg-type]


def test_messages_arrive_with_the_news_of_their_turn_and_not_again() -> None:
    assert "first words" in read(WORLD, 1, 1)
    later = read(WORLD, 2, 1)
    assert "second words" in later
    assert "first words" not in later


def test_messages_of_a_rounds_last_turn_arrive_in_the_next_round() -> None:
    assert "the end" in read(WORLD, 6, 1, orders={5: Orders(messages=(Message(None, "the end"),))})


@pytest.mark.parametrize(
    ("language", "begins", "scored"),
    [
        ("en", "Round 1 is over.", "Brevia ends the round with 111 welfare, score 111"),
        ("zh", "第 1 局结束了。", "Brevia本局福利 111，得分 111"),
    ],
)
def test_the_news_of_a_rounds_last_turn_say_that_it_is_over_and_how(language: str, begins: str, scored: str) -> None:
    """Five turns of 20, and a grant of 5.5 that arrives as 11."""
    config = NationsConfig(nations=3, territories=6, turns=5, rounds=2)
    position = played(config, 5, {5: Orders(grants=(Grant(1, 5.5),))})
    request = news(GAME, config, 1, position, [1])[1]
    told = NationsPrompts().render(config, PromptContext(request, language))["user"]
    assert told.startswith(begins)
    assert scored in told


@pytest.mark.parametrize(
    ("seat", "language", "lines"),
    [
        (0, "en", ["granted Corvane 11 of 50", "2 of 4 mils disbanded", "Aldor broke its promise to Brevia"]),
        (1, "en", ["Aldor granted Brevia 3 energy", "Aldor broke its promise to Brevia: a grant of 30"]),
        (2, "en", ["Aldor granted Corvane 11\n"]),
        (0, "zh", ["赠予Corvane 11，本想赠予 50", "裁撤 2 支，命令为 4 支", "Aldor违背了对Brevia的承诺"]),
        (1, "zh", ["Aldor赠予Brevia 3 energy", "Aldor违背了对Brevia的承诺：赠予 30"]),
        (2, "zh", ["Aldor赠予Corvane 11\n"]),
    ],
)
def test_each_partial_execution_and_each_gift_is_told(seat: int, language: str, lines: list[str]) -> None:
    """Aldor has 20 money, 4 for its army, none for a mil at 20; 5 are granted, then 11 of 50."""
    told = read(GIVING, 2, seat, language)
    assert [line for line in lines if line not in told] == []


@pytest.mark.parametrize(("language", "phrase"), [("en", "money of Aldor: income 20"), ("zh", "Aldor的钱：收入 20")])
def test_budgets_of_others_are_told_where_welfare_is_seen(language: str, phrase: str) -> None:
    assert phrase not in read(WORLD, 1, 1, language)
    assert phrase in read(WORLD.model_copy(update={"welfare_seen": "all"}), 1, 1, language)


def test_the_income_told_is_what_the_resources_allow() -> None:
    """Each nation has one resource only: one share is 1, two are 0."""
    assert "Your income before deductions: 0 money" in read(STARVED, 0, 1)
    funded = [event for event in GAME.initial(STARVED, None).events if event.kind == "nation_funded"]  # type: ignore[arg-type]
    assert [event.data["income"] for event in funded] == [0, 0, 0]
    assert "Your income before deductions: 20 money" in read(GIVING, 0, 1)


def test_notes_that_are_not_shown_are_counted() -> None:
    orders = {1: Orders(attacks=(Attack(0, 1),) * 8)}
    assert "And 3 more" in read(WORLD, 1, 0, orders=orders)


@pytest.mark.parametrize(
    ("language", "rounds", "text"),
    [
        ("en", 1, "A round has 5 turns. There is one round."),
        ("en", 2, "A round has 5 turns. There are 2 rounds; each begins anew."),
        ("zh", 1, "每局 5 回合。只有一局。"),
        ("zh", 2, "每局 5 回合。共 2 局，每局重新开始。"),
    ],
)
def test_a_model_is_told_of_one_round_as_of_one(language: str, rounds: int, text: str) -> None:
    config = NationsConfig(nations=3, territories=6, turns=5, rounds=rounds)
    assert text in system_prompt(NationsPrompts(), config, asked(config, 0, 0, {}), language)


@pytest.mark.parametrize("rounds", [1, 2])
@pytest.mark.parametrize(
    ("language", "text"), [("en", "Nobody knows when a round ends."), ("zh", "没有人知道一轮何时结束。")]
)
def test_where_the_end_is_not_known_players_are_told_no_number(rounds: int, language: str, text: str) -> None:
    config = NationsConfig(rounds=rounds, end_known=False)
    assert tell(config, asked(config, 0, 0, {}), language).length == (text,)


@pytest.mark.parametrize(
    ("said", "kept"), [({}, "summary"), ({"memory": "none"}, "none"), ({"memory": "turns"}, "turns")]
)
def test_a_model_keeps_the_summary_that_it_writes_itself_unless_told_otherwise(said: dict[str, Any], kept: str) -> None:
    seats = {"default": AgentForm(model="mock/trader", profile=said)}
    scenario = load("nations/baseline", extra=[Layer("test", seats=seats)])
    assert [seat.profile.memory for seat in scenario.conditions[0].seats if isinstance(seat, ModelSeat)] == [kept] * 4
