"""Mechanisms around declared games: what each pays and does, worked by hand; the laws over games with them; and that
punishment raises what conditional cooperators give."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from games.catalog.commons import Commons
from games.catalog.holt_laury import HoltLaury
from games.catalog.public_goods import PublicGoods
from games.catalog.stag_hunt import StagHunt
from games.core.agents import Request, deciding
from games.core.engine import play
from games.core.game import SeatEyes
from games.core.registry import BrokenGame, Registry, packs
from games.core.rng import Rng
from games.declare import BadDeclaration, Game, Money, Pick, missing_words, setting, stage
from games.declare.mechanisms import NAMES, fitting, slug_of
from games.declare.mechanisms.stagegame import stage_game
from games.errors.faults import Refused
from games.lab.newgame.ejecting import eject
from games.lab.scenarios.scenario import load

STAG, HARE = "stag", "hare"


class Match:
    """A match of a game with mechanisms, stepped by plain moves of each stage."""

    def __init__(self, cls: Any, *mechanisms: str, seed: int = 1, **config: Any) -> None:
        self.made = cls.around(*mechanisms)
        self.game = self.made.kernel
        self.config = self.game.config_type(**config)
        self.rng = Rng.root(seed)
        self.step = 0
        self.state = self.game.initial(self.config, self.rng.step(0)).state
        self.events: list[tuple[str, Any]] = []

    @property
    def stage(self) -> str:
        turn = self.game.turn(self.config, self.state)
        return turn.stage if turn else ""

    def move(self, stage: str, **fields: Mapping[int, Any]) -> list[float]:
        """Plays a stage: of each field, a value by seat. The pays by seat."""
        turn = self.game.turn(self.config, self.state)
        assert turn is not None
        assert turn.stage == stage
        kind = self.game.action_types[stage]
        parts = dict(self.game.fields_of[stage])
        actions = {seat: kind(*(parts[name].answered(fields[name][seat], ()) for name in parts)) for seat in turn.seats}
        self.step += 1
        done = self.game.resolve(self.config, self.state, actions, self.rng.step(self.step))
        self.state = done.state
        self.events += [(one.kind, dict(one.data)) for one in done.events]
        return [done.payoffs.get(seat, 0) for seat in range(len(self.state.total))]

    def deal(self) -> None:
        """Who meets whom in the next round."""
        if self.stage == "deal":
            self.step += 1
            self.state = self.game.resolve(self.config, self.state, {}, self.rng.step(self.step)).state

    def kinds(self) -> list[str]:
        return [kind for kind, _ in self.events]


def by(*values: Any) -> dict[int, Any]:
    return dict(enumerate(values))


# --- what each does, by hand ---------------------------------------------------------------------------


def test_a_promise_is_kept_or_broken_and_it_is_told() -> None:
    match = Match(StagHunt, "communication")
    match.move("promise", promise=by(STAG, STAG))
    assert match.move("choose", choose=by(STAG, HARE)) == [0, 3]
    told = [(kind, data["by"]) for kind, data in match.events if kind.startswith("promise_")]
    assert told == [("promise_made", 0), ("promise_made", 1), ("promise_kept", 0), ("promise_broken", 1)]


def test_more_than_was_promised_keeps_a_promise_and_less_breaks_it() -> None:
    match = Match(PublicGoods, "communication")
    match.move("promise", promise=by(10, 10, 10, 0))
    match.move("contribute", contribute=by(10, 15, 5, 0))
    told = {data["by"]: kind for kind, data in match.events if kind in ("promise_kept", "promise_broken")}
    assert told == {0: "promise_kept", 1: "promise_kept", 2: "promise_broken", 3: "promise_kept"}


def test_a_point_of_punishment_costs_one_and_takes_three_and_a_round_may_stop_at_nought() -> None:
    moves = {"contribute": by(20, 0, 0, 0)}
    match = Match(PublicGoods, "punishment")
    assert match.move("contribute", **moves) == [8, 28, 28, 28]
    assert match.move("sanction", sanction=by({1: 10}, {}, {3: 1}, {})) == [-10, -30, -1, -3]
    match = Match(PublicGoods, "punishment", sanction_floor="stops_at_0")
    match.move("contribute", **moves)
    assert match.move("sanction", sanction=by({1: 10}, {}, {3: 1}, {})) == [-8, -28, -1, -3]


def test_a_point_of_reward_costs_one_and_brings_what_is_set() -> None:
    match = Match(StagHunt, "reward", reward_effect=2)
    match.move("choose", choose=by(STAG, STAG))
    assert match.move("bonus", bonus=by({1: 3}, {})) == [-3, 6]


def test_a_contract_that_all_sign_moves_what_it_says_between_them() -> None:
    match = Match(StagHunt, "contracts")
    match.move("propose", term_stag=by(0, 0), term_hare=by(-2, 9))
    match.move("approve", approve=by({}, {0: 1}))
    match.move("sign", sign=by("sign", "sign"))
    assert match.move("choose", choose=by(STAG, HARE)) == [2, 1]
    assert "contract_signed" in match.kinds()


def test_a_contract_that_one_refuses_is_void() -> None:
    match = Match(StagHunt, "contracts")
    match.move("propose", term_stag=by(0, 0), term_hare=by(-2, 9))
    match.move("approve", approve=by({}, {0: 1}))
    match.move("sign", sign=by("sign", "refuse"))
    assert match.move("choose", choose=by(STAG, HARE)) == [0, 3]
    assert [data["by"] for kind, data in match.events if kind == "contract_refused"] == [1]


def test_of_an_amount_a_contract_is_for_each_unit_and_from_the_others_in_equal_parts() -> None:
    match = Match(PublicGoods, "contracts")
    match.move("propose", term_each=by(3, 0, 0, 0))
    match.move("approve", approve=by({}, {0: 1}, {0: 1}, {0: 1}))
    match.move("sign", sign=by(*["sign"] * 4))
    plain = [20 - 10 + 4, 20 + 4, 20 + 4, 20 + 4]
    moved = [30, -10, -10, -10]
    assert match.move("contribute", contribute=by(10, 0, 0, 0)) == [a + b for a, b in zip(plain, moved, strict=True)]


def test_a_mediator_plays_for_all_who_delegate_by_how_many_they_are() -> None:
    for choices, moves in ((("delegate", "delegate"), (STAG, STAG)), (("delegate", "decide"), (HARE, STAG))):
        match = Match(StagHunt, "mediation")
        match.move("mediate", for_1=by(HARE, STAG), for_2=by(STAG, HARE))
        match.move("endorse", endorse=by({}, {0: 1}))
        match.move("delegate", delegate=by(*choices))
        paid = match.move("choose", choose=by(STAG, STAG))
        assert match.state.choose == moves
        assert paid == {(STAG, STAG): [5, 5], (HARE, STAG): [3, 0]}[moves]


def test_a_rule_holds_in_a_round_where_more_than_half_vote_for_it() -> None:
    for votes, comes in ((("yes", "yes", "yes", "no"), "sanction"), (("yes", "yes", "no", "no"), "vote")):
        match = Match(PublicGoods, "punishment", "voting")
        match.move("vote", vote=by(*votes))
        match.move("contribute", contribute=by(0, 0, 0, 0))
        assert match.stage == comes


def test_an_authority_taxes_shares_out_and_fines_by_how_far_a_move_falls_short() -> None:
    match = Match(PublicGoods, "authority", tax=0.5, penalty=8, audits=1)
    plain, fines = [36, 16, 26, 26], [8, 0, 4, 4]  # the fund pays 1.6 x 40 / 4 = 16 each
    share = (sum(plain) / 2 + sum(fines)) / 4
    due = [pay / 2 - fine + share for pay, fine in zip(plain, fines, strict=True)]
    assert match.move("contribute", contribute=by(0, 20, 10, 10)) == due


def test_who_has_left_earns_outside_and_its_place_gives_nothing() -> None:
    match = Match(PublicGoods, "exit", outside=7)
    match.move("stay", stay=by("leave", "stay", "stay", "stay"))
    assert match.move("contribute", contribute=by(None, 20, 20, 20)) == [7, 24, 24, 24]
    turn = match.game.turn(match.config, match.state)
    assert turn is not None
    assert list(turn.seats) == [1, 2, 3]


def test_repetition_goes_on_with_its_chance_and_ends_at_the_most() -> None:
    lengths = [_length(seed, continuation=0.8, rounds=15) for seed in range(300)]
    mean = sum(lengths) / len(lengths)
    assert 4.2 <= mean <= 5.5  # (1 - 0.8^15) / 0.2 = 4.82, its standard error 0.22
    assert max(lengths) == 15
    assert _length(1, ending="fixed", rounds=7) == 7
    assert _length(1, repetition=False) == 1


def _length(seed: int, **config: Any) -> int:
    match = Match(StagHunt, "repetition", seed=seed, **config)
    while match.stage:
        match.move("choose", choose=by(STAG, STAG))
    return int(match.state.played)


def test_a_length_that_is_not_told_stands_in_no_view_and_no_observation() -> None:
    match = Match(StagHunt, "repetition", ending="hidden", rounds=7)
    assert match.game.view(match.config, match.state, SeatEyes(0))["rounds"] is None
    assert match.game.observe(match.config, match.state, 0, ()).rounds is None


def test_reputation_shows_the_last_moves_of_those_whom_one_meets_and_of_nobody_else() -> None:
    match = Match(StagHunt, "reputation", groups=4, record=2)
    rows = []
    for number in range(6):
        moves = by(*(STAG if (seat + number) % 3 else HARE for seat in range(8)))
        rows.append(tuple(moves.values()))
        match.move("choose", choose=moves)
        match.deal()
    for seat in range(8):
        seen = match.game.observe(match.config, match.state, seat, ())
        partner = next(one for one in seen.members if one != seat)
        for back in (1, 2, 3):
            row, met = seen.past.choose[-back], match.state.seatings[-1 - back]
            at = met.index(seat)
            then = met[at ^ 1]
            known = {seat, then} | ({partner} if back <= 2 else set())
            assert row == tuple(move if one in known else None for one, move in enumerate(rows[-back]))


def test_reputation_of_a_higher_order_shows_what_those_whom_a_partner_met_did_in_it_and_before() -> None:
    match = Match(StagHunt, "reputation", groups=4, record=3, depth=2)
    rows = []
    for number in range(5):
        moves = by(*(STAG if (seat + number) % 3 else HARE for seat in range(8)))
        rows.append(tuple(moves.values()))
        match.move("choose", choose=moves)
        match.deal()
    met = match.state.seatings

    def partner(seat: int, row: int) -> int:
        return int(met[row][met[row].index(seat) ^ 1])

    for seat in range(8):
        seen = match.game.observe(match.config, match.state, seat, ())
        one = partner(seat, 5)
        for row in range(5):
            known = {seat, partner(seat, row)}
            if row >= 2:
                known |= {one, partner(one, row)}
                known |= {partner(who, later) for who in (seat, one) for later in range(max(row, 2), 5)}
            assert seen.past.choose[row] == tuple(m if at in known else None for at, m in enumerate(rows[row]))
            groups = seen.past.met[row]
            assert [at for at, group in enumerate(groups) if group is not None] == sorted(known)
            if row >= 2:
                assert groups[one] == groups[partner(one, row)]


def test_who_judges_forgives_what_was_done_to_one_who_had_fallen_short() -> None:
    for depth, does in ((1, HARE), (2, STAG)):
        assert _judged(depth) == does


def _judged(depth: int) -> Any:
    """What a judge does with one who last hunted the hare with somebody that had hunted it before."""
    pack = Registry().get("stag_hunt-reputation")
    config = pack.game.config_type(groups=3, rounds=3, record=3, depth=depth)
    for seed in range(10):
        match = Match(StagHunt, "reputation", seed=seed, groups=3, rounds=3, record=3, depth=depth)
        match.move("choose", choose={seat: HARE if seat == 5 else STAG for seat in range(6)})
        match.deal()
        met = match.state.seatings
        faced = met[1][met[1].index(5) ^ 1]
        match.move("choose", choose={seat: HARE if seat == faced else STAG for seat in range(6)})
        match.deal()
        now = match.state.seatings[2]
        judge = now[now.index(faced) ^ 1]
        if judge != 5:
            seen = match.game.observe(config, match.state, judge, ())
            spec = pack.game.actions(config, match.state, judge)
            request = Request(3, match.game.turn(config, match.state), judge, seen, spec, None, None, Rng.root(1))
            return deciding(pack.policies["judge"].bind())(request).action.choose
    raise AssertionError("nobody met so")


def test_who_is_rewarded_enough_goes_on_with_what_is_best_for_all() -> None:
    assert _rewarded(effect=2)[-1] == (20,) * 4
    assert _rewarded(effect=0.1)[-1][2] == 0


def _rewarded(effect: float) -> Any:
    pack = Registry().get("public_goods-reward")
    config = pack.game.config_type(rounds=3, reward_points=30, reward_effect=effect)
    who = ("altruist", "altruist", "selfish", "altruist")
    deciders = {seat: deciding(pack.policies[name].bind()) for seat, name in enumerate(who)}
    steps = list(play(pack.game, config, 1, {**deciders, 2: _first_all(deciders[2])}))
    return steps[-1].state.past_contribute


def _first_all(decide: Any) -> Any:
    """Gives all in the first round, then decides by itself."""

    def answer(request: Any) -> Any:
        decision = decide(request)
        is_first = request.turn.stage == "contribute" and dict(request.turn.clock)["round"] == 1
        return replace(decision, action=replace(decision.action, contribute=20)) if is_first else decision

    return answer


def test_who_has_left_delegates_to_nobody() -> None:
    match = Match(PublicGoods, "mediation", "exit", outside=7, players=4)
    match.move("stay", stay=by("leave", "stay", "stay", "stay"))
    match.move("mediate", for_fewer=by(0, 5, 0, 0), for_all=by(0, 20, 0, 0))
    match.move("endorse", endorse=by({1: 1}, {}, {1: 1}, {1: 1}))
    match.move("delegate", delegate=by(*["delegate"] * 4))
    assert match.move("contribute", contribute={}) == [7, 21, 21, 21]  # three give 5: the fund pays 1.6 x 15 / 4 = 6


def test_nobody_leaves_for_good_by_a_slip_of_the_hand() -> None:
    pack = Registry().get("stag_hunt-repetition-exit")
    config = pack.game.config_type(ending="fixed", rounds=10, noise=1, outside=0)
    seats = {seat: deciding(pack.policies["selfish"].bind()) for seat in range(2)}
    state = list(play(pack.game, config, 1, seats))[-1].state
    assert state.left == (0, 0)
    assert set(state.past_choose) == {(STAG, STAG)}  # every hand that means the hare slips


def test_who_earns_less_than_outside_for_three_rounds_leaves() -> None:
    pack = Registry().get("stag_hunt-repetition-exit")
    config = pack.game.config_type(ending="fixed", rounds=5, outside=4)
    seats = {seat: deciding(pack.policies["selfish"].bind()) for seat in range(2)}
    steps = list(play(pack.game, config, 1, seats))
    assert [row[0] for row in steps[-1].state.past_left] == [0, 0, 0, 100, 100]  # a hare brings 3


# --- what fits, and what is called how -----------------------------------------------------------------


def test_what_does_not_fit_is_refused_with_its_reason() -> None:
    with pytest.raises(BadDeclaration, match="there is none of that name; there are repetition"):
        StagHunt.around("bribes")
    with pytest.raises(BadDeclaration, match="voting does not fit around stag_hunt: there is no rule to vote on"):
        StagHunt.around("voting")
    with pytest.raises(BadDeclaration, match="contracts does not fit around commons: something is drawn or carried"):
        Commons.around("contracts")
    assert fitting(Commons) == ("repetition", "reputation", "punishment", "reward", "voting")


class Praise(Game):
    """A game that calls a setting of its own as a mechanism is called."""

    rounds: int = setting(3, 1, 10)
    punishment: Money = setting(1, 0, 10)

    @stage(Pick(give="Give", keep="Keep"), silence="keep")
    def choose(self, choices):  # type: ignore[no-untyped-def]
        """Who keeps loses {punishment}."""
        return [-self.punishment if one == "keep" else 0 for one in choices]

    def equilibria(self):  # type: ignore[no-untyped-def]
        return [["give", "give"]]


def test_a_setting_that_is_called_as_a_mechanism_is_none() -> None:
    with pytest.raises(BadDeclaration, match="around praise: punishment: it has that of its own; give it another name"):
        Praise.around("punishment")
    assert "reward" in fitting(Praise)
    assert plays_all(Praise, "repetition") > 0


def test_around_a_game_of_one_seat_nothing_is_laid_but_repetition() -> None:
    with pytest.raises(BadDeclaration, match="punishment does not fit around holt_laury: it has one seat"):
        HoltLaury.around("punishment")


DECLARED = [
    slug for slug in Registry().modules() if slug not in ("adasociety", "dilemma", "economist", "mining", "nations")
]
COOPEVAL_GAMES = (
    "prisoners_dilemma", "public_goods", "stag_hunt", "travellers_dilemma", "trust_matrix", "matching_pennies"
)  # fmt: skip
COOPEVAL_RULES = {
    "none": [],
    "repetition": ["repetition"],
    "reputation_first_order": ["repetition", "reputation"],
    "reputation": ["repetition", "reputation"],
    "mediation": ["mediation"],
    "contracts": ["contracts"],
}
QUICK = ("prisoners_dilemma", "travellers_dilemma", "trust_matrix")


@pytest.mark.parametrize(
    "slug", [pytest.param(one, marks=() if one in QUICK else pytest.mark.full) for one in DECLARED]
)
def test_what_fits_around_a_game_plays_with_each_of_its_policies(slug: str) -> None:
    cls = Registry().get(slug).game.made.cls  # type: ignore[attr-defined]
    for name in fitting(cls):
        assert plays_all(cls, *(("punishment", "voting") if name == "voting" else (name,))) > 0


def plays_all(cls: Any, *mechanisms: str) -> int:
    """A match of each policy in every seat that it can take; how many."""
    pack = cls.around(*mechanisms).pack()
    config, played = pack.game.config_type(), 0
    for name, spec in pack.policies.items():
        if spec.reckons:
            continue
        who = [name if spec.can_play(one.role) else pack.default_for(one.role) for one in pack.game.seats(config)]
        played += bool(
            list(play(pack.game, config, 1, {at: deciding(pack.policies[one].bind()) for at, one in enumerate(who)}))
        )
    return played


def test_a_game_with_mechanisms_is_not_ejected_since_they_have_no_file(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="eject stag_hunt by itself"):
        eject(Registry().get("stag_hunt-reward"), tmp_path)
    assert not list(tmp_path.iterdir())


def test_a_scenario_lays_mechanisms_around_its_game_with_settings_of_theirs(tmp_path: Path) -> None:
    file = tmp_path / "fines.yaml"
    file.write_text("{game: public_goods, mechanisms: {punishment: {sanction_effect: 2}, repetition: }}")
    found = load(str(file))
    assert found.pack.slug == "public_goods-repetition-punishment"
    assert found.conditions[0].config.sanction_effect == 2
    file.write_text("{game: public_goods, mechanisms: {punish: {}}}")
    with pytest.raises(Refused, match="mechanisms: 'punish': did you mean punishment"):
        load(str(file))


def test_all_ten_mechanisms_fit_one_name_and_a_file_may_lay_them_all() -> None:
    for slug in DECLARED:
        assert len(slug_of(slug, NAMES)) <= 64
    assert slug_of("stag_hunt", ("repetition", "reward")) == "stag_hunt-repetition-reward"
    found = load("docs/examples/rules-prisoners-dilemma.yaml")
    assert found.pack.slug == "prisoners_dilemma-rep-rpn-com-pun-rew-con-med-vot-aut-exi"
    assert Registry().get(found.pack.slug).slug == found.pack.slug
    with pytest.raises(BrokenGame, match="calls itself 'stag_hunt-punishment'"):
        Registry().get("stag_hunt-pun")


@pytest.mark.parametrize("slug", COOPEVAL_GAMES)
def test_coopeval_has_its_six_games_by_its_six_mechanisms_with_the_papers_parameters(slug: str) -> None:
    pack = Registry().get(f"{slug}-coopeval")
    told = {name: load(f"{slug}-coopeval/{name}").conditions[0].config for name in COOPEVAL_RULES}
    assert set(pack.game.made.treatments) == set(COOPEVAL_RULES)  # type: ignore[attr-defined]
    for name, config in told.items():
        on = [one for one in ("repetition", "reputation", "mediation", "contracts") if getattr(config, one)]
        assert on == COOPEVAL_RULES[name]
        assert (config.continuation, config.rounds, config.record) == (0.8, 15, 3)
        assert config.matching == ("strangers" if "reputation" in on else "partners")
    assert (told["reputation"].depth, told["reputation_first_order"].depth) == (3, 1)


def test_coopeval_pays_as_its_files_say() -> None:
    fund = load("public_goods-coopeval/none").conditions[0].config
    assert (fund.players, fund.multiplier, fund.endowment) == (3, 1.5, 1)
    claims = load("travellers_dilemma-coopeval/none").conditions[0].config
    assert (claims.min_claim, claims.max_claim, claims.claim_bonus) == (2, 5, 2)
    with pytest.raises(BadDeclaration, match="commons: CoopEval has no such game"):
        Commons.around("coopeval")


def test_games_with_mechanisms_are_found_by_name_and_not_listed() -> None:
    found = packs()
    assert "stag_hunt-repetition-punishment" in found
    assert "stag_hunt-repetition-punishment" not in list(found)
    assert found.get("stag_hunt-bribes") is None
    assert load("stag_hunt-repetition-punishment/none").pack.slug == "stag_hunt-repetition-punishment"
    assert Registry().get("stag_hunt-reward").title.startswith("Stag hunt")


@pytest.mark.parametrize("cls", [StagHunt, PublicGoods], ids=lambda one: one.declared.slug)
def test_every_mechanism_has_its_words_in_chinese_and_a_name_that_says_it(cls: Any) -> None:
    for name in NAMES:
        pack = cls.around(*({"voting": ("punishment", "voting")}.get(name, (name,)))).pack()
        assert missing_words(pack) == {"zh": []}
        for language in ("en", "zh"):
            book = pack.words.book(language)
            assert book["name"] != cls.pack().words.book(language)["name"]
            assert not [part for part in book["face"] if "_" in part["label"]]


def test_the_stage_game_knows_what_is_best_for_all_and_what_for_each() -> None:
    hunt = stage_game(StagHunt, StagHunt.kernel.config_type())
    assert (hunt.efficient, hunt.selfish) == ((STAG, STAG), (HARE, HARE))
    fund = stage_game(PublicGoods, PublicGoods.kernel.config_type())
    assert (fund.efficient, fund.selfish) == ((20,) * 4, (0,) * 4)
    assert fund.loss(0) == 1200
    assert [fund.falls_short(move, 0) for move in (20, 15, 0)] == [0, 0.25, 1]
    assert fund.efficiency(4 * 2600) == 0.5


# --- the laws ------------------------------------------------------------------------------------------

TRIED = ("stag_hunt-reputation-communication", "public_goods-repetition-punishment-voting")
CROSS = [f"{game}-{name}" for game in ("stag_hunt", "public_goods") for name in NAMES if name != "voting"] + [
    "stag_hunt-contracts-mediation",
    "public_goods-repetition-communication-punishment",
    "commons-punishment",
]


@pytest.mark.polity(*TRIED, quick=dict.fromkeys(TRIED, ("default",)), slow="full")
def test_law(polity_law: Callable[[], None]) -> None:
    polity_law()


@pytest.mark.full
@pytest.mark.parametrize("slug", CROSS)
def test_laws_hold_of_every_mechanism_around_games_of_a_choice_and_of_an_amount(slug: str) -> None:
    from games.laws.checking import verdicts
    from games.laws.loading import subject

    of = subject(slug)
    failed = [str(one) for one in verdicts([of.case(name) for name in of.presets]) if not one.holds]
    assert not failed, "\n".join(failed)


# --- what it does --------------------------------------------------------------------------------------


@cache
def given(preset: str, seed: int) -> list[float]:
    """What a group with conditional cooperators gives on average, by round."""
    found = load(f"public_goods-punishment/{preset}")
    pack, config = found.pack, found.conditions[0].config
    who = ("conditional", "altruist", "selfish", "conditional")
    seats = {seat: deciding(pack.policies[name].bind()) for seat, name in enumerate(who)}
    steps = list(play(pack.game, config, seed, seats))
    return [sum(row) / 4 for row in steps[-1].state.past_contribute]


@pytest.mark.parametrize(("penalty", "gives"), [(20, 0), (30, 20)])
def test_who_is_selfish_gives_where_a_likely_fine_outweighs_what_it_keeps(penalty: int, gives: int) -> None:
    found = load("public_goods-authority/default")
    config = found.pack.game.config_type(rounds=1, penalty=penalty, audits=0.5)
    seats = {seat: deciding(found.pack.policies["selfish"].bind()) for seat in range(4)}
    steps = list(play(found.pack.game, config, 1, seats))  # to keep 20 brings 12; half a fine of 24 would be as much
    assert steps[-1].state.past_contribute[-1] == (gives,) * 4


def test_punishment_raises_what_conditional_cooperators_give_and_without_it_gifts_decay() -> None:
    without, with_it = given("none", 1), given("default", 1)
    assert without[-1] < without[1] < without[0]
    assert with_it[-1] > with_it[0]
    assert with_it[-1] > 18
