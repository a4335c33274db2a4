from itertools import product

import pytest

from games.catalog.dilemma import PACK, bulk, draws
from games.catalog.dilemma.bulk import Entrant, Match, play_matches
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.policies import MACHINES, POLICIES
from games.catalog.dilemma.rules import Dilemma
from games.core import codec
from games.core.agents import BadPolicy, deciding
from games.core.engine import play
from games.core.pack import NoBatch
from games.core.rng import Rng

GAME = Dilemma()
EVERYONE = [*(Entrant(name) for name in MACHINES), Entrant("GTFT", {"generous_prob": 0.9}), Entrant("RANDOM", {"p": 1})]
CONFIGS = {
    "plain": DilemmaConfig(rounds=40),
    "noisy": DilemmaConfig(rounds=40, noise_a=0.1, noise_b=0.3),
    "one-sided": DilemmaConfig(rounds=40, noise_b=1),
    "geometric": DilemmaConfig(horizon="geometric", stop_prob=0.05, noise_a=0.05, noise_b=0.05),
    "cut": DilemmaConfig(horizon="geometric", stop_prob=0.02, max_rounds=30),
    "decimals": DilemmaConfig(rounds=25, temptation=5.125, reward=3.3, punishment=0.7, sucker=-0.2),
}


def deciders(match: Match) -> dict[int, object]:
    return {seat: deciding(POLICIES[one.policy].bind(one.params)) for seat, one in enumerate((match.a, match.b))}


@pytest.mark.parametrize("config", CONFIGS.values(), ids=list(CONFIGS))
@pytest.mark.parametrize("few", [0, 10_000], ids=["by tables", "one by one"])
def test_bulk_equals_play_step_for_step(config: DilemmaConfig, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bulk, "FEW", few)
    root = Rng.root(11)
    pairs = list(product(EVERYONE, EVERYONE))
    matches = [Match(a, b, root.bits("match", n)) for n, (a, b) in enumerate(pairs)]
    results = play_matches(config, matches)
    totals = list(zip(*results.totals(), strict=True))
    for n, match in enumerate(matches):
        alone = play_matches(config, [match])
        assert alone.moves(0) == results.moves(n), match
        assert alone.slips[:, 0].tolist() == results.slips[: results.lengths[n], n].tolist(), match
        assert [total for (total,) in alone.totals()] == list(totals[n]), match
        steps = list(play(GAME, config, match.seed, deciders(match)))  # type: ignore[arg-type]
        assert results.moves(n) == steps[-1].state.moves, match
        assert totals[n] == steps[-1].state.totals, match
        if n % 7 == 0:
            again = list(results.steps(n))
            assert [codec.encode_step(GAME, step) for step in again] == [
                codec.encode_step(GAME, step) for step in steps
            ]
            assert [step.state for step in again] == [step.state for step in steps]


def test_a_match_is_the_same_alone_and_among_others() -> None:
    config = DilemmaConfig(rounds=50, noise_a=0.1, noise_b=0.1)
    matches = [Match(Entrant("GTFT"), Entrant("WSLS"), seed) for seed in range(100)]
    together = play_matches(config, matches)
    for n in (0, 37, 99):
        assert play_matches(config, [matches[n]]).moves(0) == together.moves(n)


@pytest.mark.parametrize("pair", [("TFT", "GTFT"), ("ALLD", "WSLS"), ("ALLD", "ALLC"), ("GRIM", "ALLD")])
def test_where_no_machine_comes_to_mix_nothing_is_drawn(pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draws, "move_bits", None)
    monkeypatch.setattr(draws, "slip_codes", None)
    match = Match(Entrant(pair[0]), Entrant(pair[1]), 1)
    config = DilemmaConfig(rounds=300)
    last = list(play(GAME, config, match.seed, deciders(match)))[-1]  # type: ignore[arg-type]
    assert play_matches(config, [match]).moves(0) == last.state.moves


@pytest.mark.parametrize("pair", [("TFT", "GTFT"), ("ALLD", "ALLD"), ("ALLC", "ALLD"), ("TFT", "ALLD")])
def test_a_rare_slip_ends_the_rest_of_a_pair(pair: tuple[str, str]) -> None:
    config = DilemmaConfig(rounds=1500, noise_a=0.004, noise_b=0.004)
    match = Match(Entrant(pair[0]), Entrant(pair[1]), 2)
    alone = play_matches(config, [match])
    assert 0 < (alone.slips > 0).sum() < 40
    last = list(play(GAME, config, match.seed, deciders(match)))[-1]  # type: ignore[arg-type]
    assert alone.moves(0) == last.state.moves


def test_talk_has_no_bulk_form() -> None:
    with pytest.raises(NoBatch, match="talk: matches with a talk stage have no bulk form"):
        play_matches(DilemmaConfig(talk=True), [Match(Entrant("TFT"), Entrant("TFT"), 1)])


def test_an_unknown_policy_is_refused_with_the_known_ones() -> None:
    with pytest.raises(BadPolicy, match=r"policy 'TTF': there is none of that name; there are ALLC, ALLD, TFT"):
        play_matches(DilemmaConfig(), [Match(Entrant("TTF"), Entrant("TFT"), 1)])


def test_the_pack_s_bulk_form_gives_the_steps_of_each_seed() -> None:
    config = DilemmaConfig(rounds=12, noise_a=0.2)
    pair = {0: Entrant("GTFT", {"generous_prob": 0.5}), 1: Entrant("RANDOM")}
    assert PACK.batch is not None
    found = zip(*PACK.batch(config, [3, 4], pair), strict=True)
    for seed, steps in zip((3, 4), found, strict=True):
        known = list(play(GAME, config, seed, deciders(Match(pair[0], pair[1], seed))))  # type: ignore[arg-type]
        assert [codec.encode_step(GAME, step) for step in steps] == [codec.encode_step(GAME, s) for s in known]
