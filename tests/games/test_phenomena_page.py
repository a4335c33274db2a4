"""The page of the phenomena: the same claims as the command's, in both languages, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from django.test import Client

from games.lab.analysis.testing import Difference
from games.site.web import phenomena

pytestmark = pytest.mark.django_db


def test_the_page_shows_every_claim_in_both_languages_and_leads_to_both_presets(client: Client) -> None:
    page = client.get("/phenomena").content.decode()
    chinese = client.get("/phenomena", headers={"accept-language": "zh"}).content.decode()
    assert f"Of {len(phenomena.known())} claims about these societies" in page
    for one in phenomena.known():
        assert f'id="{one.game}-{one.name}"' in page
        assert one.row.claim.zh in chinese
        for side in (one.row.preset, one.row.against):
            assert f'href="/new/{one.game}?preset={side.partition("/")[0]}">{side}<' in page


def test_csv_and_json_hold_the_claims_of_the_page(client: Client) -> None:
    rows = list(csv.DictReader(io.StringIO(client.get("/phenomena.csv").content.decode())))
    told = client.get("/api/v1/phenomena").json()
    assert [row["name"] for row in rows] == [row["name"] for row in told] == [one.name for one in phenomena.known()]
    assert [row["verdict"] for row in rows] == [row["verdict"] for row in told]


def test_an_interval_is_drawn_about_nought_with_the_least_difference_on_its_side() -> None:
    (one, *_) = phenomena.known()
    lower = replace(
        one, row=one.row.model_copy(update={"sign": "lower", "effect": 1.0}), difference=Difference(-1.5, -2.0, -1.0)
    )
    plot = phenomena.plotted(lower)
    assert plot is not None
    assert 0 < plot["low"] < plot["middle"] < plot["least"] == plot["high"] < 80
    assert phenomena.plotted(replace(one, difference=Difference(None))) is None
