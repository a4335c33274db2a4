"""NUL, control characters and lone surrogates at every door: refused by name, on SQLite and on PostgreSQL."""

from __future__ import annotations

import json
import logging
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client, override_settings

from agents_app.people import PeopleSettings
from agents_app.profile import BadProfile, read_profile
from games.site.drive.conductor import conduct
from games.site.models import Run
from tests.games.persons import API, Person, code_of

MakeRun = Callable[..., Run]
ADDRESSES = [
    "/api/v1/runs/%00",
    "/api/v1/runs?game=%00",
    "/api/v1/games/%00/presets/%01",
    "/api/v1/join/%00",
    "/api/v1/join/%00-0-abc",
    "/api/v1/play/%00",
    "/api/v1/play/nobody?tab=a%00b",
    "/m/%00",
    "/m/a%1fb/embed",
    "/new/mining?like=%00",
    "/join/%00",
    "/join/a%00-0-x",
    "/play/%00",
    "/enter/%00",
    "/admin/games/run/?q=%00",
]
STRANGE = ("a\u0000b", "\ud800", "x\u001f", "\u007f")


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def posted(client: Client, path: str, body: Any) -> Any:
    return client.post(f"{API}{path}", json.dumps(body), content_type="application/json")


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_with_control_characters_is_refused(operator: Client, client: Client, address: str) -> None:
    for who in (client, operator):
        answer = who.get(address)
        assert answer.status_code == 422
        if address.startswith("/api/"):
            assert answer.json()["error"]["code"] == "bad_text"
        else:
            assert "U+00" in answer.content.decode()
    assert "无法保存" in client.get("/m/%00", headers={"accept-language": "zh-hans"}).content.decode()


@pytest.mark.parametrize("text", STRANGE)
@pytest.mark.parametrize(
    ("where", "body"),
    [
        (
            "seats.0.profile.persona_text",
            lambda t: {"seats": {"0": {"model": "mock/x", "profile": {"persona_text": t}}}},
        ),
        ("seats.0.label", lambda t: {"seats": {"0": {"model": "mock/default", "label": t}}}),
        ("people.consent", lambda t: {"people": {"consent": t}}),
        ("people.completion_code", lambda t: {"people": {"completion_code": t}}),
        ("config", lambda t: {"config": {t: 1}}),
        ("scenario", lambda t: {"scenario": t}),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused_with_its_place(
    operator: Client, where: str, body: Any, text: str
) -> None:
    answer = posted(operator, "/runs", {"scenario": "mining/baseline", **body(text)})
    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["field"]) == (422, "bad_text", where)
    assert error["sign"] == f"U+{ord(next(c for c in text if not c.isalpha() or c == chr(0xD800))):04X}"
    assert not Run.objects.exists()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("text", STRANGE)
def test_people_are_refused_such_text_and_stay_in_their_seats(make_run: MakeRun, text: str) -> None:
    run = make_run(people=(0,))
    ann = Person()
    assert code_of(ann.joins(run.code, label=text)) == "bad_text"
    ann.joins(run.code)
    ann.starts()
    conduct(run.pk, "live")
    assert code_of(ann.moves(2, action={"tune": text})) == "bad_text"
    assert code_of(ann.post(f"/play/{ann.id}/try", {"step": 2, "action": {"text": text}})) == "bad_text"
    assert code_of(ann.post(f"/play/{ann.id}/take", {"tab": text})) == "bad_text"
    assert code_of(ann.moves(2, client_id=text)) == "bad_text"
    moved = ann.moves(2)
    assert moved.status_code == 200, moved.content


def test_an_operators_other_words_are_refused_too(operator: Client, make_run: MakeRun) -> None:
    run = make_run(people=(0,))
    for path, body in (
        (f"/runs/{run.pk}/people", {"action": "forget", "participant": "a\u0000"}),
        (f"/runs/{run.pk}/seats/1", {"agent": {"model": "mock/default", "label": "a\u0000"}}),
        (f"/runs/{run.pk}/fork", {"at": 0, "seats": {"1": {"recording": {"run": "a\u0000", "seat": 0}}}}),
    ):
        assert code_of(posted(operator, path, body)) == "bad_text"


def test_files_and_forms_are_refused_such_text_as_well() -> None:
    with pytest.raises(BadProfile, match=r"U\+0000"):
        read_profile({"options": {"note": "a\u0000"}})
    with pytest.raises(ValueError, match=r"U\+000B"):
        PeopleSettings(completion_code="a\u000b")
    assert read_profile({"persona_text": "first line\n\tsecond line\r\n"}).persona_text.count("\n") == 2


def test_a_body_beyond_djangos_bound_is_413_in_the_apis_shape(operator: Client) -> None:
    with override_settings(DATA_UPLOAD_MAX_MEMORY_SIZE=100):
        answer = posted(operator, "/runs", {"scenario": "x" * 200})
    assert (answer.status_code, answer.json()["error"]) == (
        413, {"code": "too_big", "message": "the body is longer than 100 bytes; send less", "most": 100},
    )  # fmt: skip


def test_a_strange_host_costs_one_line_without_a_traceback(client: Client, capfd: Any) -> None:
    handler = logging.getLogger("django.security").handlers[0]
    assert client.get("/api/v1/runs", headers={"host": "evil.example"}).status_code == 400
    records = logging.LogRecord("django.security.DisallowedHost", 40, "", 1, "Invalid HTTP_HOST", (), sys.exc_info())
    assert handler.filter(records)
    assert (records.exc_info, records.levelname) == (None, "WARNING")


@pytest.mark.skipif("postgresql" in os.environ.get("DATABASE_URL", ""), reason="this is that very process")
@pytest.mark.timeout(400)
def test_all_of_this_holds_on_postgresql(postgres_url: str) -> None:
    words = [sys.executable, "-m", "pytest", "-q", "-n0", "-p", "no:cacheprovider", str(Path(__file__))]
    told = subprocess.run(words, env={**os.environ, "DATABASE_URL": postgres_url}, capture_output=True, text=True)
    assert told.returncode == 0, told.stdout[-4000:]
    assert "passed" in told.stdout
