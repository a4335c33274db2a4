import csv
from pathlib import Path

import pytest

from games.catalog.dilemma.bulk import Entrant
from games.catalog.dilemma.config import DilemmaConfig
from games.catalog.dilemma.policies import POLICIES
from games.catalog.dilemma.rules import Dilemma
from games.core.agents import Decision, deciding
from games.core.engine import play
from games.lab.pdbench.mixed import Guest
from games.lab.pdbench.tournament import Results, Tournament

SIX = tuple(Entrant(name) for name in ("ALLC", "ALLD", "TFT", "GRIM", "GTFT", "WSLS"))


def results(names: str, **settings: object) -> Results:
    """A round robin over ten rounds."""
    entrants = tuple(Entrant(name) for name in names.split())
    return Tournament(DilemmaConfig(rounds=10), entrants, **settings).play()  # type: ignore[arg-type]


def test_a_round_robin_worked_out_by_hand() -> None:
    found = results("ALLC ALLD TFT", repetitions=2)
    assert found.standings.matrices["payoff"] == [[3, 0, 3], [5, 1, 1.4], [3, 0.9, 3]]
    assert found.standings.matrices["cooperation"] == [[1, 1, 1], [0, 0, 0], [1, 0.1, 1]]
    assert found.standings.wins == [0, 4, 0]
    assert [one.mean_score for one in found.standings.by_entry] == [1.5, 3.2, 1.95]
    assert [one.name for one in found.standings.ranking()] == ["ALLD", "TFT", "ALLC"]


def test_self_matches_are_shown_but_not_scored_unless_stated() -> None:
    shown, scored, none = (results("ALLC ALLD", repetitions=1, self_play=kind) for kind in ("shown", "scored", "none"))
    assert shown.standings.matrices["payoff"] == scored.standings.matrices["payoff"] == [[3, 0], [5, 1]]
    assert none.standings.matrices["payoff"] == [[None, 0], [5, None]]
    assert shown.standings.scores == none.standings.scores == [[0], [5]]
    assert scored.standings.scores == [[1.5], [3]]


def test_mean_and_median_may_rank_differently() -> None:
    entrants = (Entrant("RANDOM", {"p": 0.97}), Entrant("RANDOM", {"p": 0.985}), Entrant("ALLC"))
    found = Tournament(DilemmaConfig(rounds=3), entrants, repetitions=41, seed=5).play()
    assert [one.mean_score for one in found.standings.ranking("mean")] == sorted(
        (one.mean_score for one in found.standings.by_entry if one.mean_score is not None), reverse=True
    )
    medians = [one.median_score or 0 for one in found.standings.ranking("median")]
    assert medians == sorted(medians, reverse=True)
    assert found.standings.by_entry[0].median_score == sorted(found.standings.scores[0])[20]


def test_the_same_seed_gives_the_same_tournament_and_another_another() -> None:
    config = DilemmaConfig(rounds=50, noise_a=0.05, noise_b=0.05)
    one, again, other = (Tournament(config, SIX, 5, seed).play() for seed in (1, 1, 2))
    assert one.standings.matrices["payoff"] == again.standings.matrices["payoff"]
    assert one.standings.matrices["payoff"] != other.standings.matrices["payoff"]


def test_common_pairing_gives_all_pairs_the_same_luck() -> None:
    config = DilemmaConfig(rounds=100, noise_a=0.1, noise_b=0.1)
    paired = Tournament(config, SIX, 3, pairing="common").play()
    assert len({match.seed for match in paired.matches.played}) == 3
    slips = [bytes(paired.matches.slips[:, n]) for n, cell in enumerate(paired.cells) if cell[2] == 1]
    assert len(set(slips)) == 1
    apart = Tournament(config, SIX, 3).play()
    assert len({match.seed for match in apart.matches.played}) == len(apart.cells)


