"""The REST door: what it gives, and one shape for every refusal."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.site.drive.conductor import conduct
from games.site.models import Run
from games.site.web.api import api
from simsite.manual.listing import errors_page

MakeRun = Callable[..., Run]


@pytest.fixture
def operator(db: None) -> Client:
    user = get_user_model().objects.create_user("op", is_superuser=True)
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def finished(make_run: MakeRun) -> Run:
    run = make_run(days=3)
    conduct(run.pk, "live")
    return run


def test_a_visitor_reads_a_run_its_snapshot_and_its_frames(client: Client, finished: Run) -> None:
    run = client.get(f"/api/v1/runs/{finished.pk}").json()
    assert (run["status"], run["head"], run["can"]) == ("finished", 12, {"control": False})
    assert [seat["agent"] for seat in run["seats"]] == ["latest"] * 3
    snapshot = client.get(f"/api/v1/runs/{finished.pk}/snapshot").json()
    assert snapshot["frame"]["n"] == 12
    assert client.get(f"/api/v1/runs/{finished.pk}/snapshot?n=4").json()["frame"]["clock"] == [["day", 1]]
    frames = client.get(f"/api/v1/runs/{finished.pk}/frames?after=4&limit=3").json()
    assert [frame["n"] for frame in frames["frames"]] == [5, 6, 7]
    assert frames["head"] == 12


def test_a_seats_frames_differ_in_what_is_private(client: Client, finished: Run) -> None:
    frames = client.get(f"/api/v1/runs/{finished.pk}/frames?as=1").json()["frames"]
    assert {seat for frame in frames for seat, _ in frame["payoffs"]} == {1}


def test_an_operator_steers_a_run(operator: Client, make_run: MakeRun) -> None:
    run = make_run(days=3)
    door = f"/api/v1/runs/{run.pk}/control"
    assert post(operator, door, {"action": "pause"}).json()["status"] == "paused"
    assert post(operator, door, {"action": "pace", "pace": 2.5}).json()["pace"] == 2.5
    assert post(operator, door, {"action": "step"}).json()["status"] == "queued"
    assert post(operator, door, {"action": "stop"}).json()["status"] == "stopped"


def test_an_operator_starts_a_preset(operator: Client) -> None:
    made = post(operator, "/api/v1/runs", {"scenario": "mining/baseline", "seed": 0, "pace": 2})
    assert made.status_code == 201, made.content
    assert (made.json()["seed"], len(made.json()["seats"])) == (0, 10)
    assert Run.objects.get().config["rounds"] == 200


HURRIED = {"deadline_s": 30}
DEAR = {"0": {"model": "openai/nobody-knows-it"}}
TREATED = {"base": "mining/baseline"}
MOCKS = {"base": "mining/llm-mock", "config": {"rounds": 5}}
EXPERIMENT_DOORS = ("start", "pause", "cancel", "rerun")
SEAT_DOORS = ("start", "try", "moves", "beat", "take", "leave", "language", "halt")
LISTS = ("events", "decisions", "messages", "metrics", "seats")
STEERED = ("start", "resume", "pause", "step", "stop")
CHECKED = ("verify", "rerun")
REFUSALS = [
    ("get", "/api/v1/runs/nosuchrun", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/snapshot", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/story", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/comments", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/guess", None, 404, "not_found"),
    ("get", "/api/v1/experiments/nosuch/publication", None, 404, "no_such_experiment"),
    ("get", "/api/v1/experiments/nosuch/publication.zip", None, 404, "no_such_experiment"),
    ("get", "/api/v1/exports/as/nosuch?run=nosuch", None, 404, "no_such_run"),
    ("get", "/api/v1/exports/tables/nosuch", None, 422, "invalid"),
    ("get", "/api/v1/runs/nosuchrun/frames", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/replay.html", None, 404, "not_found"),
    ("get", "/api/v1/games/nosuch/presets/nosuch", None, 404, "not_found"),
    ("get", "/api/v1/games/mining/presets/first-possession?condition=nosuch", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/briefs", None, 404, "not_found"),
    ("get", "/api/v1/runs/{run}/snapshot?n=99", None, 404, "not_found"),
    ("get", "/api/v1/runs/{run}?as=9", None, 403, "no_such_seat"),
    ("get", "/api/v1/runs/{run}?as=x", None, 422, "invalid"),
    ("get", "/api/v1/runs?limit=0", None, 422, "invalid"),
    ("get", "/api/v1/runs/{run}/frames?limit=100000", None, 422, "invalid"),
    ("post", "/api/v1/runs", {"scenario": "mining/nosuch"}, 422, "bad_scenario"),
    ("post", "/api/v1/runs", {"scenario": "../../etc/passwd.yaml"}, 422, "bad_scenario"),
    ("post", "/api/v1/runs", {"scenario": "/etc/passwd"}, 422, "bad_scenario"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "seed": -4}, 422, "bad_seed"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "typo": 1}, 422, "invalid"),
    ("post", "/api/v1/runs", {}, 422, "invalid"),
    ("post", "/api/v1/runs/{run}/control", {"action": "fly"}, 422, "invalid"),
    ("post", "/api/v1/runs/{run}/control", {"action": "play"}, 409, "wrong_status"),
    ("post", "/api/v1/runs/{run}/control", {"action": "pace"}, 422, "bad_pace"),
    ("get", "/api/v1/runs/nosuchrun/calls", None, 404, "not_found"),
    ("get", "/api/v1/runs/{run}/calls?limit=0", None, 422, "invalid"),
    ("get", "/api/v1/runs/nosuchrun/meter", None, 404, "not_found"),
    ("post", "/api/v1/runs/nosuchrun/rerun", {}, 404, "not_found"),
    ("post", "/api/v1/estimate", {"scenario": "mining/baseline", "limits": {"calls": 0}}, 422, "bad_limits"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "limits": {"usd": 1}, "seats": DEAR}, 422, "bad_limits"),
    ("get", "/api/v1/games/nosuch", None, 404, "not_found"),
    ("post", "/api/v1/games/nosuch/play", {}, 403, "csrf"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "config": {"rows": 0}}, 422, "bad_scenario"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "seats": {"3": {"policy": "x"}}}, 422, "bad_scenario"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "limits": {"usd": -1}}, 422, "bad_limits"),
    ("post", "/api/v1/runs/{run}/fork", {"at": 99}, 422, "bad_step"),
    ("post", "/api/v1/runs/nosuchrun/fork", {"at": 9}, 404, "not_found"),
    ("post", "/api/v1/runs/nosuchrun/control", {"action": "play"}, 404, "not_found"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "people": {"tick_s": 99}}, 422, "bad_scenario"),
    ("post", "/api/v1/runs", {"scenario": "mining/baseline", "people": HURRIED}, 422, "no_person"),
    ("get", "/api/v1/join/NOPE", None, 404, "no_such_code"),
    ("post", "/api/v1/join/NOPE", {"consent": True}, 403, "csrf"),
    ("get", "/api/v1/play/nobody", None, 403, "not_your_seat"),
    *(("post", f"/api/v1/play/nobody/{door}", {}, 403, "csrf") for door in SEAT_DOORS),
    ("get", "/api/v1/runs/nosuchrun/people", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/participants.csv", None, 404, "not_found"),
    ("post", "/api/v1/runs/nosuchrun/people", {"action": "start"}, 404, "not_found"),
    ("post", "/api/v1/runs/{run}/people", {"action": "start"}, 409, "wrong_status"),
    ("post", "/api/v1/runs/{run}/people", {"action": "relink", "seat": 0}, 422, "no_such_seat"),
    ("post", "/api/v1/runs/{run}/seats/0", {"agent": {"policy": "latest"}}, 409, "wrong_status"),
    *(("get", f"/api/v1/runs/nosuchrun/{of}", None, 404, "not_found") for of in LISTS),
    *(("get", f"/api/v1/runs/{{run}}/{of}?cursor=x", None, 422, "bad_cursor") for of in LISTS if of != "seats"),
    ("get", "/api/v1/runs/latest?limit=0", None, 422, "invalid"),
    ("get", "/api/v1/runs/table?typo=1", None, 422, "invalid"),
    ("get", "/api/v1/runs/table.csv?typo=1", None, 422, "invalid"),
    ("post", "/api/v1/experiments/import", {"slug": "x", "archive": "bm8="}, 422, "bad_archive"),
    ("post", "/api/v1/runs/many", {"action": "fly"}, 422, "invalid"),
    ("get", "/api/v1/runs?cursor=x", None, 422, "bad_cursor"),
    ("get", "/api/v1/runs?status=flying", None, 422, "invalid"),
    ("get", f"/api/v1/scenarios?game={'x' * 65}", None, 422, "invalid"),
    ("get", "/api/v1/games/nosuch/types", None, 404, "not_found"),
    ("post", "/api/v1/configs/check", {"game": "nosuch"}, 404, "not_found"),
    ("get", "/api/v1/population?game=nosuch", None, 422, "bad_population"),
    ("post", "/api/v1/tables", {"text": "no file of Gambit's"}, 422, "bad_table"),
    ("post", "/api/v1/configs/check", {"game": "mining", "config": {"rows": 0}}, 422, "bad_config"),
    *(("post", f"/api/v1/runs/nosuchrun/{do}", {}, 404, "not_found") for do in (*STEERED, *CHECKED)),
    *(("post", f"/api/v1/runs/{{run}}/{do}", {}, 409, "wrong_status") for do in STEERED),
    ("post", "/api/v1/runs/{run}/step", {"rounds": 0}, 422, "bad_rounds"),
    ("post", "/api/v1/runs/nosuchrun/seats/0/token", {}, 404, "not_found"),
    ("post", "/api/v1/runs/{run}/seats/0/token", {}, 422, "no_such_seat"),
    ("post", "/api/v1/join/NOPE/token", {}, 404, "no_such_code"),
    ("get", "/api/v1/play/nobody/turn?wait=0", None, 403, "not_your_seat"),
    ("get", "/api/v1/play/nobody/turn?wait=61", None, 422, "invalid"),
    ("post", "/api/v1/exports", {"runs": ["nosuchrun"]}, 404, "no_such_run"),
    ("post", "/api/v1/exports", {}, 422, "bad_choice"),
    ("post", "/api/v1/exports", {"runs": ["a"], "bom": True}, 422, "bad_bom"),
    ("post", "/api/v1/exports", {"runs": ["a"], "labels": True}, 422, "bad_labels"),
    ("post", "/api/v1/exports", {"runs": ["a"], "format": "xlsx"}, 422, "invalid"),
    ("post", "/api/v1/exports/plan", {"filter": {"game": "nosuch"}}, 422, "no_runs_found"),
    ("get", "/api/v1/exports?run=nosuchrun", None, 404, "no_such_run"),
    ("get", "/api/v1/exports/codebook?game=" + "&game=".join("x" * 51), None, 422, "invalid"),
    ("get", "/api/v1/runs/nosuchrun/calls/lines", None, 404, "not_found"),
    ("post", "/api/v1/models/preview", {"scenario": 3}, 422, "invalid"),
    ("post", "/api/v1/models/try", {"scenario": 3}, 422, "invalid"),
    ("post", "/api/v1/models/estimate", {"scenario": 3}, 422, "invalid"),
    ("post", "/api/v1/models/probe", {"profile": {"model": "nothing"}}, 422, "bad_profile"),
    ("post", "/api/v1/models/probe/cost", {"profile": {}, "abilities": ["magic"]}, 422, "invalid"),
    ("get", "/api/v1/models/A%20b", None, 404, "not_found"),
    ("put", "/api/v1/models/A%20b", {"profile": {"model": "mock/guided"}}, 422, "bad_profile"),
    ("get", "/api/v1/sessions/999/screen", None, 404, "not_found"),
    ("get", "/api/v1/sessions/999/findings", None, 404, "not_found"),
    ("get", "/api/v1/sessions/999/knocks", None, 404, "not_found"),
    ("post", "/api/v1/sessions/999/knocks/NOPE", {"do": "admit"}, 404, "not_found"),
    ("post", "/api/v1/sessions/999/lead", {"do": "begin"}, 404, "not_found"),
    ("post", "/api/v1/studies/check", {}, 422, "bad_choice"),
    ("get", "/api/v1/studies?limit=0", None, 422, "invalid"),
    ("post", "/api/v1/sessions", {"preset": "nosuch"}, 404, "not_found"),
    ("get", "/api/v1/sessions?limit=0", None, 422, "invalid"),
    ("get", "/api/v1/sessions/999", None, 404, "not_found"),
    ("post", "/api/v1/sessions/999/act", {"do": "end"}, 404, "not_found"),
    ("get", "/api/v1/sessions/999/files/data.zip", None, 404, "not_found"),
    ("get", "/api/v1/sessions/999/publication", None, 404, "not_found"),
    ("get", "/api/v1/sessions/999/publication.zip", None, 404, "not_found"),
    ("get", "/api/v1/experiments?limit=0", None, 422, "invalid"),
    ("get", "/api/v1/register?after=-1", None, 422, "invalid"),
    ("get", "/api/v1/sources/nosuch", None, 404, "not_found"),
    ("get", "/api/v1/games/nosuch/rules", None, 404, "not_found"),
    ("get", "/api/v1/jobs/nosuch", None, 404, "not_found"),
    ("get", "/api/v1/jobs/nosuch/answer", None, 404, "not_found"),
    ("get", "/api/v1/runs/nosuchrun/stream", None, 404, "not_found"),
    ("post", "/api/v1/keys", {"name": "k", "scopes": ["fly"]}, 422, "invalid"),
    ("delete", "/api/v1/keys/nosuch", None, 404, "no_such_key"),
    ("put", "/api/v1/accounts/A%20b", {"role": "viewer"}, 422, "bad_account"),
    ("get", "/api/v1/webhooks/999", None, 404, "not_found"),
    ("post", "/api/v1/webhooks", {"address": "ftp://a.example/", "events": ["run.ended"]}, 422, "bad_webhook_address"),
    ("post", "/api/v1/webhooks/999/test", {}, 404, "not_found"),
    ("post", "/api/v1/webhooks/999/secret", {}, 404, "not_found"),
    ("get", "/api/v1/webhooks/999/deliveries", None, 404, "not_found"),
    ("get", "/api/v1/play/nobody/prompt", None, 403, "not_your_seat"),
    ("post", "/api/v1/experiments", {"slug": "A b", "document": {"base": "mining/baseline"}}, 422, "bad_slug"),
    ("post", "/api/v1/experiments", {"slug": "a", "document": {"base": "mining/nosuch"}}, 422, "bad_scenario"),
    ("post", "/api/v1/experiments", {"slug": "a", "document": TREATED, "stop": {"fallbacks": 2}}, 422, "bad_stop"),
    ("post", "/api/v1/experiments/check", {"document": {"game": "nosuch"}}, 422, "bad_scenario"),
    ("post", "/api/v1/experiments/check", {"document": {}, "spread": {"turnover": 0}}, 422, "invalid"),
    ("post", "/api/v1/experiments/prompt", {"document": {"base": "mining/baseline"}}, 422, "invalid"),
    ("post", "/api/v1/experiments/prompt", {"document": MOCKS, "condition": "no"}, 422, "no_such_condition"),
    ("post", "/api/v1/experiments/prompt", {"document": MOCKS, "condition": "base", "seat": 99}, 422, "no_model_there"),
    ("post", "/api/v1/experiments/prompt", {"document": MOCKS, "condition": "base", "step": 400}, 422, "bad_moment"),
    ("get", "/api/v1/experiments/nosuch", None, 404, "no_such_experiment"),
    ("get", "/api/v1/experiments/nosuch/result", None, 404, "no_such_experiment"),
    ("get", "/api/v1/experiments/nosuch/runs.csv", None, 404, "no_such_experiment"),
    ("get", "/api/v1/experiments/nosuch/report.html", None, 404, "no_such_experiment"),
    ("get", "/api/v1/experiments/nosuch/report.zip", None, 404, "no_such_experiment"),
    ("get", "/api/v1/experiments/nosuch/power", None, 404, "no_such_experiment"),
    ("get", "/api/v1/experiments/nosuch/conditions", None, 404, "no_such_experiment"),
    ("post", "/api/v1/experiments/nosuch/clone", {"slug": "b"}, 404, "no_such_experiment"),
    *(("post", f"/api/v1/experiments/nosuch/{do}", {}, 404, "no_such_experiment") for do in EXPERIMENT_DOORS),
]


@pytest.mark.parametrize(("how", "path", "body", "status", "code"), REFUSALS)
def test_every_refusal_has_one_shape(
    operator: Client, finished: Run, how: str, path: str, body: Any, status: int, code: str
) -> None:
    path = path.format(run=finished.pk)
    response = operator.get(path) if how == "get" else post(operator, path, body, how)
    assert response.status_code == status, response.content
    assert response.headers["Content-Type"] == "application/problem+json"
    problem = response.json()
    error = problem["error"]
    assert (error["code"], problem["type"], problem["status"]) == (code, f"/docs/errors#{code}", status)
    assert problem["detail"] == error["message"]
    assert problem["title"]
    assert error["message"]
    assert "\n" not in error["message"]


def test_the_documentation_names_each_code() -> None:
    assert {code for *_, code in REFUSALS} - set(re.findall(r"^## (\w+)$", errors_page(), re.MULTILINE)) == set()


def test_so_has_what_is_refused_before_any_route(client: Client, db: None) -> None:
    answers = [
        client.get("/api/v1/nosuch"),
        client.delete("/api/v1/games"),
        client.get("/api/v1/runs", headers={"Authorization": "Bearer pk_nobodys"}),
        client.post("/api/v1/runs", {}, content_type="application/json", headers={"Idempotency-Key": ""}),
    ]
    for answer, status in zip(answers, (404, 405, 401, 403), strict=True):
        assert answer.headers["Content-Type"] == "application/problem+json"
        told = answer.json()
        assert (answer.status_code, told["status"], told["type"]) == (
            status,
            status,
            f"/docs/errors#{told['error']['code']}",
        )


def test_whether_a_file_is_on_the_server_is_told_to_nobody(operator: Client) -> None:
    told = {
        post(operator, door, {"scenario": f"{path}"}).content.decode().replace(path, "PATH")
        for door in ("/api/v1/runs", "/api/v1/estimate")
        for path in ("/etc/passwd", "/etc/nopasswd", "/etc/fstab", "/etc/ssl")
    }
    assert len(told) == 1, told


def test_every_fault_of_a_form_stands_beside_its_field_and_nothing_is_created(operator: Client) -> None:
    body = {"scenario": "mining/baseline", "config": {"rows": 0, "typo": 1}}
    faults = post(operator, "/api/v1/runs", body).json()["error"]["faults"]
    assert {"config.rows", "config.typo"} <= {fault["path"] for fault in faults}
    assert not Run.objects.exists()


def test_what_the_form_needs_of_a_game_is_in_one_answer(client: Client, db: None) -> None:
    game = client.get("/api/v1/games/mining").json()
    assert game["config"]["properties"]["miners"]["maximum"] == 1000
    assert game["config"]["properties"]["miners"]["unit"] == "miners"
    baseline = next(preset for preset in game["presets"] if preset["name"] == "baseline")
    assert baseline["config"]["rounds"] == 200
    assert baseline["seats"][0]["policy"] == "guided"
    assert game["words"]["zh"]["config"]["miners"]["label"]


def test_settings_and_seats_of_a_form_are_played(operator: Client) -> None:
    body = {"scenario": "mining/baseline", "config": {"rounds": 3}, "seats": {"2": {"policy": "random"}}}
    made = post(operator, "/api/v1/runs", body).json()
    assert made["config"]["rounds"] == 3
    assert [seat["agent"] for seat in made["seats"][:4]] == ["guided", "guided", "random", "guided"]


def test_every_route_is_among_the_refusals_that_are_tested() -> None:
    named = (("{run}", "{run_id}"), ("runs/nosuchrun", "runs/{run_id}"), ("games/nosuch", "games/{slug}"))
    named = (*named, ("presets/nosuch", "presets/{name}"), ("experiments/nosuch", "experiments/{slug}"))
    named = (*named, ("join/NOPE", "join/{code}"), ("play/nobody", "play/{participant}"), ("seats/0", "seats/{seat}"))
    named = (
        *named,
        ("models/A%20b", "models/{name}"),
        ("sessions/999", "sessions/{session}"),
        ("knocks/NOPE", "knocks/{code}"),
        ("sources/nosuch", "sources/{game}"),
        ("tables/nosuch", "tables/{name}"),
        ("exports/as/nosuch", "exports/as/{exporter}"),
        ("files/data.zip", "files/{name}"),
        ("jobs/nosuch", "jobs/{job}"),
        ("webhooks/999", "webhooks/{webhook}"),
        ("keys/nosuch", "keys/{prefix}"),
        ("accounts/A%20b", "accounts/{name}"),
    )
    # these take nothing that could be refused
    plain = ("accounts", "agents", "keys", "learning", "models", "models/personas", "phenomena", "plugins", "sources")
    plain += ("studies/keys",)
    tried = {f"/api/v1/{name}" for name in plain}
    for _, path, *_ in REFUSALS:
        address = path.split("?")[0]
        for given, route in named:
            address = address.replace(given, route)
        tried.add(address)
    assert set(api.get_openapi_schema()["paths"]) - {"/api/v1/games", "/api/v1/people/settings"} <= tried


@pytest.mark.parametrize(
    ("path", "body"),
    [("/api/v1/runs", {"scenario": "mining/baseline"}), ("/api/v1/runs/{run}/control", {"action": "stop"})],
)
def test_a_visitor_may_change_nothing(client: Client, finished: Run, path: str, body: Any) -> None:
    response = post(client, path.format(run=finished.pk), body)
    assert (response.status_code, response.json()["error"]["code"]) == (403, "operators_only")
    assert Run.objects.count() == 1


def test_a_change_without_the_csrf_token_is_refused(db: None, finished: Run) -> None:
    user = get_user_model().objects.create_user("op", is_superuser=True)
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    response = post(client, f"/api/v1/runs/{finished.pk}/control", {"action": "stop"})
    assert (response.status_code, response.json()["error"]["code"]) == (403, "csrf")


def post(client: Client, path: str, body: Any, how: str = "post") -> Any:
    return getattr(client, how)(path, body, content_type="application/json")
