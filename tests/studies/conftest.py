"""A study of pairs in the dilemma, and people who walk it without a browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from games.site.drive.conductor import conduct
from games.site.models import ACTIVE, Member, MemberState, Participant, Run, Session
from games.site.people.moves import move_submit
from games.site.studies import walking
from games.site.studies.answering import page_submit
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.walking import Place, member_join, session_open

PAIRS: dict[str, Any] = {
    "study": "pairs",
    "steps": {
        "consent": {"text": "Do you agree?", "agree": True},
        "check": {
            "ask": {"points": {"title": "Both C?", "type": "integer", "answer": 3}},
            "tries": 2,
            "else": "screened",
        },
        "play": {
            "scenario": "dilemma/tft-vs-alld",
            "config": {"rounds": 2},
            "seats": {"*": {"person": True}},
            "people": {"deadline_s": 60},
            "repeat": 3,
            "match": "perfect",
            "silo": 4,
        },
        "survey": {
            "ask": {"trust": {"title": "Trust?", "type": "integer", "minimum": 1, "maximum": 5, "as": "likert"}}
        },
    },
    "pay": {"show_up": 3, "point": 0.1, "round_to": 0.1},
    "ends": {"done": {"code": "C1"}, "screened": {"pay": 0.5}},
}


@pytest.fixture(autouse=True)
def nothing_queued(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}}
    walking.study_kept.cache_clear()  # rows of another test had the same numbers
    for module in ("runs.creating", "people.joining", "drive.person_seats", "drive.conductor", "drive.sweeping"):
        monkeypatch.setattr(f"games.site.{module}.enqueue", lambda *_: None)


@pytest.fixture
def session(db: None) -> Session:
    return session_open(study_read(PAIRS), seed=7)


@pytest.fixture
def come(session: Session) -> Callable[..., list[Member]]:
    def join(count: int) -> list[Member]:
        return [member_join(session, label=f"p{n}") for n in range(count)]

    return join


def again(member: Member) -> Member:
    return Member.objects.select_related("session").get(pk=member.pk)


def sends(member: Member, **sent: str) -> dict[str, str]:
    now = again(member)
    return page_submit(now, Place.of(now), sent)


def to_play(member: Member) -> None:
    """Through consent and check."""
    assert sends(member, agree="yes") == {}
    assert sends(member, points="3") == {}


def play_on(session: Session, move: str = "C") -> None:
    """Every match under way to its end: whoever is asked moves, or talks where it is asked to talk."""
    for _ in range(12):
        for run in Run.objects.filter(session=session, status__in=ACTIVE):
            conduct(run.pk, "live")
            run.refresh_from_db()
            if run.status not in ACTIVE:
                continue
            for one in Participant.objects.filter(run=run, state="playing"):
                step = run.head + 1
                move_submit(
                    participant=one,
                    tab="",
                    client_id=f"m-{one.pk}-{step}",
                    step=step,
                    raw={"action": {"text": "hi"} if run.config.get("talk") and step % 2 else {"move": move}},
                )
            conduct(run.pk, "live")
        if not Run.objects.filter(session=session, status__in=ACTIVE).exists():
            return


def whole(session: Session) -> None:
    """Rounds of matches until nobody waits or plays."""
    busy = (MemberState.WAITING, MemberState.PLAYING)
    for _ in range(8):
        studies_continue()
        play_on(session)
        if not Member.objects.filter(session=session, state__in=busy).exists():
            return