@pytest.mark.parametrize("noise", [0.0, 0.05])
@pytest.mark.parametrize("horizon", ["fixed", "geometric"])
def test_sampled_matches_replayed_one_by_one_from_their_seeds_are_equal(noise: float, horizon: str) -> None:
    config = DilemmaConfig.model_validate({"horizon": horizon, "noise_a": noise, "noise_b": noise})
    found = Tournament(config, SIX, 20, seed=9).play()
    for n in range(0, len(found.cells), 17):
        i, j, repetition = found.cells[n]
        deciders = {seat: deciding(POLICIES[SIX[k].policy].bind()) for seat, k in enumerate((i, j))}
        last = list(play(Dilemma(), config, found.tournament.design.match_seed(i, j, repetition), deciders))[-1].state
        assert last.moves == found.matches.moves(n)
        assert last.totals == (found.totals[0][n], found.totals[1][n])


def test_names_show_their_chances_and_are_distinct() -> None:
    entrants = (Entrant("GTFT"), Entrant("GTFT", {"generous_prob": 0.1}), Entrant("TFT"), Entrant("TFT"))
    assert Tournament(DilemmaConfig(rounds=5), entrants, 1).play().names == (
        "GTFT(p=0.333)", "GTFT(p=0.1)", "TFT", "TFT #2",
    )  # fmt: skip


def test_the_files_hold_the_matrices_the_ranking_and_every_match(tmp_path: Path) -> None:
    results("ALLC ALLD TFT", repetitions=2).write(tmp_path)
    tables = {path.name: list(csv.DictReader(path.open(encoding="utf-8"))) for path in tmp_path.iterdir()}
    assert [row["name"] for row in tables["ranking.csv"]] == ["ALLD", "TFT", "ALLC"]
    assert tables["payoff_matrix.csv"][1] == {"name": "ALLD", "ALLC": "5.0", "ALLD": "1.0", "TFT": "1.4"}
    assert len(tables["matches.csv"]) == 12
    assert tables["matches.csv"][4]["moves_b"] == "CCCCCCCCCC"
    assert tables["matches.csv"][6]["cd"] == "0"


def test_too_few_entrants_or_repetitions_are_refused() -> None:
    with pytest.raises(ValueError, match="entrants: 1; at least 2"):
        results("TFT")
    with pytest.raises(ValueError, match="repetitions: 0; at least 1"):
        results("TFT ALLD", repetitions=0)


def test_any_agents_may_enter_and_score_as_they_play() -> None:
    config = DilemmaConfig(rounds=30, noise_a=0.1, noise_b=0.1)
    guest = Guest("guest", lambda: deciding(POLICIES["GTFT"].bind()))
    mixed = Tournament(config, (guest, Entrant("ALLD"), Entrant("WSLS")), 3).play()
    plain = Tournament(config, (Entrant("GTFT"), Entrant("ALLD"), Entrant("WSLS")), 3).play()
    assert mixed.names == ("guest", "ALLD", "WSLS(win>=3)")
    assert mixed.standings.matrices["payoff"] == plain.standings.matrices["payoff"]
    assert (mixed.matches.outcomes == plain.matches.outcomes).all()
    assert (mixed.matches.slips == plain.matches.slips).all()


def test_a_match_with_talk_is_played_round_by_round() -> None:
    talking = Tournament(DilemmaConfig(rounds=10, talk=True), (Entrant("TFT"), Entrant("ALLD")), 2).play()
    assert talking.standings.matrices["payoff"] == [[3, 0.9], [1.4, 1]]


def test_void_matches_are_left_out_of_every_score() -> None:
    config = DilemmaConfig(rounds=5, fallback="void")
    mute = Guest("mute", lambda: lambda request: Decision(None))
    found = Tournament(config, (mute, Entrant("ALLD"), Entrant("ALLC")), 2, self_play="none").play()
    assert found.standings.matrices["payoff"] == [[None, None, None], [None, None, 5], [None, 0, None]]
    assert found.standings.scores == [[], [5, 5], [0, 0]]
    assert found.standings.by_entry[0].median_score is None
