"""A read-only page on a run folder: a local server, and the frames that it hands out by number."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final
from urllib.parse import parse_qs, urlsplit

from games.core.game import All, Step
from games.lab.cells import encoded
from games.lab.faults import BadFolder, Refused
from games.lab.reading import Entry, RunFolder

KEPT: Final = 512
"""So many frames of the run at hand are kept for stepping back without resolving from the start."""
_PAGE: Final = Path(__file__).parent / "viewer"
_FILES: Final = {
    "/": ("page.html", "text/html; charset=utf-8"),
    "/page.js": ("page.js", "text/javascript; charset=utf-8"),
    "/page.css": ("page.css", "text/css; charset=utf-8"),
}


class Frames:
    """One run's frames by number, through omniscient eyes; resolved forward as they are asked for."""

    def __init__(self, folder: RunFolder, entry: Entry) -> None:
        self.folder, self.entry = folder, entry
        self._kept: dict[int, Mapping[str, Any]] = {}
        self._loop: Iterator[tuple[dict[str, Any], Step[Any, Any]]] | None = None
        self._last = -1

    def frame(self, number: int) -> Mapping[str, Any]:
        """The frame of a step. Where it does not resolve again, its record, with the reason in ``unresolved``."""
        if not 0 <= number <= self.entry.steps:
            raise self.folder.bad("", f"{self.entry}: step {number}; from 0 to {self.entry.steps}")
        if number in self._kept:
            return self._kept[number]
        try:
            return self._resolved(number)
        except BadFolder as error:
            self._loop = None
            (record,) = self.folder.records(self.entry, number, number + 1)
            return {**record, "view": None, "unresolved": str(error)}

    def _resolved(self, number: int) -> Mapping[str, Any]:
        game, config = self.folder.pack.game, self.folder.config(self.entry.condition)
        if self._loop is None or number <= self._last:
            self._loop, self._last = self.folder.steps(self.entry), -1
        while self._last < number:
            record, step = next(self._loop)
            self._last = step.index
            if number - self._last < KEPT:
                self._kept[self._last] = {**record, "view": game.view(config, step.state, All())}
                if len(self._kept) > KEPT:
                    del self._kept[next(iter(self._kept))]
        return self._kept[number]


class Answers:
    """What the page may ask for, as JSON values."""

    def __init__(self, folder: RunFolder) -> None:
        self.folder = folder
        self._frames: Frames | None = None
        self._busy = threading.Lock()

    def index(self, query: Mapping[str, str]) -> Any:
        """The folder: its game, conditions with configs and agents, and runs."""
        told = self.folder.manifest
        runs = [
            {"condition": one.condition, "replicate": one.replicate, "seed": one.seed, "steps": one.steps}
            for one in self.folder.entries
        ]
        names = ("game", "rules_version", "scenario", "conditions", "versions", "timestamps")
        return {**{name: told.get(name) for name in names}, "runs": runs, "words": self._words()}

    def frame(self, query: Mapping[str, str]) -> Any:
        """One frame of one run."""
        with self._busy:
            entry = self._entry(query)
            if self._frames is None or self._frames.entry != entry:
                self._frames = Frames(self.folder, entry)
            return self._frames.frame(_whole(query, "step"))

    def series(self, query: Mapping[str, str]) -> Any:
        """The numeric metrics of each step of one run, by name; the start has none."""
        rows = [record.get("metrics") or {} for record in self.folder.records(self._entry(query), 1)]
        names = dict.fromkeys(name for row in rows for name, value in row.items() if isinstance(value, int | float))
        return {name: [row.get(name) for row in rows] for name in names}

    def _entry(self, query: Mapping[str, str]) -> Entry:
        return self.folder.find(query.get("condition", ""), _whole(query, "replicate"))

    def _words(self) -> Any:
        try:
            return json.loads((self.folder.pack.folder / "words" / "en.json").read_text("utf-8"))
        except (Refused, OSError, ValueError):
            return {}


def _whole(query: Mapping[str, str], name: str) -> int:
    value = query.get(name, "")
    if not value.isdecimal() or len(value) > 9:
        raise Refused(f"{name}: {value!r}; a whole number is needed")
    return int(value)


def server(folder: RunFolder, port: int) -> ThreadingHTTPServer:
    """A server on this machine's loopback address that answers for a folder; port 0 takes a free one."""
    answers = Answers(folder)
    routes: dict[str, Callable[[Mapping[str, str]], Any]] = {
        "/index.json": answers.index,
        "/frame.json": answers.frame,
        "/series.json": answers.series,
    }

    class Handler(BaseHTTPRequestHandler):
        server_version = "polity-view"
        sys_version = ""

        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if not _local(self.headers.get("Host", "")):
                self._answer(HTTPStatus.FORBIDDEN, "text/plain", b"This page is for this machine only.\n")
            elif asked.path in _FILES:
                name, kind = _FILES[asked.path]
                self._answer(HTTPStatus.OK, kind, (_PAGE / name).read_bytes())
            elif asked.path in routes:
                query = {name: values[0] for name, values in parse_qs(asked.query).items()}
                try:
                    status, body = HTTPStatus.OK, encoded(routes[asked.path](query))
                except Refused as error:
                    status, body = HTTPStatus.NOT_FOUND, encoded({"error": str(error)})
                self._answer(status, "application/json", body)
            else:
                self._answer(HTTPStatus.NOT_FOUND, "text/plain", b"There is nothing here.\n")

        def _answer(self, status: HTTPStatus, kind: str, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Content-Security-Policy", "default-src 'self'; img-src data:; frame-ancestors 'none'")
            self.end_headers()
            with suppress(ConnectionError):  # a page that was left before its answer came
                self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the shell stays quiet."""

    served = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    served.daemon_threads = True
    return served


def _local(host: str) -> bool:
    """Whether a request was addressed to this machine by name; other names may be another site's trick."""
    return host.rpartition(":")[0] in ("127.0.0.1", "localhost") or host in ("127.0.0.1", "localhost")
