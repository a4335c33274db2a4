"""The page of a population: the same shares as the command's, with the range of its courses and who met whom."""

from __future__ import annotations

import pytest
from django.test import Client

pytestmark = pytest.mark.django_db
ASKED = "/api/v1/population?game=prisoners_dilemma&policies=tit_for_tat,cooperator,equilibrium&generations=30"


def test_who_returns_what_was_done_takes_over_where_partners_stay(client: Client) -> None:
    told = client.get(ASKED).json()
    assert told["policies"] == ["tit_for_tat", "cooperator", "equilibrium"]
    assert told["shares"][0] == pytest.approx([1 / 3] * 3)
    assert len(told["shares"]) == 31
    assert told["shares"][-1][0] > 0.5 > told["shares"][-1][2]
    for row, low, high in zip(told["shares"], told["low"], told["high"], strict=True):
        assert sum(row) == pytest.approx(1)
        assert all(a <= x <= b for a, x, b in zip(low, row, high, strict=True))
    assert any(a < b for a, b in zip(told["low"][5], told["high"][5], strict=True))
    for earned, (low, high) in zip(told["earned"], told["intervals"], strict=True):
        assert low <= earned <= high


def test_each_of_sixty_members_meets_one_other(client: Client) -> None:
    told = client.get(ASKED).json()
    assert sorted(one for pair in told["meetings"] for one in pair) == list(range(60))
    assert [told["members"].count(n) for n in range(3)] == [30, 30, 0]  # the equilibrium's policy is no table


def test_what_cannot_be_asked_is_told_on_the_page_and_refused_by_the_api(client: Client) -> None:
    for asked, line in (
        ("game=public_goods", "has 4 seats; shares are of pairs"),
        ("game=mining/baseline", "a game that one file declares"),
        ("game=/etc/passwd", "passwd"),
        ("game=prisoners_dilemma&policies=nobody", "there is none of that name"),
        ("game=prisoners_dilemma-repetition/none&dynamics=nothing", "dynamics: &#x27;nothing&#x27;"),
        ("noise=2", "a share from 0 to 1"),
    ):
        page = client.get(f"/population?{asked}")
        assert page.status_code == 200
        assert line in page.content.decode().split('role="alert"')[1]
        assert client.get(f"/api/v1/population?{asked}").status_code == 422


def test_the_page_is_drawn_in_both_languages(client: Client) -> None:
    page = client.get("/population?game=stag_hunt").content.decode()
    assert page.count("<polyline") == page.count("<polygon") == 5
    assert page.count("<circle") == 60
    assert "After 50 generations" in page
    assert "50 代之后" in client.get("/population?game=stag_hunt", headers={"accept-language": "zh"}).content.decode()
