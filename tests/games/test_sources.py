"""The page of the sources: the same rows as the command's, in both languages, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys

import pytest
from django.test import Client

from games.site.models import Experiment
from games.site.web import sources

pytestmark = pytest.mark.django_db


def test_the_page_counts_every_row_and_leads_to_each_source(client: Client) -> None:
    page = client.get("/sources").content.decode()
    every = [row for one in sources.known() for row in one.rows]
    counted = sources.counts(every)
    assert f"Of {len(every)} numbers and claims that the sources state, {counted['agree']} agree with ours" in page
    for one in sources.known():
        told = client.get(f"/sources/{one.game}", headers={"accept-language": "zh"}).content.decode()
        assert f"polity reproduce {one.game}" in told
        assert "原文" in told
    assert client.get("/sources/nothing").status_code == 404


def test_csv_and_json_hold_the_rows_of_the_page(client: Client) -> None:
    (one, *_) = sources.known()
    rows = list(csv.DictReader(io.StringIO(client.get(f"/sources.csv?game={one.game}").content.decode())))
    told = client.get(f"/api/v1/sources/{one.game}").json()
    assert len(rows) == len(told["rows"]) == len(one.rows)
    assert [row["place"] for row in rows] == [row["place"] for row in told["rows"]]
    assert told["counts"] == one.counts()
    assert client.get("/api/v1/sources/nothing").status_code == 404


def test_an_interval_is_drawn_as_a_share_of_theirs_and_cut_at_the_axis() -> None:
    row = sources.Row("g", "p#r", "table 1, x", theirs=2.0, spread=0.1, ours=2.0, low=1.0, high=2.2)
    plot = sources.plotted(row)
    assert plot is not None
    assert (plot["low"], plot["middle"], plot["high"]) == (0.0, 80.0, 120.0)
    assert plot["leaves_left"]
    assert not plot["leaves_right"]
    assert (plot["band"], plot["band_length"]) == (60.0, 40.0)
    assert sources.plotted(sources.Row("g", "p#r", "x", theirs=0.0, ours=1.0, low=0.5, high=1.5)) is None


def test_a_row_stands_beside_its_table_with_its_seeds_and_theirs_as_a_second_mark(client: Client) -> None:
    page = client.get("/sources/adasociety", {"row": "paper-contract-easy#ppo"}).content.decode()
    panel = page.partition("<aside")[2].partition("</aside>")[0]
    assert panel.count('class="theirs"') == 1
    assert "0.2286 ± 0.0003" in panel
    assert "polity run adasociety/paper-contract-easy" in panel
    rows = [row for one in sources.known() for row in one.rows if one.game == "adasociety"]
    told = sources.detail(rows, "no such row", "zh")
    assert told is not None
    assert told["group"] == "differ", "where nobody asks, the first that differs"
    assert sources.detail([sources.Row("dilemma", "", "goal")], "", "en") is None
    assert sources.shown(sources.Row("dilemma", "a#b", "x", ours=-0.00001, n=1), "en")["ours"] == "0.0000"


def test_a_row_leads_to_the_experiments_of_this_site_that_play_its_very_runs(client: Client) -> None:
    (row,) = [row for row in sources.one_of("mining").rows if row.key == "treatments#talk-changes-raids:talk-baseline"]
    assert row.plan
    other = {"en": "Of another plan"}
    Experiment.objects.create(slug="theirs", title=other, game="mining", plan_hash="0" * 64)
    address = ("/sources/mining", {"row": row.key})
    before = client.get(*address).content.decode()
    assert "/experiments/new?preset=mining/treatments" in before
    Experiment.objects.create(slug="mine", game="mining", plan_hash=row.plan)
    Experiment.objects.create(slug="hidden", game="mining", plan_hash=row.plan, audience={"to": "members"})
    after = client.get(*address).content.decode()
    assert 'href="/e/mine"' in after
    assert "/e/theirs" not in after
    assert "/e/hidden" not in after


def test_tables_of_claims_alone_leave_out_the_columns_of_numbers(client: Client) -> None:
    told = {one["name"]: one["has_numbers"] for one in sources.tables(sources.one_of("mining").rows, "en")}
    assert told["efficiency bound"]
    assert not told["treatments"]
    assert 'aria-label="treatments"' in client.get("/sources/mining").content.decode()


def test_what_is_kept_is_read_without_a_game_played_or_a_statistic_reckoned() -> None:
    """In a fresh process, for this one has loaded everything: no scipy, which oracles and tests bring."""
    asked = (
        "import sys, django; django.setup()\n"
        "from games.site.web import phenomena, sources\n"
        "assert len(sources.known()) > 4 and len(phenomena.known()) > 40\n"
        "print([name for name in ('scipy', 'statsmodels', 'pandas') if name in sys.modules])"
    )
    env = {**os.environ, "DJANGO_SETTINGS_MODULE": "simsite.settings"}
    told = subprocess.run([sys.executable, "-c", asked], env=env, capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
