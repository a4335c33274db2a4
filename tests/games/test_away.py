"""A database that is away: pages and API say so with 503 and when to try again, in the reader's language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.db import OperationalError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client


@pytest.fixture
def away(monkeypatch: pytest.MonkeyPatch, db: None) -> Iterator[None]:
    """No connection gives a cursor, as where the server has stopped."""

    def refused(*_: Any, **__: Any) -> Any:
        raise OperationalError("connection refused")

    with monkeypatch.context() as bad:
        bad.setattr(BaseDatabaseWrapper, "cursor", refused)
        yield


@pytest.mark.parametrize(("tongue", "title"), [("en", "One moment"), ("zh-hans", "请稍候")])
@pytest.mark.parametrize("address", ["/", "/runs", "/m/abcdefghijk", "/account"])
def test_a_page_whose_database_is_away_asks_for_a_moment_in_the_readers_language(
    away: None, address: str, tongue: str, title: str
) -> None:
    client = Client(raise_request_exception=False, headers={"accept-language": tongue})
    client.cookies["polity_session"] = "a" * 32
    answer = client.get(address)
    text = answer.content.decode()
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "2")
    assert f"<h1>{title}</h1>" in text
    assert "Traceback" not in text
    assert "connection refused" not in text


@pytest.mark.parametrize("headers", [{}, {"authorization": "Bearer pk_abc_def"}])
def test_the_api_whose_database_is_away_says_so_in_its_one_shape(away: None, headers: dict[str, str]) -> None:
    client = Client(raise_request_exception=False, headers=headers)
    answer = client.get("/api/v1/runs")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "2")
    assert answer.json()["error"]["code"] == "unavailable"


def test_an_error_of_ours_is_still_one_of_ours(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any, **__: Any) -> Any:
        raise ZeroDivisionError

    client = Client(raise_request_exception=False)
    client.cookies["polity_session"] = "a" * 32
    with monkeypatch.context() as bad:
        bad.setattr(BaseDatabaseWrapper, "cursor", broken)
        assert client.get("/runs").status_code == 500


def test_what_is_sent_while_the_database_is_away_is_not_called_wrong(away: None) -> None:
    client = Client(raise_request_exception=False)
    client.cookies["polity_session"] = "a" * 32
    body = {"game": "dilemma", "config": {}}
    answer = client.post("/api/v1/configs/check", body, content_type="application/json")
    assert (answer.status_code, answer.headers.get("Retry-After")) == (503, "2")
