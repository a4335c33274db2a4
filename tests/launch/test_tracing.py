"""A run of models as one trace: what asked for it, its slices, its steps, its calls; and nothing that anybody wrote."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

from simsite.environment import BadSetting, read
from tests.sites import POLITY, ROOT, serve


class Collector:
    """Receives spans as a collector of OpenTelemetry does."""

    def __init__(self) -> None:
        self.bodies = list[bytes]()
        bodies = self.bodies

        class Taking(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                assert self.path == "/v1/traces"
                bodies.append(self.rfile.read(int(self.headers["Content-Length"])))
                self.send_response(200)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Taking)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def environ(self) -> dict[str, str]:
        address = f"http://127.0.0.1:{self.server.server_port}"
        return {"OTEL_EXPORTER_OTLP_ENDPOINT": address, "OTEL_BSP_SCHEDULE_DELAY": "100"}

    def spans(self) -> list[dict[str, Any]]:
        """Each with its name, ids, attributes and the part that sent it."""
        found = []
        for body in list(self.bodies):
            for sent in ExportTraceServiceRequest.FromString(body).resource_spans:
                part = {one.key: one.value.string_value for one in sent.resource.attributes}["polity.part"]
                for span in (span for scope in sent.scope_spans for span in scope.spans):
                    told = {one.key: one.value.string_value or one.value.int_value for one in span.attributes}
                    ids = {"trace": span.trace_id, "id": span.span_id, "parent": span.parent_span_id}
                    found.append({"name": span.name, "part": part, **ids, "told": told})
        return found


@contextmanager
def collecting() -> Iterator[Collector]:
    collector = Collector()
    try:
        yield collector
    finally:
        collector.server.shutdown()
        collector.server.server_close()


@pytest.mark.full
@pytest.mark.timeout(420)
def test_a_request_that_starts_a_run_of_models_is_one_trace_down_to_each_call(tmp_path: Path) -> None:
    with collecting() as collector:
        site = serve([POLITY], ROOT, tmp_path / "home", tmp_path / "log", "--no-demo", environ=collector.environ)
        try:
            body = {"scenario": "mining/llm-mock", "config": {"rounds": 2, "miners": 4, "rows": 5, "cols": 5}}
            run = site.post("/runs", body)["id"]
            site.until(run, "it ends", lambda told: told["status"] == "finished")
            calls = site.operator_get(f"/runs/{run}/calls?limit=100")
        finally:
            site.end()  # what was not sent yet is sent now
    spans = collector.spans()
    by_id = {span["id"]: span for span in spans}
    chains = set()
    chats = [span for span in spans if span["name"] == "chat mock/guided"]
    for chat in chats:
        step = by_id[chat["parent"]]
        slice_ = by_id[step["parent"]]
        request = by_id[slice_["parent"]]
        chains.add((request["name"], slice_["name"], step["name"]))
        assert {span["trace"] for span in (chat, step, slice_, request)} == {chat["trace"]}
        assert (request["part"], slice_["part"]) == ("web", "live")
        assert slice_["told"]["polity.run.id"] == step["told"]["polity.run.id"] == run
        assert chat["told"]["gen_ai.request.model"] == "mock/guided"
        assert chat["told"]["gen_ai.usage.input_tokens"] > 0
    assert chains == {("POST api/v1/runs", "run", "step")}
    assert len({chat["trace"] for chat in chats}) == 1
    assert len(chats) >= 8
    sent = b"".join(collector.bodies).decode("utf-8", "replace")
    texts = {line.strip() for text in _texts(calls) for line in text.splitlines() if len(line.strip()) >= 16}
    assert len(texts) > 10
    assert [text for text in texts if text in sent] == []
    assert site.find(r"/enter/(\S+)") not in sent


def _texts(told: Any) -> Iterator[str]:
    match told:
        case dict():
            for value in told.values():
                yield from _texts(value)
        case list():
            for value in told:
                yield from _texts(value)
        case str():
            yield told


def test_without_a_collector_nothing_of_it_is_imported() -> None:
    program = "import sys, simsite.asgi, games.site.workers.tasks; print('opentelemetry' in sys.modules)"
    environ = {"PATH": "/usr/bin:/bin", "DJANGO_SETTINGS_MODULE": "tests.settings"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=environ, capture_output=True, text=True, check=False
    )
    assert done.stdout == "False\n", done.stderr


def test_an_address_of_no_collector_is_refused_and_a_missing_extra_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadSetting, match="OTEL_EXPORTER_OTLP_ENDPOINT: 'collector'; http://host:4318"):
        read({"POLITY_HOME": str(tmp_path), "OTEL_EXPORTER_OTLP_ENDPOINT": "collector:4318"})
    monkeypatch.setattr("simsite.environment.find_spec", lambda name: None if name.endswith(".sdk") else name)
    with pytest.raises(BadSetting, match=r"pip install 'polity-lab\[telemetry\]'"):
        read({"POLITY_HOME": str(tmp_path), "OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:4318"})
