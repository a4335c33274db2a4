"""A rehearsal walks a whole study by itself."""

from __future__ import annotations

import pytest

from games.site.models import Session
from games.site.studies.loading import study_read
from games.site.studies.rehearsing import rehearse
from tests.studies.conftest import PAIRS

pytestmark = pytest.mark.django_db(transaction=True)


def test_everybody_comes_to_an_end_and_is_paid() -> None:
    session, told = rehearse(study_read(PAIRS), members=8)
    plain = told.plain()
    assert (plain["ends"], plain["stuck"], plain["matches"]) == ({"done": 8}, [], 12)
    assert plain["pay"]["min"] > 3, "what was played is paid"
    assert Session.objects.filter(pk=session.pk).exists()


def test_who_drops_out_leaves_nobody_stuck_and_the_same_seed_gives_the_same() -> None:
    first = rehearse(study_read(PAIRS), members=8, drop=0.3, seed=3)[1].plain()
    assert first["stuck"] == []
    assert first["ends"].get("left", 0) > 0
    assert rehearse(study_read(PAIRS), members=8, drop=0.3, seed=3)[1].plain() == first
