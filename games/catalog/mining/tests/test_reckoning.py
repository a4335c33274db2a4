"""Miners who reckon: their sums worked by hand, and that institutions change what they do."""

from __future__ import annotations

import pytest

from games.catalog.mining import PACK
from games.catalog.mining.reckoning import Prospect
from games.catalog.mining.state import Item, Raid, RoundRecord
from games.catalog.mining.tests.builder import GAME, World, board, clean
from games.core.agents import deciding
from games.core.engine import play


def prospect(world: World, patience: int = 10) -> Prospect:
    return Prospect.of(GAME.observe(world.config, world.state, 0, ()), patience)


def kinds(policy: str, world: World, seat: int = 0, **params: float) -> list[tuple[str, tuple[int, int]]]:
    """What a policy plans, which must be legal as it stands."""
    seen = GAME.observe(world.config, world.state, seat, ())
    plan, _ = PACK.policies[policy].bind(params)(seen, None, world.rng.at("seat", seat))
    assert clean(world, seat, plan) == (plan, ()), clean(world, seat, plan)[1]
    return [(item.type, item.cell) for item in plan.items if isinstance(item, Item)]


def test_the_worth_of_a_plot_and_of_a_raid_as_worked_by_hand() -> None:
    """A has 4 stamina for one plot of cap 3, B the same; no raid was seen, and each has 1 point to spare on 2 plots:
    the threat is 1/2. Bare, a plot is kept 2 rounds and yields 6; guarded for 10 rounds at 1 of 3: 20, which is more.
    """
    hopes = prospect(board("AB", stamina=4))
    assert (hopes.threat, hopes.rounds, hopes.upkeep, hopes.success) == (0.5, 10.0, 1, 1.0)
    assert hopes.worth(1, spare=9) == 20
    assert hopes.worth(1, spare=2) == 10
    assert hopes.raid(1, spare=9) == 20
    assert hopes.guard(0) == 0.5 * 3 * 10


@pytest.mark.parametrize(
    ("settings", "gold"), [({"raid_tax": 7}, 13), ({"capture_fine": 15}, 5), ({"adjudication": 0.5}, 10)]
)
def test_a_tax_a_fine_and_a_judge_stand_in_the_sum(settings: dict[str, float], gold: float) -> None:
    assert prospect(board("AB", stamina=4, **settings)).raid(1, spare=9) == gold


def test_where_a_guard_costs_all_that_a_plot_yields_nobody_counts_on_guards() -> None:
    hopes = prospect(board("AB", stamina=2, mine_cap=1))
    assert (hopes.upkeep, hopes.threat, hopes.rounds) == (0, 0.5, 2.0)
    assert hopes.worth(1, spare=5) == 2


def test_a_plot_that_was_guarded_is_left_alone_and_one_in_n_raids_is_expected_to_take() -> None:
    world = board("AB/AB", stamina=4).changed(last=RoundRecord(defended=(1,)))
    assert prospect(world).raid(1, spare=9) == 0
    assert prospect(world).raid(3, spare=9) > 0
    many = RoundRecord(raids=(Raid(1, 1, (0, 2, 3), "repelled"),))
    assert prospect(board("AB", stamina=4).changed(last=many)).success == 1 / 4


def test_a_hungry_reckoner_raids_what_pays_and_nothing_that_is_taxed_away() -> None:
    assert ("raid", (0, 1)) in kinds("reckoner", board("AB", stamina=8))
    assert all(kind != "raid" for kind, _ in kinds("reckoner", board("AB", stamina=8, raid_tax=500), tries=0))


def test_the_bourgeois_raids_nobody_and_guards_once_it_was_raided() -> None:
    assert kinds("bourgeois", board("AB", stamina=8)) == [("mine", (0, 0))]
    raided = board("AB", stamina=8).changed(challenged=(10, 0))
    assert kinds("bourgeois", raided) == [("defend", (0, 0)), ("mine", (0, 0))]


def test_the_avenger_remembers_beyond_what_is_shown_until_it_is_even() -> None:
    world = board("AABB", stamina=6, history="last").changed(last=RoundRecord(raids=(Raid(0, 0, (1,), "repelled"),)))
    policy = PACK.policies["avenger"].bind({"measure": 2})
    seen = GAME.observe(world.config, world.state, 0, ())
    _, memory = policy(seen, None, world.rng)
    assert memory == {"1": 2}
    quiet = GAME.observe(world.config, world.changed(last=RoundRecord()).state, 0, ())
    plan, memory = policy(quiet, memory, world.rng)
    assert [item.type for item in plan.items].count("raid") == 2
    even = world.changed(last=RoundRecord(raids=(Raid(2, 1, (0,), "repelled"), Raid(3, 1, (0,), "repelled"))))
    _, memory = policy(GAME.observe(even.config, even.state, 0, ()), memory, world.rng)
    assert memory == {}


def test_the_opportunist_takes_from_the_richer_alone() -> None:
    assert [cell for kind, cell in kinds("opportunist", board("ABBC", stamina=8)) if kind == "raid"] == [(0, 1), (0, 2)]


def test_where_guards_are_cheap_raids_die_out_and_where_they_are_dear_they_go_on() -> None:
    def rate(**settings: int) -> float:
        config = GAME.config_type(miners=40, rounds=40, **settings)
        seats = dict.fromkeys(range(40), deciding(PACK.policies["reckoner"].bind()))
        steps = list(play(GAME, config, 1001, seats))
        return sum(step.state.last.raid_count for step in steps[20:]) / 20 / 40

    cheap, dear = rate(mine_cap=3, stamina=10), rate(mine_cap=1, stamina=3)
    assert cheap < 0.1 < 0.3 < dear
    assert rate(mine_cap=1, stamina=3, raid_tax=5) < 0.05
