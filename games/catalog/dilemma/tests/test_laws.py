"""What holds for every match, looked for by chance."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from games.catalog.dilemma.bulk import Entrant, Match, play_matches
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.machines import Machine
from games.catalog.dilemma.policies import MACHINES, POLICIES
from games.catalog.dilemma.rules import Dilemma
from games.core.agents import deciding
from games.core.answers import BadAction
from games.core.engine import play
from games.core.rng import SEED_MAX, Rng

CHANCES = st.one_of(st.sampled_from([0.0, 1.0, 1e-9]), st.floats(0, 1))
PAYOFFS = st.integers(-20_000, 20_000).map(lambda thousandths: thousandths / 1000)


@st.composite
def configs(draw: st.DrawFn) -> DilemmaConfig:
    return DilemmaConfig.model_validate(
        {
            **{name: draw(PAYOFFS) for name in ("temptation", "reward", "punishment", "sucker")},
            "declared_not_a_dilemma": True,
            "horizon": draw(st.sampled_from(["fixed", "geometric"])),
            "rounds": draw(st.integers(1, 40)),
            "stop_prob": draw(st.floats(0.02, 1)),
            "max_rounds": draw(st.integers(1, 60)),
            "noise_a": draw(CHANCES),
            "noise_b": draw(CHANCES),
        }
    )


@st.composite
def entrants(draw: st.DrawFn) -> Entrant:
    name = draw(st.sampled_from(list(MACHINES)))
    if name == "GTFT":
        return Entrant(name, {"generous_prob": draw(CHANCES)})
    if name == "RANDOM":
        return Entrant(name, {"p": draw(CHANCES)})
    if name == "WSLS":
        return Entrant(name, {"threshold": draw(PAYOFFS)})
    if name == "PLEDGER":
        return Entrant(name, {"plays": draw(st.sampled_from(["ALLC", "GRIM", "GTFT"])), "breaks": draw(CHANCES)})
    return Entrant(name)


@settings(max_examples=60, deadline=None)
@given(configs(), entrants(), entrants(), st.integers(0, SEED_MAX))
def test_tables_equal_play_whatever_is_played(config: DilemmaConfig, a: Entrant, b: Entrant, seed: int) -> None:
    deciders = {seat: deciding(POLICIES[one.policy].bind(one.params)) for seat, one in enumerate((a, b))}
    last = list(play(Dilemma(), config, seed, deciders))[-1].state
    found = play_matches(config, [Match(a, b, seed)])
    assert found.moves(0) == last.moves
    assert (found.totals()[0][0], found.totals()[1][0]) == last.totals
    assert all(law.holds for law in Dilemma().invariants(config, last))


@settings(max_examples=60, deadline=None)
@given(configs(), entrants())
def test_every_strategy_is_a_machine_of_chances_under_any_payoffs(config: DilemmaConfig, entrant: Entrant) -> None:
    found: Machine = entrant.machine(config.payoffs)
    assert all(0 <= chance <= 1 for chance in found.cooperates)
    assert len(found.after) == len(found.cooperates)
    assert all(0 <= state < len(found.cooperates) for row in found.after for state in row)


@given(
    st.recursive(
        st.none() | st.booleans() | st.floats() | st.text(),
        lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    )
)
def test_whatever_is_sent_is_read_or_refused_in_one_line(raw: object) -> None:
    game, config = Dilemma(), DilemmaConfig()
    state = game.initial(config, Rng(1)).state
    refusal = ""
    try:
        action = game.actions(config, state, 0).read(raw)
        assert game.clean(config, state, 0, action, Rng(1))[1] == ()
    except BadAction as refused:
        refusal = str(refused)
    assert "\n" not in refusal
