"""A request, the slices of its run, their steps and calls are one trace; errors are told by their kind."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from celery import current_app
from django.contrib.auth.models import User
from django.test import Client
from opentelemetry.sdk.trace import ReadableSpan, TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
from opentelemetry.trace import StatusCode

from agents_app import tracing
from games.site.drive import conductor
from games.site.models import Run
from games.site.notify import queueing
from games.site.workers import tasks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch) -> InMemorySpanExporter:
    exporter, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    monkeypatch.setenv(tracing.ENDPOINT, "http://127.0.0.1:4318")
    monkeypatch.setattr(tracing, "_provider", lru_cache(lambda: provider))
    return exporter


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """The headers of each message to the workers, by the real way to the broker."""
    headers = list[dict[str, Any]]()
    monkeypatch.setattr(current_app, "send_task", lambda *_, **how: headers.append(how["headers"]), raising=False)
    monkeypatch.setattr(queueing, "current_app", current_app)
    for module in ("runs.creating", "drive.conductor"):
        monkeypatch.setattr(f"games.site.{module}.enqueue", queueing.enqueue)
    monkeypatch.setattr(tasks.MODELS, "take", lambda run_id: conductor.conduct(run_id, "live", 0.0))
    return headers


def chain(span: ReadableSpan, by_id: dict[int, ReadableSpan]) -> list[str]:
    names = [span.name]
    while span.parent is not None:
        span = by_id[span.parent.span_id]
        names.append(span.name)
    return names


def started(client: Client) -> Run:
    client.force_login(User.objects.create_superuser("op"))
    config = {"miners": 4, "rows": 5, "cols": 5, "rounds": 2}
    body = {"scenario": "mining/llm-mock", "config": config, "seats": {"default": {"model": "mock/guided"}}}
    answer = client.post("/api/v1/runs", body, content_type="application/json")
    assert answer.status_code == 201, answer.content
    return Run.objects.get()


def test_each_slice_and_call_of_a_run_belongs_to_the_request_that_started_it(
    client: Client, kept: InMemorySpanExporter, sent: list[dict[str, Any]]
) -> None:
    run = started(client)
    while Run.objects.get().status != "finished":
        tasks.step_live.apply((run.pk,), headers=sent.pop())
    spans = kept.get_finished_spans()
    by_id = {span.context.span_id: span for span in spans}
    chats = [span for span in spans if span.name == "chat mock/guided"]
    assert {tuple(chain(chat, by_id)) for chat in chats} == {("chat mock/guided", "step", "run", "POST api/v1/runs")}
    assert len(chats) == 8
    assert sum(span.name == "run" for span in spans) >= 2, "a slice of no time ends with its step"
    [step, *_] = [span for span in spans if span.name == "step"]
    assert dict(step.attributes or {}) == {
        "polity.run.id": run.pk,
        "polity.game": "mining",
        "polity.step.first": 0,
        "polity.step.last": 0,
    }


def test_a_path_that_holds_a_code_is_told_by_its_route_and_probes_not_at_all(
    client: Client, kept: InMemorySpanExporter
) -> None:
    client.get("/join/SECRETCODE")
    client.get("/healthz")
    [span] = kept.get_finished_spans()
    assert span.name == "GET join/<str:code>"
    assert "SECRETCODE" not in span.to_json()


def test_an_error_is_told_by_its_kind_and_not_by_its_words(kept: InMemorySpanExporter) -> None:
    def fails() -> None:
        with tracing.span("work"):
            raise ValueError("what somebody wrote")

    with pytest.raises(ValueError, match="wrote"):
        fails()
    with tracing.span("call") as span:
        span.note(failure="timeout")
    lost, call = kept.get_finished_spans()
    assert dict(lost.attributes or {}) == {"error.type": "ValueError"}
    assert "wrote" not in lost.to_json()
    assert (call.status.status_code, dict(call.attributes or {})) == (StatusCode.ERROR, {"error.type": "timeout"})


def test_without_a_collector_a_message_to_the_workers_carries_nothing(
    client: Client, sent: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(tracing.ENDPOINT, raising=False)
    started(client)
    assert sent == [{}]
    assert tracing.span("a") is tracing.span("b"), "one that does nothing"
