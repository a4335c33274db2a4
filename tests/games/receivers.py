"""A program on loopback that is told of events, over HTTP as it comes."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Receiver:
    """``answers``: status and headers, one after the other; 200 when they are used up. ``trickles``: never whole."""

    address: str = ""
    answers: list[tuple[int, dict[str, str]]] = field(default_factory=list)
    trickles: bool = False
    heard: list[tuple[dict[str, str], str]] = field(default_factory=list)
    """Headers, by small names, and body."""

    @property
    def ids(self) -> list[str]:
        return [headers["webhook-id"] for headers, _ in self.heard]


@contextmanager
def receiving() -> Iterator[Receiver]:
    told = Receiver()
    over = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"])).decode()
            told.heard.append(({name.lower(): value for name, value in self.headers.items()}, body))
            if told.trickles:
                while not over.wait(0.05):
                    self.wfile.write(b"H")
                return
            status, headers = told.answers.pop(0) if told.answers else (200, {})
            self.send_response(status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.address = f"http://127.0.0.1:{server.server_port}/polity"
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield told
    finally:
        over.set()
        server.shutdown()
        server.server_close()
