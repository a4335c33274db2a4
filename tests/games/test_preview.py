"""What a pasted link to a run shows: a title, and a picture of what any visitor may see of that moment."""

from __future__ import annotations

import io
from typing import Any

import numpy as np
import pytest
from django.test import Client
from PIL import Image

from games.site.drive.conductor import conduct
from games.site.models import Run
from games.site.web.preview import HEIGHT, HUES, LINE_MOST, WIDTH, _drawn, _printable

pytestmark = pytest.mark.django_db(transaction=True)


def pixels(png: bytes) -> Any:
    picture = Image.open(io.BytesIO(png))
    assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))
    return np.asarray(picture.convert("RGB"))


def widths(png: bytes) -> list[int]:
    """How many points the picture has of each of the first seats' colours."""
    picture = pixels(png)
    return [int((picture == np.array(hue, dtype=np.uint8)).all(axis=2).sum()) for hue in HUES[:3]]


def test_a_link_to_a_moment_names_it_and_has_its_picture(client: Client, make_run: Any) -> None:
    run = make_run(days=3)
    conduct(run.pk, "live")
    page = client.get(f"/m/{run.pk}?r=5").content.decode()
    assert 'property="og:title"' in page
    assert f"/m/{run.pk}/preview.png?r=5" in page
    early, late = (client.get(f"/m/{run.pk}/preview.png{query}") for query in ("?r=5", ""))
    assert (early.status_code, early["Content-Type"]) == (200, "image/png")
    assert sum(widths(late.content)) > 0
    assert early.content != late.content


def test_of_a_private_run_nothing_is_drawn_for_a_visitor(client: Client, make_run: Any) -> None:
    run = make_run(days=3)
    Run.objects.filter(pk=run.pk).update(audience={"kind": "private"})
    assert client.get(f"/m/{run.pk}/preview.png").status_code == 404


def test_of_an_unsound_run_that_is_said_first_and_nobody_is_ranked(client: Client, make_run: Any) -> None:
    run = make_run(days=3)
    conduct(run.pk, "live")
    sound = client.get(f"/m/{run.pk}/preview.png").content
    run.refresh_from_db()
    stood_in = {"substitute": 9, "fallback": 0, "clock": 0, "default": 0}
    tally = {**run.tally, "not_own": 9, "stood_in": stood_in, "conduct": [[0, 9, 9], [1, 9, 0]]}
    Run.objects.filter(pk=run.pk).update(tally=tally)
    page = client.get(f"/m/{run.pk}").content.decode()
    assert 'content="50% of the moves were not the players&#x27; own. 3 seats, finished.' in page
    assert client.get(f"/m/{run.pk}/preview.png").content != sound
    Run.objects.filter(pk=run.pk).update(tally={**tally, "conduct": [[0, 9, 9], [1, 99, 0]]})
    assert "100% of a player&#x27;s moves were not its own. 3 seats" in client.get(f"/m/{run.pk}").content.decode()


def test_names_from_anywhere_are_drawn_on_it() -> None:
    some = _drawn(
        "Mining: 产权 " + "m" * 400, "3 seats", [(0, "小王", 3.5), (1, "b\n\x1b", -2), (40, "z" * 120, 0)], 0.5
    )
    assert sum(widths(some)) > 0
    assert _drawn("", "", [], 0) != some


@pytest.mark.parametrize("hidden", [{"audience": {"kind": "private"}}, {"people": {"blind": True}}])
def test_what_is_tried_on_its_players_stands_in_no_title(client: Client, make_run: Any, hidden: Any) -> None:
    run = make_run(days=3)
    title = run.scenario.title["en"]
    assert title in client.get(f"/m/{run.pk}").content.decode()
    Run.objects.filter(pk=run.pk).update(**hidden)
    pages = [client.get(f"/m/{run.pk}{part}").content.decode() for part in ("", "/embed")]
    summary = client.get(f"/api/v1/runs/{run.pk}").content.decode()
    assert [title in told for told in (*pages, summary)] == [False] * 3


def test_an_outcome_too_long_for_a_line_stands_on_two_and_the_bars_below() -> None:
    seats = [(0, "Brevia", 1132.0)]
    short, long = (
        pixels(_drawn(title, "", seats, 1.0))
        for title in ("Wins", "Brevia wins by 98 welfare, passing Estrel in turn 9")
    )
    tops = [int(np.argwhere((one == np.array(HUES[0], dtype=np.uint8)).all(axis=2))[0][0]) for one in (short, long)]
    assert tops[1] > tops[0]
    assert _printable("x" * 60) == "x" * (LINE_MOST - 3) + "...", "a name without a blank is cut, not lost"
