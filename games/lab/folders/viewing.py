"""The site's own run page on a run folder, read-only: a local server that answers as the site's API does."""

from __future__ import annotations

import re
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from urllib.parse import parse_qs, unquote, urlsplit

from games.errors.faults import BadFolder, Refused
from games.lab.folders.bundle import Bundle
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.reel import FolderFrames, eyes_of, run_id, run_summary
from games.lab.folders.replayfile import ICON, inert, of_reel, words_of
from games.lab.folders.results import CONFIDENCE, measured, robin, summaries
from games.lab.scenarios.naming import agent_label
from games.lab.wire.errors import PROBLEM, error_out
from games.lab.wire.frames import FRAMES_MAX, frame_page, snapshot
from games.lab.wire.plainjson import encoded

KEPT_BYTES: Final = 256 * 1024 * 1024
"""Compressed frames of runs that were looked at before; of them the oldest make room."""
POLICY: Final = "default-src 'self'; img-src 'self' data: blob:; frame-ancestors 'none'"
_KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".csv": "text/csv",
    ".svg": "image/svg+xml",
    ".woff2": "font/woff2",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """What is sent back. ``name``: the file that a browser shall save it as."""

    body: bytes
    kind: str = "application/json"
    status: HTTPStatus = HTTPStatus.OK
    name: str = ""


class Answers:
    """What the page may ask for. One request is answered at a time: runs are resolved under way."""

    def __init__(self, folder: RunFolder, bundle: Bundle) -> None:
        self.folder, self.bundle = folder, bundle
        self._runs = {run_id(entry): entry for entry in folder.entries}
        self._reels: OrderedDict[tuple[str, int | None], FolderFrames] = OrderedDict()
        self._busy = threading.Lock()
        self._measured = measured(folder)

    def page(self) -> Answer:
        """The page itself; what it shows it asks for."""
        bundle = Bundle(self.bundle.path)  # it may have been built anew meanwhile
        styles = "".join(f'<link rel="stylesheet" href="/static/{name}">' for name in bundle.styles)
        text = (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n<title>Polity</title>\n'
            f'<link rel="icon" href="{ICON}">\n{styles}'
            f'<script type="module" src="/static/{bundle.script}"></script>\n</head>\n<body>\n'
            '<div id="app" data-page="folder"></div>\n'
            f'<script type="application/json" id="boot">{inert({"folder": self.index()})}</script>\n'
            "</body>\n</html>\n"
        )
        return Answer(text.encode(), "text/html")

    def index(self) -> dict[str, Any]:
        """The folder: conditions with their replicates and measures, a round robin's standings, the tables as files."""
        folder = self.folder
        found = summaries(folder.conditions, self._measured)
        replicates: dict[str, list[int]] = {name: [] for name in folder.conditions}
        for entry in folder.entries:
            replicates[entry.condition].append(entry.replicate)
        try:
            pack, standings = folder.pack, robin(folder, self._measured)
            words, about = words_of(pack), dict(pack.metrics.about())
        except BadFolder:
            words, about, standings = {}, {}, None
        return {
            "name": folder.path.resolve().name,
            "game": folder.game,
            "title": folder.manifest.get("scenario", {}).get("title", {}),
            "confidence": CONFIDENCE,
            "conditions": [
                {
                    "name": name,
                    "title": told.get("title", {}),
                    "agents": self._agents(name),
                    "replicates": replicates[name],
                    "metrics": {metric: one.plain() for metric, one in found[name].items()},
                }
                for name, told in folder.conditions.items()
            ],
            "about": about,
            "robin": standings,
            "files": sorted(path.name for path in folder.path.glob("*.csv")),
            "words": words,
        }

    def _agents(self, condition: str) -> list[str]:
        told = self.folder.conditions[condition]["agents"]
        try:
            pack, config = self.folder.pack, self.folder.config(condition)
        except BadFolder:
            pack, config = None, None
        return list(dict.fromkeys(agent_label(pack, config, agent) for agent in told))

    def measures(self, name: str, query: Mapping[str, str]) -> Answer:
        """One run's measures."""
        entry = self._entry(name)
        return Answer(encoded(self._measured.get((entry.condition, entry.replicate), {})))

    def snapshot(self, name: str, query: Mapping[str, str]) -> Answer:
        """The run and one frame of it: the last, or number n."""
        reel = self._reel(name, query)
        number = _whole(query, "n")
        body = reel.one(reel.head if number is None else number)
        return Answer(snapshot(run_summary(reel), body))

    def frames(self, name: str, query: Mapping[str, str]) -> Answer:
        """The frames after a number, in order."""
        reel = self._reel(name, query)
        after = None if query.get("after") == "-1" else _whole(query, "after")
        limit = _whole(query, "limit")
        found = reel.after(-1 if after is None else after, FRAMES_MAX if limit is None else limit)
        return Answer(frame_page(reel.head, found))

    def story(self, name: str, query: Mapping[str, str]) -> Answer:
        """What came of the run and how; null for the eyes of one seat."""
        return Answer(encoded(self._reel(name, query).story))

    def replay(self, name: str, query: Mapping[str, str]) -> Answer:
        """The run as one file, through these eyes."""
        reel = self._reel(name, query)
        body = of_reel(self.bundle, reel, _whole(query, "as"))
        return Answer(body, "text/html", name=f"{self.folder.game}-{name}.html")

    def _entry(self, name: str) -> Entry:
        if name not in self._runs:
            raise Refused(f"run {name[:80]!r}: there is none of that name in this folder")
        return self._runs[name]

    def _reel(self, name: str, query: Mapping[str, str]) -> FolderFrames:
        entry, seat = self._entry(name), _whole(query, "as")
        key = (name, seat)
        if key not in self._reels:
            eyes = eyes_of(seat, len(self.folder.conditions[entry.condition]["agents"]))
            self._reels[key] = FolderFrames(self.folder, entry, eyes)
        self._reels.move_to_end(key)
        while len(self._reels) > 1 and sum(reel.size for reel in self._reels.values()) > KEPT_BYTES:
            self._reels.popitem(last=False)
        return self._reels[key]

    # --- the way in ---------------------------------------------------------------------------------

    def answer(self, path: str, query: Mapping[str, str]) -> Answer:
        """The answer to an address; what is refused or not there is said with its status."""
        found = re.fullmatch(r"/api/v1/runs/([^/]+)/(snapshot|frames|measures|story|replay\.html)", path)
        asked: dict[str, Callable[[str, Mapping[str, str]], Answer]] = {
            "snapshot": self.snapshot,
            "frames": self.frames,
            "measures": self.measures,
            "story": self.story,
            "replay.html": self.replay,
        }
        try:
            with self._busy:
                if path == "/":
                    return self.page()
                if path == "/api/v1/folder":
                    return Answer(encoded(self.index()))
                if found is not None:
                    return asked[found[2]](unquote(found[1]), query)
                return self._file(path)
        except Refused as error:
            return _refusal("not_found", str(error))

    def _file(self, path: str) -> Answer:
        file = None
        if path.startswith("/static/"):
            file = self.bundle.file(path.removeprefix("/static/"))
        elif re.fullmatch(r"/files/[\w.-]+\.csv", path):
            table = self.folder.path / path.removeprefix("/files/")
            file = table if table.is_file() else None
        if file is None:
            return _refusal("not_found", "There is nothing here.")
        kind = _KINDS.get(file.suffix, "application/octet-stream")
        return Answer(file.read_bytes(), kind, name=file.name if file.suffix == ".csv" else "")


