"""Named models over the API: saved, shown what they would be told, and refused in one sentence."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client

pytestmark = pytest.mark.django_db


def test_a_model_is_saved_previewed_and_tried_before_a_run() -> None:
    client = Client()
    client.force_login(User.objects.create_user("op", is_superuser=True))

    def send(way: str, path: str, body: Any) -> Any:
        return getattr(client, way)(f"/api/v1/models/{path}", json.dumps(body), content_type="application/json")

    saved = send("put", "own", {"profile": {"model": "mock/guided"}}).json()
    assert (saved["name"], saved["runs"], saved["key"]) == ("own", 0, "none")
    moment = {"profile": saved["profile"], "scenario": "mining/baseline", "seat": 2, "step": 3}
    shown = send("post", "preview", moment).json()
    assert (shown["step"], shown["messages"][0]["role"]) == (3, "system")
    tried = send("post", "try", moment).json()
    assert (tried["usable"], tried["stop"], [call["failure"] for call in tried["calls"]]) == (True, "", [""])
    refused = send("put", "own", {"profile": {"model": "nothing"}})
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_profile")
    assert refused.json()["error"]["field"] == "profile.model"
    refused = send("put", "own", {"profile": {"model": "mock/guided", "batch": {"poll_s": 0}}})
    assert refused.json()["error"]["field"] == "profile.batch.poll_s"
