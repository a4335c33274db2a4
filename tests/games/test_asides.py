"""Models asked beside the play on the site: by its API, through pauses and hand-overs, in calls and exports."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.site.drive import keeping
from games.site.drive.conductor import conduct
from games.site.models import Call, Run
from games.site.people.seats import seat_hand_over
from games.site.record.verification import rerun_run
from games.site.runs.creating import run_limits, run_play
from tests.agents.test_asides import ASIDE, NEXT
from tests.games.test_models_on_the_site import driven

pytestmark = pytest.mark.django_db(transaction=True)
MOCK: dict[str, Any] = {"model": "mock/TFT", "profile": {"aside": ASIDE}}


@pytest.fixture
def operator(client: Client) -> Client:
    client.force_login(get_user_model().objects.create_superuser("operator", password="x"))
    return client


def begun(operator: Client, **body: Any) -> Run:
    seats = {"0": MOCK, "1": {"policy": "TFT"}}
    sent = {"scenario": "dilemma/tft-vs-alld", "seats": seats, "config": {"rounds": 3}, "pace": 0, **body}
    answer = operator.post("/api/v1/runs", sent, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return Run.objects.get(pk=answer.json()["id"])


def test_a_question_that_cannot_be_asked_is_refused_by_the_api_in_both_languages(operator: Client) -> None:
    seats = {"0": {"model": "mock/TFT", "profile": {"aside": [{**NEXT, "least": 3}]}}}
    body = {"scenario": "dilemma/tft-vs-alld", "seats": seats}
    answer = operator.post("/api/v1/runs", body, content_type="application/json")
    assert answer.status_code == 422
    assert "least 3.0, most 1.0; a number needs both" in json.dumps(answer.json(), ensure_ascii=False)
    assert "数字须两者都给" in json.dumps(answer.json(), ensure_ascii=False)


def test_what_was_asked_aside_stands_in_the_calls_the_export_and_the_recording(operator: Client) -> None:
    run = driven(begun(operator))
    assert run.status == "finished"
    calls = operator.get(f"/api/v1/runs/{run.pk}/calls?seat=0").json()
    told = [(call["step"], call["purpose"], sorted(call["answers"])) for call in calls["calls"]]
    assert told == [
        *((step, *one) for step in (1, 2, 3) for one in (("before", ["next"]), ("act", []), ("after", ["sure"]))),
        (3, "end", ["why"]),
    ]
    assert not any("next" in json.dumps(one) for one in calls["decisions"])
    answer = operator.post(
        "/api/v1/exports", {"runs": [run.pk], "level": "asides", "format": "jsonl"}, content_type="application/json"
    )
    rows = [json.loads(line) for line in b"".join(answer.streaming_content).splitlines()]  # type: ignore[attr-defined]
    assert int(answer.headers["X-Polity-Rows"]) == len(rows) == 7
    assert [(row["step"], row["when"], row["question"]) for row in rows[:2]] == [
        (1, "before", "next"),
        (1, "after", "sure"),
    ]
    assert (0 <= rows[0]["number"] <= 1, rows[0]["text"], rows[1]["text"] in ("low", "high")) == (True, None, True)
    assert str(rerun_run(run.pk)) == "identical 4/4"


def test_a_limit_at_the_last_question_pauses_the_run_and_nothing_is_asked_twice(operator: Client) -> None:
    run = driven(begun(operator, limits={"calls": 9}))
    assert (run.status, run.head, Call.objects.filter(run=run).count()) == ("paused", 3, 9)
    run_limits(run_id=run.pk, limits={"calls": 10})
    run_play(run_id=run.pk)
    run = driven(run)
    assert (run.status, Call.objects.filter(run=run).count()) == ("finished", 10)


def test_a_worker_that_dies_after_the_last_question_asks_it_no_second_time(
    operator: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = begun(operator)
    stored = keeping.decision_store

    def dies(**told: Any) -> str:
        if told["purpose"] == "end":
            raise KeyboardInterrupt
        return stored(**told)

    monkeypatch.setattr(keeping, "decision_store", dies)
    monkeypatch.setattr(keeping, "_are_new", lambda *tables: False)  # so that each is stored by itself
    with pytest.raises(KeyboardInterrupt):
        driven(run)
    monkeypatch.undo()
    run.refresh_from_db()
    assert (run.status, Call.objects.filter(run=run).count()) == ("running", 10)
    Run.objects.filter(pk=run.pk).update(lease_until=None)
    conduct(run.pk, "live")
    run.refresh_from_db()
    assert (run.status, Call.objects.filter(run=run).count()) == ("finished", 10)


def test_a_seat_that_is_handed_over_while_it_is_asked_keeps_what_was_asked(operator: Client) -> None:
    run = begun(operator)
    for purpose in ("before", "act", "after"):
        Call.objects.create(run=run, step=run.head + 1, seat=0, purpose=purpose, attempt=1, model="x", prompt_hash="")
    seat_hand_over(run_id=run.pk, seat=0, agent={"policy": "TFT"})
    assert sorted(Call.objects.values_list("purpose", "attempt")) == [("dropped", n) for n in (1, 101, 201)]
