"""What a body may hold is bounded before it is parsed, and one error of validation costs one."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from pydantic import BaseModel, ConfigDict, ValidationError

from games.core.answers import first_fault
from games.errors.jsonshape import DEPTH_MAX, shape_of
from games.site.web.bodies import STRANGER

CHECK = "/api/v1/configs/check"
MEBIBYTE = 2**20


def checked(client: Client, body: str) -> Any:
    return client.post(CHECK, body, content_type="application/json")


def config(**values: Any) -> str:
    return json.dumps({"game": "mining", "config": values}, separators=(",", ":"))


@pytest.mark.django_db
def test_a_stranger_sends_no_long_body_and_an_account_may(client: Client) -> None:
    body = config(alpha_map=[["" for _ in range(100)] for _ in range(900)])
    assert len(body) > STRANGER.size
    error = checked(client, body).json()["error"]
    assert (error["code"], error["most"]) == ("too_big", STRANGER.size)
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    assert checked(client, body).json()["error"]["code"] == "bad_config"


@pytest.mark.django_db
def test_a_full_body_is_refused_unread(client: Client) -> None:
    answer = checked(client, config(alpha_map=[[0] * (STRANGER.values + 1)]))
    assert answer.status_code == 413
    assert answer.json()["error"] == {
        "code": "too_big",
        "message": f"this holds more than {STRANGER.values} values; send less",
        "why": "values",
        "most": STRANGER.values,
    }


@pytest.mark.django_db
def test_a_deep_body_is_refused_unread(client: Client) -> None:
    deep = "[" * (DEPTH_MAX + 1) + "]" * (DEPTH_MAX + 1)
    error = checked(client, '{"game":"mining","config":' + deep + "}").json()["error"]
    assert (error["why"], error["most"]) == ("depth", DEPTH_MAX)


def test_signs_inside_of_texts_are_no_values() -> None:
    assert shape_of('{"a": "[,{\\"[[,", "b": [1, 2, {}]}') == (7, 3)
    assert shape_of('"' + '\\"' * 100_000) == (1, 0)


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
@pytest.mark.django_db
def test_another_encoding_hides_nothing(client: Client, encoding: str) -> None:
    body = config(alpha_map=[[0] * (STRANGER.values + 1)]).encode(encoding)
    assert checked(client, body).status_code == 413  # type: ignore[arg-type]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


def test_a_validation_is_asked_once_for_what_is_wrong() -> None:
    class Asked(Exception):
        times = 0

        def errors(self, **_: Any) -> Any:
            self.times += 1
            with pytest.raises(ValidationError) as refused:
                Strict.model_validate({"a": 1, "b": 2})
            return refused.value.errors(include_url=False)

    error = Asked()
    text, note = first_fault(error)  # type: ignore[arg-type]
    assert (text, note.kind, note.data["path"]) == ("a: Extra inputs are not permitted (got 1)", "unknown", "a")
    assert error.times == 1
