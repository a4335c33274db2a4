"""What programs rely on: pages by cursor, filters, tags, compression, keys against doing a thing twice, one shape."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.lab.wire.plainjson import decoded
from games.site.accounts.keys import key_create, key_revoke
from games.site.drive.conductor import conduct
from games.site.models import ApiKey, AuditEntry, KeptAnswer, Run
from games.site.web.api import api
from games.site.web.examples import BODIES, REFUSED

MakeRun = Callable[..., Run]
MADE = {"scenario": "mining/baseline", "config": {"rounds": 3}, "start": False}
FINISHED = "status=finished"


@pytest.fixture
def operator(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


@pytest.fixture
def over(make_run: MakeRun) -> Run:
    run = make_run(days=3)
    conduct(run.pk, "live")
    return run


def post(client: Client, path: str, body: Any, **headers: str) -> Any:
    return client.post(path, body, content_type="application/json", headers=headers)


def code(answer: Any) -> str:
    return str(answer.json()["error"]["code"])


def test_pages_of_a_list_are_the_list(client: Client, over: Run) -> None:
    whole = client.get(f"/api/v1/runs/{over.pk}/events?limit=1000").json()
    assert whole["next"] is None
    parts, cursor = [], ""
    for _ in range(100):
        page = client.get(f"/api/v1/runs/{over.pk}/events?limit=5{cursor}").json()
        assert len(page["items"]) <= 5
        parts += page["items"]
        if page["next"] is None:
            break
        cursor = f"&cursor={page['next']}"
    assert parts == whole["items"]
    assert len(parts) > 10


def test_pages_of_runs_are_linked_and_hold_each_run_once(client: Client, make_run: MakeRun) -> None:
    made = [make_run().pk for _ in range(5)]
    seen, address = [], "/api/v1/runs?limit=2"
    while address:
        answer = client.get(address)
        seen += [run["id"] for run in answer.json()]
        address = answer.headers.get("Link", "").partition(">")[0].lstrip("<")
    assert seen == made[::-1]


@pytest.mark.parametrize(
    "other", ["/api/v1/runs/{run}/decisions?cursor={c}", "/api/v1/runs/{run}/events?as=1&cursor={c}"]
)
def test_a_cursor_opens_its_own_list_alone(client: Client, over: Run, other: str) -> None:
    cursor = client.get(f"/api/v1/runs/{over.pk}/events?limit=1").json()["next"]
    answer = client.get(other.format(run=over.pk, c=cursor))
    assert (answer.status_code, code(answer)) == (422, "bad_cursor")


def test_runs_are_found_by_what_is_known_of_them(client: Client, over: Run, make_run: MakeRun) -> None:
    waiting = make_run(days=4)
    ids = {
        query: [run["id"] for run in client.get(f"/api/v1/runs?{query}").json()]
        for query in (
            "status=finished",
            "status=queued&status=finished",
            "game=parade",
            "game=mining",
            "q=toy",
            "q=zzz",
        )
    }
    assert ids == {
        FINISHED: [over.pk],
        f"status=queued&{FINISHED}": [waiting.pk, over.pk],
        "game=parade": [waiting.pk, over.pk],
        "game=mining": [],
        "q=toy": [waiting.pk, over.pk],
        "q=zzz": [],
    }


def test_lists_tell_eyes_what_frames_tell_them(client: Client, over: Run) -> None:
    for eyes in ("", "as=1"):
        frames = client.get(f"/api/v1/runs/{over.pk}/frames?{eyes}").json()["frames"]
        events = client.get(f"/api/v1/runs/{over.pk}/events?limit=1000&{eyes}").json()["items"]
        shown = [(frame["n"], event["kind"], event["data"]) for frame in frames for event in frame["events"]]
        assert [(row["step"], row["kind"], row["data"]) for row in events] == shown
        done = client.get(f"/api/v1/runs/{over.pk}/decisions?limit=1000&{eyes}").json()["items"]
        acted = [(frame["n"], seat, action) for frame in frames for seat, action in frame["actions"]]
        assert [(row["step"], row["seat"], row["action"]) for row in done] == acted
        measured = client.get(f"/api/v1/runs/{over.pk}/metrics?{eyes}").json()
        assert bool(measured["items"]) == (eyes == "")


def test_what_has_not_changed_is_not_sent_again_nor_read(client: Client, over: Run, monkeypatch: Any) -> None:
    address = f"/api/v1/runs/{over.pk}/frames"
    first = client.get(address)
    with monkeypatch.context() as unread:
        unread.setattr("games.site.record.selectors.frames", lambda *_: pytest.fail("the frames were read"))
        again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get(f"{address}?as=1", headers={"If-None-Match": first.headers["ETag"]})
    assert other.status_code == 200, "another's frames are another thing"


def test_frames_are_compressed_for_who_takes_it(client: Client, over: Run) -> None:
    plain = client.get(f"/api/v1/runs/{over.pk}/frames")
    packed = client.get(f"/api/v1/runs/{over.pk}/frames", headers={"Accept-Encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert decoded(gzip.decompress(packed.content)) == plain.json()
    assert len(packed.content) * 3 < len(plain.content)
    assert "Accept-Encoding" in packed.headers["Vary"]
    assert packed.headers["ETag"] == f"W/{plain.headers['ETag']}"


def test_a_request_sent_twice_is_carried_out_once(operator: Client) -> None:
    first, again = (post(operator, "/api/v1/runs", MADE, **{"Idempotency-Key": "one"}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert Run.objects.count() == 1
    other = post(operator, "/api/v1/runs", {**MADE, "seed": 3}, **{"Idempotency-Key": "one"})
    assert (other.status_code, code(other)) == (422, "other_request")
    KeptAnswer.objects.update(status=None)
    busy = post(operator, "/api/v1/runs", MADE, **{"Idempotency-Key": "one"})
    assert (busy.status_code, code(busy)) == (409, "under_way")
    long = post(operator, "/api/v1/runs", MADE, **{"Idempotency-Key": "x" * 201})
    assert (long.status_code, code(long)) == (422, "bad_idempotency_key")
    assert Run.objects.count() == 1


def test_a_refusal_is_kept_for_its_key_too_and_another_user_has_keys_of_their_own(operator: Client) -> None:
    bad = {**MADE, "seed": -1}
    assert post(operator, "/api/v1/runs", bad, **{"Idempotency-Key": "k"}).status_code == 422
    assert post(operator, "/api/v1/runs", bad, **{"Idempotency-Key": "k"}).headers["Idempotency-Replayed"] == "true"
    other = Client()
    other.force_login(get_user_model().objects.create_user("op2", is_superuser=True))
    assert post(other, "/api/v1/runs", MADE, **{"Idempotency-Key": "k"}).status_code == 201


def test_pace_and_limits_are_set_together_or_not_at_all(operator: Client, make_run: MakeRun) -> None:
    address = f"/api/v1/runs/{make_run().pk}"

    def patch(body: Any) -> Any:
        return operator.patch(address, body, content_type="application/json")

    set_ = patch({"pace": 2, "limits": {"calls": 9}})
    assert (set_.status_code, set_.json()["pace"], set_.json()["limits"]) == (200, 2, {"calls": 9})
    assert patch({"pace": 3, "limits": {"calls": 0}}).status_code == 422
    assert operator.get(address).json()["pace"] == 2
    assert AuditEntry.objects.get().what == "run_changed"


def test_a_run_is_steered_by_an_address_for_each(operator: Client, make_run: MakeRun) -> None:
    address = f"/api/v1/runs/{make_run(days=3).pk}"
    steps = [("pause", "paused"), ("step", "queued"), ("pause", "paused"), ("resume", "queued"), ("stop", "stopped")]
    assert [post(operator, f"{address}/{do}", {}).json()["status"] for do, _ in steps] == [now for _, now in steps]
    assert [one.what for one in AuditEntry.objects.order_by("pk")] == [
        "run_paused",
        "run_stepped",
        "run_paused",
        "run_resumed",
        "run_stopped",
    ]


@pytest.mark.parametrize(
    ("path", "method", "status", "said"),
    [
        ("/api/v1/nothing", "get", 404, "no_such_address"),
        ("/api/v1/runs", "delete", 405, "bad_method"),
        ("/api/v2/runs", "get", 404, "no_such_address"),
    ],
)
def test_what_the_framework_refuses_has_the_same_shape(
    client: Client, db: None, path: str, method: str, status: int, said: str
) -> None:
    answer = getattr(client, method)(path)
    assert (answer.status_code, code(answer)) == (status, said)


def test_an_error_of_ours_has_the_same_shape(over: Run, monkeypatch: Any) -> None:
    monkeypatch.setattr("games.site.web.lists.lists.events", lambda *_: 1 / 0)
    answer = Client(raise_request_exception=False).get(f"/api/v1/runs/{over.pk}/events")
    assert (answer.status_code, code(answer)) == (500, "internal")
    assert "division" not in answer.content.decode()


# --- keys -------------------------------------------------------------------------------------------


def key_of(*scopes: str, name: str = "k", days: int | None = None, staff: bool = True) -> tuple[ApiKey, dict[str, str]]:
    user, _ = get_user_model().objects.get_or_create(username="owner", defaults={"is_superuser": staff})
    key, text = key_create(user=user, name=name, scopes=scopes, days=days)
    return key, {"Authorization": f"Bearer {text}"}


def test_a_key_opens_what_its_scopes_name(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    _, may = key_of("read", "run")
    made = client.post("/api/v1/runs", json.dumps(MADE), content_type="application/json", headers=may)
    assert made.status_code == 201, made.content
    assert client.get(f"/api/v1/runs/{made.json()['id']}/people", headers=may).status_code == 200
    _, reads = key_of("read", name="reader")
    refused = client.post("/api/v1/runs", json.dumps(MADE), content_type="application/json", headers=reads)
    assert (refused.status_code, code(refused)) == (403, "wrong_scope")
    assert Run.objects.count() == 1


def test_a_key_that_is_wrong_revoked_or_over_opens_nothing(client: Client, db: None) -> None:
    key, good = key_of("read")
    assert client.get("/api/v1/agents", headers=good).status_code == 200
    wrong = {"Authorization": good["Authorization"][:-1] + "!"}
    answers = [client.get("/api/v1/agents", headers={"Authorization": "Bearer x"})]
    answers.append(client.get("/api/v1/agents", headers=wrong))
    key_revoke(user=key.user, prefix=key.prefix)
    answers.append(client.get("/api/v1/agents", headers=good))
    short, old = key_of("read", name="old", days=1)
    ApiKey.objects.filter(pk=short.pk).update(expires=short.created)
    answers.append(client.get("/api/v1/agents", headers=old))
    for answer in answers:
        assert (answer.status_code, code(answer)) == (401, "bad_token")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_a_key_is_kept_as_a_digest_and_no_operator_is_made_of_its_user(client: Client, db: None) -> None:
    _, held = key_of("read", "run", staff=False)
    secret = held["Authorization"].removeprefix("Bearer ")
    assert secret.rpartition("_")[2] not in json.dumps(list(ApiKey.objects.values()), default=str)
    assert post(client, "/api/v1/runs", MADE, **held).status_code == 403
    assert AuditEntry.objects.get().data == {"name": "k", "scopes": ["read", "run"]}


def test_a_sign_in_that_comes_with_a_bad_key_is_not_used(operator: Client) -> None:
    answer = operator.get("/api/v1/agents", headers={"Authorization": "Bearer pk_no_no"})
    assert answer.status_code == 401


# --- the description --------------------------------------------------------------------------------


def test_every_body_and_refusal_of_the_description_has_an_example_of_its_form() -> None:
    whole = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    ids = set()
    for operations in whole["paths"].values():
        for operation in operations.values():
            content = operation.get("requestBody", {}).get("content", {}).get("application/json")
            if content is None:
                continue
            ids.add(operation["operationId"])
            for example in content["examples"].values():
                jsonschema.validate(example["value"], {**content["schema"], "components": whole["components"]})
    assert ids == set(BODIES)
    shape = {"$ref": "#/components/schemas/ErrorOut", "components": whole["components"]}
    for said in REFUSED.values():
        for name, example in said.items():
            assert name == example["value"]["error"]["code"]
            jsonschema.validate(example["value"], shape)


def test_each_operation_and_each_shape_has_a_name_of_its_own_for_programs() -> None:
    whole = api.get_openapi_schema()
    names = [one["operationId"] for operations in whole["paths"].values() for one in operations.values()]
    assert [name for name in names if not re.fullmatch(r"[a-z]+(_[a-z]+)+", name)] == []
    assert [name for name, count in Counter(names).items() if count > 1] == []
    assert {"list_runs", "get_run", "create_run", "fork_run", "list_run_frames", "delete_webhook"} <= set(names)
    titles = Counter(shape["title"] for shape in whole["components"]["schemas"].values() if "title" in shape)
    assert [title for title, count in titles.items() if count > 1] == [], "generators call a class by its title"
    answers = [a for ops in whole["paths"].values() for one in ops.values() for a in one["responses"].values()]
    assert all(answer.get("description") for answer in answers)


def test_settings_and_actions_of_every_game_are_one_union_each(client: Client, over: Run) -> None:
    whole = json.loads(json.dumps(api.get_openapi_schema(), default=str))
    config = {"$ref": "#/components/schemas/GameConfig", "components": whole["components"]}
    jsonschema.validate({"game": "mining", "config": {"rounds": 3}}, config)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"game": "mining", "config": {"rounds": 0}}, config)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({"game": "nosuch", "config": {}}, config)
    assert whole["components"]["schemas"]["GameAction"]["discriminator"]["propertyName"] == "game"


def test_the_apis_own_page_asks_no_other_site(client: Client, db: None) -> None:
    page = client.get("/api/v1/docs").content.decode()
    assert "swagger-ui-bundle" in page
    assert "//" not in page.replace("<!DOCTYPE html>", "")
    assert "<script>" not in page, "an inline script is refused by the policy"
    assert "width=device-width" in page, "a phone would draw it as wide as a desk"
    assert "polity" in client.get("/api/v1/openapi.json").json()["info"]["title"].lower()
