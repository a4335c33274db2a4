"""``If-Match``: what somebody else has changed since it was read is not changed; who says nothing is asked nothing."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from agents_app.site.models import AgentProfile
from games.site.experiments.declaring import experiment_create
from games.site.models import Experiment, Run
from games.site.web.api import api

pytestmark = pytest.mark.django_db
MakeRun = Callable[..., Run]
DOCUMENT = {"base": "mining/baseline", "seeds": [1]}


def asked(client: Client, how: str, path: str, body: Any, match: str | None) -> Any:
    headers = {} if match is None else {"If-Match": match}
    send = getattr(client, how)
    return send(f"/api/v1{path}", json.dumps(body), content_type="application/json", headers=headers)


def what_is_there(make_run: MakeRun) -> dict[str, tuple[str, Any, Any]]:
    """By address: how it is changed, by whom else it is changed, and what then stands."""
    run = make_run()
    experiment_create(slug="draft", document=DOCUMENT)
    AgentProfile.objects.create(name="one", profile={"model": "mock/guided"})
    profile = {"about": "", "profile": {"model": "mock/random"}}
    return {
        f"/runs/{run.pk}": ("patch", {"pace": 2}, lambda: Run.objects.get(pk=run.pk).pace),
        "/experiments/draft": ("patch", {"pace": 2}, lambda: Experiment.objects.get(slug="draft").pace),
        "/models/one": ("put", profile, lambda: AgentProfile.objects.get(name="one").profile),
    }


def test_a_change_of_what_is_stale_is_refused_and_nothing_is_changed(admin_client: Client, make_run: MakeRun) -> None:
    for path, (how, body, state) in what_is_there(make_run).items():
        read = admin_client.get(f"/api/v1{path}").headers["ETag"]
        changed = asked(admin_client, how, path, body, read)
        assert changed.status_code == 200, changed.content
        assert changed.headers["ETag"] == admin_client.get(f"/api/v1{path}").headers["ETag"] != read
        before = state()
        for way in (how, "delete"):
            late = asked(admin_client, way, path, body, read)
            assert (late.status_code, late.json()["error"]["code"]) == (412, "stale"), (way, path)
        assert state() == before
        gone = asked(admin_client, "delete", path, {}, f"W/{changed.headers['ETag']}")
        assert gone.status_code != 412, "weakened by a proxy that compresses, it is the same tag"


def test_who_names_no_version_changes_what_stands(admin_client: Client, make_run: MakeRun) -> None:
    for path, (how, body, _) in what_is_there(make_run).items():
        for match in (None, "*"):
            assert asked(admin_client, how, path, body, match).status_code == 200, (path, match)


def test_a_run_that_moves_may_be_set_by_who_read_it_before(admin_client: Client, make_run: MakeRun) -> None:
    from games.site.drive.conductor import conduct

    run = make_run(pace=1)
    read = admin_client.get(f"/api/v1/runs/{run.pk}").headers["ETag"]
    conduct(run.pk, "live")
    Run.objects.filter(pk=run.pk).update(status="queued")
    run.refresh_from_db()
    assert run.head >= 0
    assert asked(admin_client, "patch", f"/runs/{run.pk}", {"pace": 3}, read).status_code == 200


def test_what_is_not_there_is_no_version_of_anything_and_nonsense_is_named(admin_client: Client) -> None:
    body = {"profile": {"model": "mock/guided"}}
    assert asked(admin_client, "put", "/models/new", body, "*").status_code == 412
    assert not AgentProfile.objects.exists()
    error = asked(admin_client, "put", "/models/new", body, "nonsense").json()["error"]
    assert (error["code"], error["field"]) == ("bad_match", "If-Match")


def test_a_stranger_is_told_no_tag_of_settings_that_they_may_not_read(client: Client, make_run: MakeRun) -> None:
    assert "ETag" not in client.get(f"/api/v1/runs/{make_run().pk}").headers


def test_the_description_names_the_header_and_its_refusal() -> None:
    for path, operations in api.get_openapi_schema()["paths"].items():
        for method, operation in operations.items():
            named = {one["name"] for one in operation.get("parameters", [])}
            assert ("If-Match" in named) == (method in ("patch", "put", "delete")) == (412 in operation["responses"]), (
                path
            )
