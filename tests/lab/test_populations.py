"""Populations of policies: line-ups beside plain play, members who meet in pairs beside worlds worked by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from games.core.registry import get
from games.errors.faults import Refused
from games.lab.analysis.lineups import read
from games.lab.analysis.populations import fixation
from games.lab.analysis.rating import rated
from games.lab.populations import DYNAMICS, lineups, matrix_of, meet, shares
from simsite.cli import main

HUNT = get("stag_hunt")


def test_line_ups_hold_what_policies_earn_a_round_and_are_what_rate_reads() -> None:
    told = lineups(HUNT, HUNT.game.config_type(rounds=4), ["hopeful", "wary", "alone"], [1, 2])
    # hopeful against wary: stag/hare 0, 3, then they change places each round; against alone: 0, 3, then hare
    assert np.allclose(matrix_of(told), [[5, 1.5, 9 / 4], [1.5, 3, 3], [3, 3, 3]])
    assert rated(read(told), "mean").ratings == pytest.approx((8.75 / 3, 2.5, 3))


def test_a_mechanism_around_the_game_changes_what_its_line_ups_earn() -> None:
    pack = get("stag_hunt-communication")
    config = pack.game.config_type
    found = [
        matrix_of(lineups(pack, config(rounds=3, communication=on), ["keeper", "selfish"], [1])) for on in (True, False)
    ]
    assert np.allclose(found[0][0, 0], 5)
    assert found[0][0, 1] == pytest.approx((0 + 3 + 3) / 3)  # deceived once
    assert np.isfinite(found[1]).all()


def test_partners_go_by_what_the_other_did_and_strangers_by_what_they_met() -> None:
    config = HUNT.game.config_type()
    met = meet(HUNT, config, {"hopeful": 2}, 10, 1, "partners")
    assert met.earned == {"hopeful": 5}
    both = meet(HUNT, config, {"hopeful": 500, "alone": 500}, 200, 1, "strangers")
    assert both.played[0].tolist() == [0.5, 0.5]
    assert both.played[-1, 0] < 0.01  # each meeting with a hare is passed on
    known = meet(HUNT, config, {"hopeful": 500, "alone": 500}, 200, 1, "reputation")
    assert known.played[-1, 1] > 0.5
    assert meet(HUNT, config, {"hopeful": 500, "alone": 500}, 200, 1).played.tolist() == both.played.tolist()
    pairs = both.meetings
    assert sorted(pairs.reshape(-1).tolist()) == list(range(1000))


def test_what_meets_in_no_pairs_is_refused() -> None:
    config = HUNT.game.config_type()
    with pytest.raises(Refused, match="even number"):
        meet(HUNT, config, {"hopeful": 3}, 10, 1)
    with pytest.raises(Refused, match="trusting: a table knows the round before alone"):
        meet(HUNT, config, {"trusting": 2}, 10, 1)
    fund = get("public_goods")
    with pytest.raises(Refused, match="no matrix game of two"):
        meet(fund, fund.game.config_type(), {"free_rider": 2}, 10, 1)
    with pytest.raises(Refused, match="pairs are needed"):
        matrix_of(lineups(fund, fund.game.config_type(rounds=1, players=3), ["free_rider"], [1]))


def test_generations_begin_evenly_and_go_where_more_is_earned() -> None:
    payoffs = np.array([[3.0, 0.0], [5.0, 1.0]])
    for dynamics in DYNAMICS:
        rows = list(shares(payoffs, dynamics, 100, 30, 1))
        assert all(sum(row) == pytest.approx(1) for row in rows)
        assert rows[-1][1] > rows[0][1]
    with pytest.raises(Refused, match="9 members; a ring of 8 neighbours each takes 10 or more"):
        list(shares(payoffs, "small-world", 9, 1, 1))
    fixed = sum(
        list(shares(np.array([[2.0, 1.0], [3.0, 0.5]]), "moran", 6, 10_000, seed))[-1][0] == 1 for seed in range(200)
    )
    assert 0 < fixed < 200  # from three of six; `fixation` is of one
    assert 0 < fixation([[2, 1], [3, 0.5]], 6) < fixed / 200


def test_the_command_keeps_line_ups_for_rate_and_tells_shares(tmp_path: Path, capsys: Any) -> None:
    out = tmp_path / "pairs.json"
    args = ("population", "stag_hunt", "--policy", "hopeful", "--policy", "alone", "--seeds", "1")
    assert _called(*args, "--out", str(out), "--generations", "5", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert len(told["shares"]) == 6
    assert json.loads(out.read_text()) == told["lineups"]
    assert _called("rate", str(out), "--method", "deviation") == 0
    assert _called(*args, "--meet", "strangers", "--rounds", "20", "--size", "100") == 0
    assert "100 strangers, 20 rounds: stag 50%" in capsys.readouterr().out
    assert _called(*args, "--out", str(out)) != 0


def _called(*args: str) -> int:
    with pytest.raises(SystemExit) as left:
        main(args)
    return int(left.value.code or 0)
