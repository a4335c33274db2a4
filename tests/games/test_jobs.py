"""What takes longer than a web process may give it goes to a bulk worker, and is answered as it would have been."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.lab.folders.running import run as run_folder
from games.lab.scenarios.scenario import load_data
from games.site.accounts.keys import key_create
from games.site.drive.conductor import conduct
from games.site.models import Experiment, Job, JobPart, JobStatus, Run, Worker
from games.site.notify import queueing
from games.site.notify.resting import Resting
from games.site.record import capacity, clock, jobs
from games.site.runs.creating import run_create
from games.site.web import jobs as door
from tests.games.test_experiment_folders import zipped

pytestmark = pytest.mark.django_db(transaction=True)
CHECK = "/api/v1/experiments/check"
DOCUMENT = {"base": "mining/baseline", "seeds": [1, 2], "config": {"rounds": 3}}
ASK = {"document": DOCUMENT}


@pytest.fixture(autouse=True)
def sent(settings: Any, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A bulk worker lives, and what it is asked for is noted; nobody waits for it."""
    settings.CELERY_TASK_ALWAYS_EAGER = False
    settings.POLITY_REDIS_URL = "unix:///nowhere"
    asked: list[str] = []
    monkeypatch.setattr(jobs, "enqueue_job", asked.append)
    monkeypatch.setattr(door, "MOMENT_S", 0.0)
    capacity.say("bulk-1@here")
    return asked


@pytest.fixture
def beats(monkeypatch: pytest.MonkeyPatch) -> dict[str, bytes]:
    """A Redis that holds what workers say."""
    kept: dict[str, bytes] = {}

    class Redis:
        def set(self, key: str, value: str, ex: int) -> bool:
            kept[key] = value.encode()
            return True

        def get(self, key: str) -> bytes | None:
            return kept.get(key)

        def delete(self, key: str) -> int:
            return 1 if kept.pop(key, None) else 0

    monkeypatch.setattr(jobs, "redis_at", lambda url: Redis())
    return kept


def post(client: Client, body: Any = ASK, path: str = CHECK) -> Any:
    return client.post(path, json.dumps(body), content_type="application/json")


def test_a_check_is_accepted_and_its_answer_is_the_one_that_would_have_come_at_once(
    admin_client: Client, settings: Any, sent: list[str]
) -> None:
    accepted = post(admin_client)
    assert accepted.status_code == 202
    told = accepted.json()
    assert (told["status"], told["answer"]) == ("waiting", None)
    assert accepted.headers["Location"] == told["address"]
    assert admin_client.get(told["address"] + "/answer").status_code == 202
    assert sent == [told["id"]]
    door.carry_out(told["id"])
    over = admin_client.get(told["address"]).json()
    assert over["status"] == "done"
    answer = admin_client.get(over["answer"])
    settings.CELERY_TASK_ALWAYS_EAGER = True
    at_once = post(admin_client)
    assert (answer.status_code, answer.content) == (200, at_once.content)
    assert answer.headers["Content-Type"] == at_once.headers["Content-Type"]


def test_what_a_worker_answers_within_a_moment_is_the_answer(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "enqueue_job", door.carry_out)
    monkeypatch.setattr(door, "MOMENT_S", 60.0)
    assert post(admin_client).status_code == 200


def test_a_fault_that_shows_at_once_makes_no_job(admin_client: Client) -> None:
    assert post(admin_client, {"document": {"game": "nosuch"}}).status_code == 422
    assert admin_client.post("/api/v1/runs/nosuch/verify").status_code == 404
    assert not Job.objects.exists()


def test_a_fault_that_the_worker_finds_has_its_status_and_its_words(admin_client: Client) -> None:
    body = {"slug": "gone", "archive": "UEsDBA=="}
    told = post(admin_client, body, "/api/v1/experiments/import").json()
    door.carry_out(told["id"])
    answer = admin_client.get(told["address"] + "/answer")
    assert answer.status_code == 422
    assert answer.json()["error"]["code"] == "bad_archive"


