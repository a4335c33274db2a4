"""What a declaration says, what of it is refused at import, and that a match is what it says."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import pytest
from pydantic import ValidationError

from games.core.agents import Decision, deciding
from games.core.engine import play
from games.core.game import All, Public, SeatEyes
from games.core.registry import get, packs
from games.declare import (
    Amount,
    BadDeclaration,
    Cell,
    Fixed,
    Game,
    Geometric,
    Matrix,
    Money,
    Pick,
    Points,
    Text,
    carried,
    deal,
    draw,
    example,
    measure,
    missing_words,
    policy,
    setting,
    show,
    stage,
)
from games.declare.money import exact, hundredths, number
from games.declare.plan import perfect_rounds


def declared(**body: Any) -> Any:
    """A game of two in which each gives 0 to 10, with what is said beside."""

    def give(self: Any, gifts: Any) -> Any:
        """Give up to {most}."""
        return [-gift for gift in gifts]

    room: dict[str, Any] = {
        "__annotations__": {"rounds": int, "most": Money},
        "rounds": setting(3, 1, 100),
        "most": setting(10, 0, 100),
        "give": stage(Amount(0, "most"), silence=0)(give),
    }
    return type(Game)("Gift", (Game,), {**room, **body})


# --- money ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "cents"),
    [(12, 1200), (Fraction(48, 5), 960), (Fraction(1, 3), 33), (Fraction(2, 3), 67), (Fraction(1, 200), 0),
     (Fraction(3, 200), 2), (Fraction(-1, 200), 0), (Fraction(-3, 200), -2), (0.1 + 0.2, 30), (1.005, 100),
     (1.015, 102)],
)  # fmt: skip
def test_money_is_rounded_once_to_the_nearest_hundredth_a_half_to_the_even_one(value: Any, cents: int) -> None:
    assert hundredths(value) == cents
    assert hundredths(-value) == -cents
    assert hundredths(number(cents)) == cents


def test_a_decimal_setting_is_exact_in_a_stage() -> None:
    assert exact(1.6) * 30 / 4 == 12
    with pytest.raises(ValueError, match="nan: no finite number"):
        hundredths(float("nan"))


# --- what is refused ------------------------------------------------------------------------------


def quiet(self: Any, moves: Any) -> None:
    """Say nothing."""


def lost(self: Any, moves: Any) -> None:
    """Give {mots}."""


def asking(self: Any, moves: Any, gits: Any) -> None:
    """Ask."""


def empty(self: Any) -> None:
    """Ask."""


def bare(self: Any, moves: Any) -> None: ...


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"give": stage(Amount(0, "mots"), silence=0)(quiet)}, r"stage quiet: bound 'mots': .*'most'\?"),
    ({"give": stage(Amount(0, 10))(quiet)}, "stage quiet: no silence; say what no answer plays"),
    ({"give": stage(Amount(0, 10), silence=0)(asking)}, "stage asking: parameter 'gits'"),
    ({"give": stage(Amount(0, 10), silence=0)(empty)}, "stage empty: no parameter for its moves"),
    ({"give": stage(silence=0)(quiet)}, "stage quiet: no field"),
    (
        {"give": stage(Amount(0, 10), silence=0)(lost)},
        r"docstring's \{mots\} 'mots': no setting of that name; 'most'\?",
    ),
    ({"give": stage(Amount(0, 10), silence=0)(bare)}, "stage bare: no docstring"),
    ({"give": stage(Amount(0, 10), silence=0, seen="everyone")(quiet)}, "seen 'everyone'"),
    ({"give": stage(Amount(0, 10), silence=0, when="open")(quiet)}, "when 'open'"),
    ({"ends": Fixed("turns")}, "ends: bound 'turns'"),
    ({"rounds": setting(3)}, r"rounds: a number needs both bounds: setting\(3, least, most\)"),
    ({"examples": [example("give", [3, 4], pays=[-3, -5])]}, r"pays \[-3, -4\]; \[-3, -5\] is expected"),
    ({"examples": [example("give", [3], pays=[-3])]}, "1 moves for 2 players"),
    ({"examples": [example("give", [3, 11], pays=[-3, -11])]}, "11 at place 1 is not allowed"),
    ({"examples": [example("take", [3, 4])]}, "no stage of that name; there are give"),
    ({"measures": [measure("gift")]}, "measure 'gift_mean' 'gift'"),
    ({"treatments": {"rich": {"mots": 3}}}, r"treatment 'rich' 'mots': .*'most'\?"),
    ({"seats": carried(3)}, "'seats': a name that every game has"),
    ({"give": stage(Amount(0, 10), silence=0)(lambda self, gifts: [1])}, "no docstring"),
]


@pytest.mark.parametrize(("body", "line"), WRONG)
def test_a_wrong_declaration_is_refused_at_import_in_one_line(body: dict[str, Any], line: str) -> None:
    with pytest.raises(BadDeclaration, match=line) as refused:
        declared(**body)
    assert str(refused.value).startswith("Gift")
    assert "\n" not in str(refused.value)


def test_a_stage_that_pays_too_few_is_refused_when_it_is_tried() -> None:
    def give(self: Any, gifts: Any) -> Any:
        """Give."""
        return [1]

    with pytest.raises(BadDeclaration, match="stage give: 1 pays for 2 players; one for each"):
        declared(give=stage(Amount(0, 10), silence=0)(give), examples=[example("give", [0, 0], pays=[1, 1])])


def test_a_policy_without_a_rule_or_with_a_role_that_is_not_there_is_refused() -> None:
    game = declared()
    with pytest.raises(BadDeclaration, match="policy bare: no docstring"):
        policy(game)(bare)
    with pytest.raises(BadDeclaration, match="roles"):
        policy(game, roles="king")(quiet)


# --- a match --------------------------------------------------------------------------------------


def silent(request: Any) -> Decision[Any]:
    return Decision(None)


def test_public_goods_pays_as_worked_by_hand() -> None:
    """Gifts 20, 20, 0, 20: the fund is 96, 24 for each; then three points at 3 against who gave nothing."""
    pack = get("public_goods")
    config = pack.game.config_type(rounds=1)
    seated = ["punisher", "punisher", "free_rider", "punisher"]
    deciders = {seat: deciding(pack.policies[name].bind()) for seat, name in enumerate(seated)}
    _, give, punish = play(pack.game, config, 1, deciders)
    assert give.payoffs == {0: 24, 1: 24, 2: 44, 3: 24}
    assert punish.payoffs == {0: -1, 1: -1, 2: -9, 3: -1}
    assert pack.game.view(config, punish.state, All())["total"] == [23, 23, 35, 23]
    assert pack.game.view(config, punish.state, SeatEyes(2))["total"] == [None, None, 35, None]
    assert pack.game.view(config, punish.state, Public())["punish"] == [[None] * 4] * 4
    assert pack.game.turn(config, punish.state) is None


def test_who_is_silent_plays_the_silence_and_a_stage_without_its_condition_is_not_played() -> None:
    pack = get("public_goods")
    config = pack.game.config_type(rounds=2, budget=0)
    steps = list(play(pack.game, config, 1, dict.fromkeys(range(4), silent)))
    assert [step.turn.stage for step in steps[1:]] == ["contribute", "contribute"]
    assert steps[1].payoffs == dict.fromkeys(range(4), 20)
    assert steps[1].flags == dict.fromkeys(range(4), ("no_answer",))


def test_an_answer_in_turn_sees_what_went_before_and_roles_stay() -> None:
    pack = get("ultimatum")
    config = pack.game.config_type(rounds=1, groups=3, matching="strangers")
    assert [seat.role for seat in pack.game.seats(config)] == ["proposer", "responder"] * 3
    least, fair = (deciding(pack.policies[name].bind()) for name in ("least", "fair"))
    _, offer, reply = play(pack.game, config, 4, {seat: (least, fair)[seat % 2] for seat in range(6)})
    assert offer.turn.seats == (0, 2, 4)
    assert reply.turn.seats == (1, 3, 5)
    assert set(reply.payoffs.values()) == {0}
    assert pack.game.view(config, reply.state, Public())["offer"] == [None] * 6
    group = pack.game.view(config, reply.state, SeatEyes(0))["group"]["rows"][0][1]  # type: ignore[index,call-overload]
    shown = pack.game.view(config, reply.state, SeatEyes(0))["offer"]
    assert [seat for seat, one in enumerate(shown) if one is not None] == [seat for seat in group if seat % 2 == 0]  # type: ignore[arg-type]


def test_perfect_strangers_never_meet_twice_and_strangers_are_drawn() -> None:
    pack = get("ultimatum")
    config = pack.game.config_type(rounds=5, groups=5, matching="perfect")
    plan = pack.game.under(config).plan  # type: ignore[attr-defined]
    met: set[frozenset[int]] = set()
    for number_of in range(perfect_rounds(5, 2)):
        seating = plan.seated(number_of, None)
        for group in range(5):
            pair = frozenset(plan.members(seating, group))
            assert pair not in met
            met.add(pair)
    assert len(met) == 25
    with pytest.raises(ValidationError, match="perfect strangers last 5 rounds in 5 groups of 2; there are 6 rounds"):
        pack.game.config_type(rounds=6, groups=5, matching="perfect")


def test_a_commons_that_is_emptied_ends_early_and_its_stock_is_carried() -> None:
    pack = get("commons")
    config = pack.game.config_type()
    grab = deciding(pack.policies["grabber"].bind({"part": 1}))
    last = list(play(pack.game, config, 1, dict.fromkeys(range(4), grab)))[-1]
    assert (last.index, last.state.over, last.state.stock) == (1, "is_gone", (0,))
    kept = list(play(pack.game, config, 1, dict.fromkeys(range(4), silent)))
    assert len(kept) == 21
    assert all(before.state.stock <= after.state.stock for before, after in pairwise(kept))


def test_a_private_value_is_its_owners_alone_and_drawn_anew_each_round() -> None:
    pack = get("auction")
    config = pack.game.config_type(rounds=3)
    steps = list(play(pack.game, config, 1, dict.fromkeys(range(4), deciding(pack.policies["truthful"].bind()))))
    assert [step.turn.stage for step in steps[1:]] == ["bid", "deal", "bid", "deal", "bid"]
    assert steps[2].turn.seats == ()
    values = steps[2].state.value
    assert values != steps[0].state.value
    assert pack.game.view(config, steps[2].state, SeatEyes(1))["value"] == [None, values[1], None, None]
    assert all(step.to == (step.data["seat"],) for step in steps[2].events)


def test_every_kind_of_field_draw_and_part_plays_and_keeps_its_shape() -> None:
    class Everything(Game):
        """Everything."""

        players = 3
        roles = ("spy", "agent")
        cards: Any = deal("red", "blue", "blue")
        luck: Any = draw(of=("sun", "rain"), weights=(3, 1), by="group", seen="all")
        purse: Any = carried(5, by="seat", seen="own")

        @stage(
            where=Cell(3, 4), word=Text(10), whom=Pick(to="others"), silence={"where": (0, 0), "word": "", "whom": 0},
            seen="agent", after="round",
        )  # fmt: skip
        def act(self, where: Any, word: Any, whom: Any) -> Any:
            """Choose a cell, a word and one of the others."""
            self.purse = [
                held + self.rng.below(2, "more", seat) for seat, held in zip(self.seats, self.purse, strict=True)
            ]

        @stage(Points(most=4), silence={}, who="turn")
        def hand(self, points: Any, whom: Any) -> Any:
            """Give points, one after the other."""
            return {0: points.to(0)}

        @show("graph", seen="none")
        def links(self) -> Any:
            return {"edges": []}

        ends = Geometric(0.5, most=4)

    game = Everything.kernel
    config = game.config_type(talk=True)
    randoms = dict.fromkeys(range(3), deciding(Everything.declared.policies["random"].bind()))
    steps = list(play(game, config, 3, randoms))
    stages = [step.turn.stage for step in steps[1:6]]
    assert stages == ["talk", "act", "hand", "hand", "hand"]
    assert [step.turn.seats for step in steps[3:6]] == [(0,), (1,), (2,)]
    assert sorted(steps[0].state.cards) == ["blue", "blue", "red"]
    shown = game.view(config, steps[2].state, SeatEyes(0))
    assert shown["links"] is None
    assert game.view(config, steps[2].state, All())["links"] == {"edges": []}
    assert [one is None for one in shown["purse"]] == [False, True, True]  # type: ignore[union-attr]
    assert steps[-1].state.over in ("chance", "cut")
    assert game.horizon(config) is None
    assert game.seats(config)[0].name == "spy"
    assert [seat.name for seat in game.seats(config)[1:]] == ["agent 1", "agent 2"]


def test_what_is_seen_when_the_round_is_over_is_hidden_until_then() -> None:
    def give(self: Any, gifts: Any) -> Any:
        """Give up to {most}."""

    def wait(self: Any, waits: Any) -> Any:
        """Wait."""

    game = declared(
        give=stage(Amount(0, "most"), silence=0, after="round")(give), wait=stage(Pick("yes", "no"), silence="no")(wait)
    ).kernel
    config = game.config_type()
    steps = list(play(game, config, 1, dict.fromkeys((0, 1), silent)))
    assert game.view(config, steps[1].state, SeatEyes(0))["give"] == [0, None]
    assert game.view(config, steps[2].state, SeatEyes(0))["give"] == [0, 0]
    assert [event.kind for event in steps[2].events if event.kind.startswith("give")] == ["give_shown", "give_shown"]
    assert game.observe(config, steps[1].state, 0, ()).give == (0, None)


def test_a_policy_that_recalls_one_round_cannot_see_more() -> None:
    pack = get("stag_hunt")
    game = pack.game
    config = game.config_type(rounds=5)
    made = type(game).__dict__ and game.made  # type: ignore[attr-defined]

    @policy(made.cls, recall=1, name="counting")
    def counting(seat: Any, now: Any) -> Any:
        """Counts the rounds."""
        return "stag" if now.round < 3 else "hare"

    try:
        spec = made.policies["counting"]
        with pytest.raises(
            AttributeError, match=r"now.round: a policy with recall=1 sees the moves of that many rounds"
        ):
            list(play(game, config, 1, dict.fromkeys((0, 1), deciding(spec.bind()))))
    finally:
        del made.policies["counting"], made.recalls["counting"], made.written["counting"]


def test_a_policy_that_recalls_one_round_is_asked_once_for_the_same_round_under_the_same_settings() -> None:
    asked: list[tuple[float, int, Any]] = []
    game = Matrix(
        "Sides",
        choices=("left", "right"),
        pays={("left", "left"): (1, 1), ("left", "right"): (0, "tip"), ("right", "right"): (1, 1)},
        settings={"tip": setting(2, 0, 9)},
    )

    def turned(seat: Any, now: Any) -> str:
        """Changes sides where the other was on its own and is tipped much."""
        last = now.past.choose[-1:]
        asked.append((now.tip, seat, last))
        return "right" if last and last[0][0] == last[0][1] and now.tip > 2 else "left"

    policy(game, recall=1, name="short")(turned)
    policy(game, name="long")(turned)

    def moves(name: str, tip: int) -> list[Any]:
        config = configs[tip]
        both = dict.fromkeys((0, 1), deciding(game.declared.policies[name].bind()))
        return [step.actions for step in play(game.kernel, config, 3, both)]

    configs = {tip: game.kernel.config_type(rounds=60, noise=0.3, tip=tip) for tip in (2, 3)}
    short = [moves("short", tip) for tip in (2, 3, 2)]
    assert len(asked) == len(set(asked)) == 2 * 2 * (1 + 4), "by settings, seat, and the round before or none"
    assert short == [moves("long", tip) for tip in (2, 3, 2)]
    assert short[0] == short[2] != short[1]


@pytest.mark.parametrize("slug", [slug for slug, pack in packs().items() if pack.folder is None])
def test_the_declared_games_of_the_catalog_lack_no_words(slug: str) -> None:
    assert missing_words(get(slug)) == {"zh": []}


def test_what_a_language_lacks_is_listed_and_told_in_english() -> None:
    pack = declared().pack()
    assert missing_words(pack)["zh"][:2] == ["name", "tagline"]
    assert pack.words.book("zh")["stages"]["give"] == "Give"
    assert not pack.words.brings("zh")


def test_in_each_of_several_groups_whoever_is_asked_answers_and_all_are_paid_by_place() -> None:
    class Purchase(Game):
        """A buyer names one of two sellers, who alone answers."""

        roles = ("buyer", "seller", "seller")
        rounds = setting(2, 1, 100)

        @stage(Pick(to="others"), who="buyer", silence=2)
        def choose(self, chosen: Any) -> Any:
            """The buyer chooses a seller."""

        @stage(Pick("accept", "refuse"), who="asked", silence="accept")
        def reply(self, replies: Any, choose: Any) -> Any:
            """Who is chosen accepts or refuses."""
            return {0: 7, choose[0]: 5} if replies[choose[0]] == "accept" else None

        def asked(self) -> Any:
            return [self.choose[0]]

    game = Purchase.kernel
    config = game.config_type(groups=2)
    steps = list(play(game, config, 1, dict.fromkeys(range(6), silent)))
    assert [step.turn.seats for step in steps[1:3]] == [(0, 3), (2, 5)]
    assert steps[1].state.choose == (2, None, None, 5, None, None), "a silent buyer names the second seller of its own"
    assert steps[-1].state.total == (1400, 0, 1000, 1400, 0, 1000)
