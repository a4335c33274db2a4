"""What a request, a run, a step and a call of a model took, as spans of OpenTelemetry.

Only where OTEL_EXPORTER_OTLP_ENDPOINT names a collector is its library imported (extra telemetry). Ids, names and
numbers are told: no text that somebody wrote, that a model was asked or that it answered, and of an error its kind.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import lru_cache
from typing import Any, Final

ENDPOINT: Final = "OTEL_EXPORTER_OTLP_ENDPOINT"
Told = Mapping[str, str | int | float]
Telling = Told | Callable[[], Told]
"""What is told, or what makes it where somebody listens."""


class Span:
    """A piece of work of which nothing is kept."""

    def note(self, name: str = "", told: Telling | None = None, failure: str = "") -> None:
        """What is known at its end: a better name, more attributes, the kind of its failure."""


_NOTHING: Final = nullcontext(Span())


def is_on() -> bool:
    return bool(os.environ.get(ENDPOINT))


def span(name: str, told: Telling | None = None, kind: str = "internal") -> AbstractContextManager[Span]:
    """Around a piece of work, inside whatever span is open here."""
    return _Kept.around(name, told() if callable(told) else told, kind) if is_on() else _NOTHING


def carried() -> dict[str, str]:
    """The open span as headers, by which work elsewhere goes on inside it; empty where there is none."""
    headers: dict[str, str] = {}
    if is_on():
        from opentelemetry.propagate import inject

        inject(headers)
    return headers


@contextmanager
def within(headers: Mapping[str, Any] | None) -> Iterator[None]:
    """Whatever is begun here goes on inside the span that the headers carry."""
    if not is_on() or not headers:
        yield
        return
    from opentelemetry import context
    from opentelemetry.propagate import extract

    token = context.attach(extract({name: str(value) for name, value in headers.items()}))
    try:
        yield
    finally:
        context.detach(token)


def flush() -> None:
    """Send what has not been sent, before a process ends in a way that runs nothing more."""
    if _provider.cache_info().currsize:
        _provider().force_flush(2000)


class _Kept(Span):
    def __init__(self, kept: Any) -> None:
        self.kept = kept

    def note(self, name: str = "", told: Telling | None = None, failure: str = "") -> None:
        from opentelemetry.trace import StatusCode

        if name:
            self.kept.update_name(name)
        self.kept.set_attributes((told() if callable(told) else told) or {})
        if failure:
            self.kept.set_attribute("error.type", failure)
            self.kept.set_status(StatusCode.ERROR)

    @classmethod
    @contextmanager
    def around(cls, name: str, told: Told | None, kind: str) -> Iterator[Span]:
        from opentelemetry.trace import SpanKind

        how: Any = {"record_exception": False, "set_status_on_exception": False}  # their words may be somebody's
        began = _provider().get_tracer("polity")
        with began.start_as_current_span(name, kind=SpanKind[kind.upper()], attributes=told, **how) as kept:
            try:
                yield cls(kept)
            except BaseException as error:
                kept.set_attribute("error.type", type(error).__name__)
                raise


@lru_cache(maxsize=1)
def _provider() -> Any:
    """Made with the first span, so that each process has its own: a bulk worker forks before it."""
    from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
    from opentelemetry.sdk.resources import SERVICE_NAME, Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    named = {} if os.environ.get("OTEL_SERVICE_NAME") else {SERVICE_NAME: "polity"}
    here: dict[str, str | int] = {"polity.part": os.environ.get("POLITY_PART", "polity"), "process.pid": os.getpid()}
    provider = TracerProvider(resource=Resource.create({**named, **here}))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return provider