def test_an_error_of_ours_is_an_answer_too(admin_client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    told = post(admin_client).json()
    monkeypatch.setattr("games.site.web.designs.foretold", lambda *_: 1 / 0)
    door.carry_out(told["id"])
    assert admin_client.get(told["address"] + "/answer").status_code == 500


def test_the_same_request_twice_is_one_job_and_another_asker_s_is_another(admin_client: Client) -> None:
    one, same = post(admin_client).json(), post(admin_client).json()
    assert one["id"] == same["id"]
    other = Client()
    other.force_login(get_user_model().objects.create_user("ben", is_superuser=True))
    assert post(other).json()["id"] != one["id"]
    assert other.get(one["address"]).status_code == 404
    assert Client().get(one["address"] + "/answer").status_code == 404


def test_an_asker_has_so_many_jobs_under_way_and_no_more(admin_client: Client) -> None:
    for seed in range(jobs.OPEN_MOST):
        assert post(admin_client, {"document": {**DOCUMENT, "seeds": [seed]}}).status_code == 202
    refused = post(admin_client, {"document": {**DOCUMENT, "seeds": [99]}})
    assert refused.status_code == 429
    assert refused.json()["error"]["code"] == "too_many_jobs"


def test_where_no_bulk_worker_lives_it_is_done_here_and_counted(admin_client: Client) -> None:
    Worker.objects.all().delete()
    capacity.say("live-1@here")
    before = door.HERE._value.get()
    assert post(admin_client).status_code == 200
    assert door.HERE._value.get() == before + 1
    assert not Job.objects.exists()


def test_a_bulk_worker_counts_as_no_room_for_models() -> None:
    before = capacity.capacity()
    capacity.say("bulk-2@here")
    assert capacity.capacity() == before


def test_a_verification_says_how_far_it_is(
    admin_client: Client, make_run: Callable[..., Run], beats: dict[str, bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    from games.site.drive.conductor import conduct
    from games.site.record import verification

    run = make_run(days=4)
    conduct(run.pk, "live")
    told = admin_client.post(f"/api/v1/runs/{run.pk}/verify").json()
    seen: list[Any] = []
    before = verification._difference

    def look(*given: Any) -> Any:
        seen.append(admin_client.get(told["address"]).json())
        return before(*given)

    monkeypatch.setattr(verification, "_difference", look)
    door.carry_out(told["id"])
    assert [(one["status"], one["done"], one["of"]) for one in seen][1:] == [("running", n, 16) for n in range(1, 17)]
    assert admin_client.get(told["address"] + "/answer").json() == {
        "identical": 16, "steps": 16, "difference": "", "calls": 0
    }  # fmt: skip
    assert not beats


def test_a_job_whose_worker_died_is_another_s_and_after_three_deaths_nobody_s(
    admin_client: Client, sent: list[str], beats: dict[str, bytes]
) -> None:
    told = post(admin_client).json()
    for death in range(jobs.TRIES):
        assert jobs.job_take(told["id"]) is not None
        assert jobs.job_take(told["id"]) is None
        jobs.jobs_sweep()
        assert Job.objects.get().status == JobStatus.RUNNING, "it has only begun"
        Job.objects.update(begun=clock.now() - timedelta(minutes=2))
        beats[jobs._key(told["id"])] = b"0/0"
        jobs.jobs_sweep()
        assert Job.objects.get().status == JobStatus.RUNNING, "its worker says that it lives"
        beats.clear()
        jobs.jobs_sweep()
        assert len(sent) == min(death + 2, jobs.TRIES)
    assert admin_client.get(told["address"] + "/answer").status_code == 503


def test_an_import_whose_worker_died_before_it_could_say_so_is_recognised_as_its_own(
    admin_client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run_folder(load_data({**DOCUMENT, "seeds": 1}, "file", ""), tmp_path / "made", jobs=1)
    body = {"slug": "brought", "archive": zipped(tmp_path / "made")}
    told = post(admin_client, body, "/api/v1/experiments/import").json()
    with monkeypatch.context() as dying:
        dying.setattr(jobs, "job_end", lambda *_: None)
        door.carry_out(told["id"])
    made = Experiment.objects.get()
    assert jobs.job_again(Job.objects.get())
    door.carry_out(told["id"])
    answer = admin_client.get(told["address"] + "/answer")
    assert (answer.status_code, answer.json()["slug"], Experiment.objects.get()) == (201, "brought", made)
    other = post(admin_client, {**body, "archive": body["archive"] + "="}, "/api/v1/experiments/import").json()
    door.carry_out(other["id"])
    assert admin_client.get(other["address"] + "/answer").json()["error"]["code"] == "slug_taken", "another request's"


def test_a_broker_that_does_not_answer_is_asked_once_and_not_for_each_run(monkeypatch: pytest.MonkeyPatch) -> None:
    tried: list[str] = []

    def away(task: str, *_: Any, **__: Any) -> None:
        tried.append(task)
        raise OSError("timed out")

    monkeypatch.setattr(queueing.current_app, "send_task", away)
    monkeypatch.setattr(queueing, "_resting", Resting())
    for number in range(20):
        queueing.enqueue(f"run-{number}", "bulk")
    queueing.enqueue_job("job")
    assert tried == [queueing.STEP_BULK]
    queueing._resting.over()
    queueing.enqueue("run-20", "live")
    assert tried == [queueing.STEP_BULK, queueing.STEP_LIVE]


def test_where_redis_is_away_no_worker_is_taken_for_dead(admin_client: Client) -> None:
    told = post(admin_client).json()
    assert jobs.job_take(told["id"]) is not None
    Job.objects.update(begun=clock.now() - timedelta(minutes=2))
    jobs.jobs_sweep()
    assert Job.objects.get().status == JobStatus.RUNNING


def test_what_nobody_took_is_asked_for_again_and_what_is_old_goes(admin_client: Client, sent: list[str]) -> None:
    told = post(admin_client).json()
    jobs.jobs_sweep()
    assert sent == [told["id"]]
    Job.objects.update(queued=clock.now() - timedelta(minutes=1))
    jobs.jobs_sweep()
    assert sent == [told["id"], told["id"]]
    Job.objects.update(expires=clock.now() - timedelta(seconds=1))
    jobs.jobs_sweep()
    assert admin_client.get(told["address"]).status_code == 404


def test_a_browser_that_opens_a_report_is_told_to_ask_again(admin_client: Client) -> None:
    from games.site.experiments import declaring, running

    made = declaring.experiment_create(slug="shown", document=DOCUMENT)
    running.experiment_start(experiment=made)
    page = admin_client.get("/api/v1/experiments/shown/report.html", headers={"Accept": "text/html"})
    assert page.status_code == 202
    assert page.headers["Refresh"].endswith(f"/jobs/{Job.objects.get().pk}/answer")


# --- exports with an address ------------------------------------------------------------------------

RUNS = {"filter": {"game": "mining"}, "level": "rounds", "format": "jsonl"}
LATER = {"Prefer": "wait=3, respond-async"}


@pytest.fixture
def played(db: None) -> Run:
    run = run_create(scenario=load_data({**DOCUMENT, "seeds": [1]}, "test", "mining"))
    conduct(run.pk, "live")
    return run


def export(client: Client, body: Any = RUNS, **headers: str) -> Any:
    return client.post("/api/v1/exports", body, content_type="application/json", headers={**LATER, **headers})


def whole(answer: Any) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else bytes(answer.content)


def test_an_export_that_is_to_be_made_later_has_an_address_and_the_same_bytes(
    admin_client: Client, played: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "PART", 300)
    wanted = {"filter": {"game": "mining"}, "format": "zip"}
    accepted = export(admin_client, wanted)
    assert (accepted.status_code, accepted.headers["Preference-Applied"]) == (202, "respond-async")
    at = accepted.headers["Location"]
    assert admin_client.get(at).json()["status"] == "waiting"
    door.carry_out(accepted.json()["id"])
    made = admin_client.get(admin_client.get(at).json()["answer"])
    at_once = admin_client.post("/api/v1/exports", wanted, content_type="application/json")
    assert JobPart.objects.count() > 1
    assert whole(made) == (body := whole(at_once))
    assert made.headers["Content-Length"] == str(len(body))
    for name in ("Content-Type", "Content-Disposition", "X-Polity-Rows", "X-Polity-Runs"):
        assert made.headers[name] == at_once.headers[name], name
    Job.objects.update(expires=clock.now() - timedelta(seconds=1))
    jobs.jobs_sweep()
    assert not JobPart.objects.exists()


def test_where_no_worker_lives_the_file_is_there_at_once(admin_client: Client, played: Run) -> None:
    Worker.objects.all().delete()
    accepted = export(admin_client)
    assert (accepted.status_code, accepted.json()["status"]) == (202, "done")
    assert played.pk.encode() in whole(admin_client.get(accepted.json()["answer"]))


def test_a_worker_that_dies_at_an_export_leaves_nothing_of_it_in_the_file(admin_client: Client, played: Run) -> None:
    accepted = export(admin_client)
    job = Job.objects.get()
    JobPart.objects.create(job=job, number=1, data=b"half of it")
    JobPart.objects.create(job=job, number=9, data=b"and more")
    door.carry_out(job.pk)
    answer = admin_client.get(f"{accepted.json()['address']}/answer")
    assert (answer.status_code, b"half" in whole(answer)) == (200, False)
    assert not JobPart.objects.filter(number=9).exists()


def test_what_is_too_long_to_be_kept_is_refused_with_the_remedy(
    admin_client: Client, played: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "STREAM_MAX", 10)
    accepted = export(admin_client)
    door.carry_out(accepted.json()["id"])
    answer = admin_client.get(f"{accepted.json()['address']}/answer")
    assert (answer.status_code, answer.json()["error"]["code"]) == (413, "too_big")
    assert "without Prefer" in answer.json()["detail"]
    assert not JobPart.objects.exists()


def test_an_export_that_breaks_off_is_made_again_and_never_half_told(
    admin_client: Client, played: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(*_: Any, **__: Any) -> Any:
        yield b"x" * 400
        raise RuntimeError("in the middle")

    with monkeypatch.context() as patched:
        patched.setattr("games.site.web.exports.written", half)
        patched.setattr(jobs, "PART", 300)
        accepted = export(admin_client)
        for _ in range(jobs.TRIES):
            door.carry_out(accepted.json()["id"])
    answer = admin_client.get(f"{accepted.json()['address']}/answer")
    assert (answer.status_code, answer.json()["error"]["code"]) == (503, "unavailable")


def test_a_file_is_its_askers_alone_and_no_key_that_only_reads_fetches_it(admin_client: Client, played: Run) -> None:
    user = get_user_model().objects.get(username="admin")
    keys = {one: key_create(user=user, name=one, scopes=[one], days=1)[1] for one in ("read", "export")}
    accepted = export(admin_client)
    door.carry_out(accepted.json()["id"])
    path = f"{accepted.json()['address']}/answer"

    def fetched(key: str) -> Any:
        return Client().get(path, headers={"Authorization": f"Bearer {keys[key]}"})

    assert Client().get(path).status_code == 404
    assert (fetched("read").status_code, fetched("read").status_code) == (403, 403)
    assert fetched("read").json()["error"]["code"] == "wrong_scope"


def test_an_export_that_cannot_be_is_refused_before_any_job(admin_client: Client) -> None:
    assert export(admin_client, {**RUNS, "bom": True}).status_code == 422
    assert not Job.objects.exists()
