"""What each game of the shelf pays, reckoned by hand: other moves than the worked examples in its own file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import pytest

from games.core.registry import Registry
from games.declare.form import Example
from games.declare.working import Worker

SIDES = ("heads", "tails")


class Row(NamedTuple):
    """Moves of one stage by place, and what they pay; ``given``: draws, carried state, earlier moves."""

    slug: str
    moves: Any
    pays: Sequence[float]
    stage: str = "choose"
    given: Mapping[str, Any] = {}
    config: Mapping[str, Any] = {}


def table(slug: str, first: Sequence[str], second: Sequence[str], *cells: tuple[float, float]) -> list[Row]:
    """Every cell of a table of two, row by row."""
    pairs = [(a, b) for a in first for b in second]
    return [Row(slug, list(pair), cell) for pair, cell in zip(pairs, cells, strict=True)]


CAPRA = {"min_claim": 80, "max_claim": 200, "claim_bonus": 10}
PLACES = ("station", "square", "bridge")
ROWS = [
    *table("prisoners_dilemma", "CD", "CD", (2, 2), (0, 3), (3, 0), (1, 1)),
    *table("stag_hunt", ("stag", "hare"), ("stag", "hare"), (5, 5), (0, 3), (3, 0), (3, 3)),
    *table("chicken", ("swerve", "go"), ("swerve", "go"), (3, 3), (1, 4), (4, 1), (0, 0)),
    *table("battle_of_sexes", ("opera", "fight"), ("opera", "fight"), (3, 2), (0, 0), (0, 0), (2, 3)),
    *table("matching_pennies", SIDES, SIDES, (1, -1), (-1, 1), (-1, 1), (1, -1)),
    *table("trust_matrix", ("give", "keep"), ("give", "keep"), (10, 10), (0, 20), (6, 2), (4, 4)),
    *table("coordination", PLACES, PLACES, *((2, 2) if n % 4 == 0 else (0, 0) for n in range(9))),
    Row("travellers_dilemma", [5, 4], (2, 6), "claim"),
    Row("travellers_dilemma", [2, 3], (4, 0), "claim"),
    Row("travellers_dilemma", [200, 180], (170, 190), "claim", {}, CAPRA),
    Row("public_goods", [20, 20, 20, 20], (32, 32, 32, 32), "contribute"),
    Row("public_goods", [20, 0, 0, 0], (8, 28, 28, 28), "contribute"),
    Row("public_goods", [1, 0, 1], (1, 2, 1), "contribute", {}, {"players": 3, "multiplier": 1.5, "endowment": 1}),
    Row("public_goods", {0: {1: 10}, 1: {0: 2, 3: 1}}, (-16, -33, 0, -3), "punish", {"contribute": [0, 0, 0, 0]}),
    Row("trust", [None, 15], (15, 25), "give_back", {"send": [10, None]}),
    Row("trust", [None, 0], (7, 19), "give_back", {"send": [3, None]}),
    Row("ultimatum", [None, "accept"], (5, 5), "reply", {"offer": [5, None]}),
    Row("ultimatum", [None, "reject"], (0, 0), "reply", {"offer": [5, None]}),
    Row("ultimatum_strategy", [5, None], (5, 5), "offer", {"least": [None, 5]}),
    Row("ultimatum_strategy", [4, None], (0, 0), "offer", {"least": [None, 5]}),
    Row("dictator", [0, None], (10, 0), "give"),
    Row("dictator", [10, None], (0, 10), "give"),
    Row("auction", [5, 7, 60, 3], (0, 0, 20, 0), "bid", {"value": [10, 20, 80, 5]}),
    Row("auction", [5, 7, 60, 3], (0, 0, 73, 0), "bid", {"value": [10, 20, 80, 5]}, {"price": "second"}),
    Row("beauty_contest", [0, 50, 100, 25, 25], (0, 0, 0, 10, 10), "guess"),  # two thirds of 40 is 26.67
    Row("beauty_contest", [0, 50, 100, 25, 25], (0, 0, 0, 10, 10), "guess", {}, {"part": "1/2"}),  # half of it is 20
    Row("bertrand", [40, 60], (1800, 0), "price"),
    Row("bertrand", [30, 30], (700, 700), "price"),
    Row("cournot", [45, 0], (2025, 0), "quantity"),
    Row("cournot", [30, 45], (450, 675), "quantity"),
    Row("centipede", ["go", None], (0, 0), "move"),
    Row("colonel_blotto", {"north": [5, 4], "centre": [4, 4], "south": [3, 4]}, (1.5, 1.5), "place"),
    Row("colonel_blotto", {"north": [12, 1], "centre": [0, 1], "south": [0, 1]}, (1, 2), "place"),
    Row("commons", [6, 0, 9, 1], (6, 0, 9, 1), "harvest", {"stock": 60}),
    Row("gift_exchange", [None, 10], (70, 12), "effort", {"wage": [30, None]}),
    Row("gift_exchange", [None, 3], (-30, 58), "effort", {"wage": [60, None]}),
    Row("trust_strategy", ["half", None], (5, 25), "send", {"of_half": [None, 0], "of_all": [None, 30]}),
    Row("trust_strategy", ["all", None], (12, 28), "send", {"of_half": [None, 0], "of_all": [None, 12]}),
    Row("market_entry", ["go"] * 4 + ["stay"] * 2, (1, 1, 1, 1, 1, 1), "entry"),
    Row("market_entry", ["go"] * 3 + ["stay"] * 3, (3, 3, 3, 1, 1, 1), "entry"),
    Row("market_entry", ["go"] * 4 + ["stay"] * 2, (3, 3, 3, 3, 1, 1), "entry", {}, {"shape": "threshold"}),
    Row("minimum_effort", [3, 4, 5, 6, 7, 7], (0.9, 0.8, 0.7, 0.6, 0.5, 0.5), "effort"),
    Row("volunteers_dilemma", ["volunteer"] * 3, (5, 5, 5), "act"),
    Row("voting", ["yes", "yes", "yes"], (20, 5, 5), "vote", {"propose": [{1: 5, 2: 5}, {}, {}]}),
    Row("voting", ["no", "yes", "yes"], (30, 0, 0), "vote", {"propose": [{}, {}, {}]}),
    Row("voting", ["no", "yes", "yes"], (0, 0, 0), "vote", {"propose": [{}, {}, {}]}, {"rule": "unanimity"}),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=lambda row: f"{row.slug}-{row.stage}-{row.moves}")
def test_a_stage_pays_what_is_reckoned_by_hand(row: Row) -> None:
    game: Any = Registry().get(row.slug).game
    plan = game.under(game.config_type(**row.config)).plan
    worked = Worker(game.made, game).worked(plan, Example(row.stage, row.moves, given=row.given), fits=False)
    assert worked is not None
    assert [cents / 100 for cents in worked[2] or [0] * plan.players] == list(row.pays)


def test_the_piles_of_the_centipede_double_at_each_pass_to_25_60_and_6_40_after_six() -> None:
    pack = Registry().get("centipede")
    told: Any = pack.theory(pack.game.config_type())  # type: ignore[misc]
    assert told["efficient"]["pays"] == [25.6, 6.4]
    assert told["equilibria"][0]["pays"] == [0.4, 0.1]


def test_ten_safe_choices_of_holt_and_laury_pay_two_or_one_sixty_and_risky_ones_three_eighty_five_or_ten_cents() -> (
    None
):
    game: Any = Registry().get("holt_laury").game
    plan = game.under(game.config_type()).plan
    for kind, pays in (("safe", {200, 160}), ("risky", {385, 10})):
        moves = {f"choice_{n}": [kind] for n in range(1, 11)}
        worked = Worker(game.made, game).worked(plan, Example("choose", moves), fits=False)
        assert worked is not None
        assert set(worked[2] or ()) <= pays


def test_every_game_of_the_shelf_has_its_pays_here_or_in_a_test_of_its_own() -> None:
    folders = {"adasociety", "dilemma", "economist", "mining", "nations"}
    others = {"double_auction", "holt_laury"}
    assert {row.slug for row in ROWS} | folders | others == set(Registry().modules())
