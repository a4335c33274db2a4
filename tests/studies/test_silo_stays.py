"""Two plays of one silo: those who are left stay together, whoever is gone or late holds nobody up for ever."""

from __future__ import annotations

from copy import deepcopy
from datetime import timedelta
from typing import Any

import pytest

from games.errors.faults import BadScenario
from games.site.models import Member, MemberState, Participant, Run, Session
from games.site.record import clock
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.walking import Place, advance, session_open
from tests.studies.conftest import PAIRS, again, play_on, sends, to_play, whole

pytestmark = pytest.mark.django_db(transaction=True)

PLAY: dict[str, Any] = {**PAIRS["steps"]["play"], "repeat": 2}
TWICE: dict[str, Any] = {
    **PAIRS,
    "steps": {
        "consent": PAIRS["steps"]["consent"],
        "check": PAIRS["steps"]["check"],
        "play": PLAY,
        "change": {"text": "Now once more."},
        "more": {"like": "play", "gather": {"start": "silo", "wait_s": 60}},
    },
}


@pytest.fixture
def session(db: None) -> Session:
    return session_open(study_read(TWICE), seed=7)


def at_the_change(session: Session, come: Any) -> list[Member]:
    """Four who have played the first play, before the page between."""
    four: list[Member] = come(4)
    for one in four:
        to_play(one)
    whole(session)
    assert {again(one).step for one in four} == {"change"}
    return four


def second(session: Session) -> Any:
    return Run.objects.filter(session=session, study_step="more")


def test_a_silo_plays_again_with_a_program_in_the_place_of_who_left(session: Session, come: Any) -> None:
    four = at_the_change(session, come)
    for one in four[1:]:
        sends(one)
    studies_continue()
    assert not second(session).exists(), "one of them still reads"
    advance(again(four[0]), Place.of(again(four[0])), "left", end=MemberState.LEFT)
    whole(session)
    assert [again(one).state for one in four] == ["left", "done", "done", "done"]
    assert second(session).count() == 4
    seated = Participant.objects.filter(run__in=second(session)).exclude(member=None)
    assert sorted(seated.values_list("member__number", flat=True)) == [1, 1, 2, 2, 3, 3]
    assert len({one.seed for one in Run.objects.filter(session=session)}) == 8, "no play repeats the draws of another"


def test_who_reads_for_too_long_plays_from_the_next_match_on(session: Session, come: Any) -> None:
    four = at_the_change(session, come)
    for one in four[1:]:
        sends(one)
    Member.objects.filter(pk=four[1].pk).update(until=clock.now() - timedelta(seconds=1))
    studies_continue()
    assert second(session).count() == 2, "the time of waiting is over"
    sends(four[0])
    play_on(session)
    whole(session)
    assert {again(one).state for one in four} == {"done"}
    rounds = Participant.objects.filter(member=four[0], run__in=second(session)).values_list("run__study_round")
    assert list(rounds) == [(1,)]


def test_who_comes_after_the_last_match_goes_on(session: Session, come: Any) -> None:
    four = at_the_change(session, come)
    for one in four[1:]:
        sends(one)
    Member.objects.filter(pk=four[1].pk).update(until=clock.now() - timedelta(seconds=1))
    whole(session)
    sends(four[0])
    whole(session)
    assert {again(one).state for one in four} == {"done"}
    assert again(four[0]).visits.filter(step="more", why="sat_out").exists()


def test_a_silo_stays_only_where_the_play_before_has_as_many_places(db: None) -> None:
    steps = deepcopy(TWICE["steps"])
    steps["more"]["silo"] = 2
    steps["more"]["match"] = "partner"
    with pytest.raises(BadScenario, match=r"steps\.more\.gather\.start.*2 places here, 4 in the play before"):
        study_read({**TWICE, "steps": steps})
    with pytest.raises(BadScenario, match=r"steps\.more\.gather\.start.*4 places here, 0 in the play before"):
        study_read({**TWICE, "steps": {"more": {**PLAY, "gather": {"start": "silo"}}}})
