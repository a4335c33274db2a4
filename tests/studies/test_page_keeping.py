"""Pages keep what is written on them, take a slider that somebody has set, and read Markdown that harms nobody."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from games.site.models import Member, Session, Visit
from games.site.studies.answering import page_submit
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read
from games.site.studies.walking import Place, member_join, session_open
from games.site.web.marktext import markdown, markdown_line
from tests.studies.conftest import again, sends

pytestmark = pytest.mark.django_db(transaction=True)

PAGE: dict[str, Any] = {
    "study": "page",
    "steps": {
        "one": {
            "text": "# Rules\n\nRead **this**, or <script>alert(1)</script>.",
            "ask": {
                "warm": {"title": "How *warm*?", "type": "integer", "minimum": 0, "maximum": 10, "as": "slider"},
                "why": {"title": "Why?", "as": "area"},
                "age": {"title": "Age?", "type": "integer", "minimum": 18},
            },
            "limit_s": 60,
        },
        "end": {"text": "Bye."},
    },
}


@pytest.fixture
def member(db: None) -> Member:
    session: Session = session_open(study_read(PAGE), seed=1)
    return member_join(session, label="a")


def test_a_required_slider_that_nobody_has_set_is_asked_for(member: Member) -> None:
    assert sends(member, warm="0", why="so", age="20") == {"warm": "needed"}
    assert again(member).step == "one"
    assert sends(member, **{"warm": "0", "warm.moved": "yes", "why": "so", "age": "20"}) == {}
    assert Visit.objects.get(member=member).data == {"warm": 0, "why": "so", "age": 20}


def test_a_page_whose_time_is_over_keeps_what_was_written_and_can_be_read(member: Member) -> None:
    client = Client()
    at = str(Place.of(member))
    told = {"at": at, "why": "Because", "age": "7", "warm": "5", "looked.n": "2", "looked.s": "3.5"}
    assert client.post(f"/me/{member.pk}/sign", told).status_code == 204
    shown = client.get(f"/me/{member.pk}").content.decode()
    assert "Because</textarea>" in shown, "a reload shows it again"
    assert 'name="warm.moved"' not in shown.partition("<noscript>")[0], "a slider that nobody has set"
    left = re.search(r'data-left="(\d+)">(\d:\d\d)</b>', shown)
    assert left is not None, "the time that is left is on the page"
    assert 50 <= int(left[1]) <= 60
    assert left[2] == f"{int(left[1]) // 60}:{int(left[1]) % 60:02d}"
    Member.objects.filter(pk=member.pk).update(until=timezone.now() - timedelta(seconds=1))
    studies_continue()
    visit = Visit.objects.get(member=member)
    assert (visit.why, visit.data) == ("timed_out", {"why": "Because"}), (
        "what was out of bounds, or not set, is not kept"
    )
    assert (visit.unfocused, visit.unfocused_s) == (2, 3.5)
    assert again(member).draft == {}


def test_a_sign_of_a_page_that_is_past_changes_nothing(member: Member) -> None:
    old = str(Place.of(member))
    page_submit(again(member), Place.of(member), {"warm": "1", "warm.moved": "yes", "why": "x", "age": "30"})
    assert Client().post(f"/me/{member.pk}/sign", {"at": old, "why": "late"}).status_code == 204
    assert again(member).draft == {}


def test_markdown_is_set_and_html_is_shown_as_written(member: Member) -> None:
    shown = Client().get(f"/me/{member.pk}").content.decode()
    assert "<h2>Rules</h2>" in shown
    assert "Read <strong>this</strong>, or &lt;script&gt;alert(1)&lt;/script&gt;." in shown
    assert "How <em>warm</em>?" in shown


@pytest.mark.parametrize(
    ("text", "harm"),
    [("[x](javascript:alert(1))", "<a"), ("<img src=x onerror=alert(1)>", "<img"), ("![x](http://a/b.png)", "<img")],
)
def test_no_text_of_a_study_runs_or_loads_anything(text: str, harm: str) -> None:
    assert harm not in markdown(text)
    assert harm not in markdown_line(text)


def test_a_link_opens_beside_the_page() -> None:
    assert '<a href="https://a.org" target="_blank" rel="noopener noreferrer">x</a>' in markdown("[x](https://a.org)")