def _refusal(code: str, message: str, status: HTTPStatus = HTTPStatus.NOT_FOUND) -> Answer:
    return Answer(encoded(error_out(status, code, message)), PROBLEM, status=status)


def _whole(query: Mapping[str, str], name: str) -> int | None:
    value = query.get(name)
    if value is None:
        return None
    if not value.isdecimal() or len(value) > 9:
        raise Refused(f"{name}: {value[:40]!r}; a whole number is needed")
    return int(value)


def server(folder: RunFolder, bundle: Bundle, port: int) -> ThreadingHTTPServer:
    """A server on this machine's loopback address that answers for a folder; port 0 takes a free one."""
    answers = Answers(folder, bundle)

    class Handler(BaseHTTPRequestHandler):
        server_version = "polity-view"
        sys_version = ""

        def do_GET(self) -> None:
            asked = urlsplit(self.path)
            if not _local(self.headers.get("Host", "")):
                answer = _refusal("strange_host", "This page is for this machine only.", HTTPStatus.FORBIDDEN)
            else:
                query = {name: values[0] for name, values in parse_qs(asked.query).items()}
                answer = answers.answer(asked.path, query)
            self._send(answer)

        def _send(self, answer: Answer) -> None:
            is_text = answer.kind.startswith("text/")
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.kind + ("; charset=utf-8" if is_text else ""))
            self.send_header("Content-Length", str(len(answer.body)))
            self.send_header("Cache-Control", "no-store")
            self.send_header("X-Content-Type-Options", "nosniff")
            self.send_header("Content-Security-Policy", POLICY)
            if answer.name:
                self.send_header("Content-Disposition", f'attachment; filename="{answer.name}"')
            self.end_headers()
            with suppress(ConnectionError):  # a page that was left before its answer came
                self.wfile.write(answer.body)

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing: the shell stays quiet."""

    served = ThreadingHTTPServer(("127.0.0.1", port), Handler)
    served.daemon_threads = True
    return served


def _local(host: str) -> bool:
    """Whether a request was addressed to this machine by name; other names may be another site's trick."""
    return host.rpartition(":")[0] in ("127.0.0.1", "localhost") or host in ("127.0.0.1", "localhost")
