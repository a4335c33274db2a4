"""A server on loopback that speaks as much of Prolific's API as a study's life needs, and refuses what that refuses."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

TOKEN = "mock-token"
MOVES = {
    ("UNPUBLISHED", "PUBLISH"): "ACTIVE",
    ("ACTIVE", "PAUSE"): "PAUSED",
    ("PAUSED", "START"): "ACTIVE",
    ("ACTIVE", "STOP"): "AWAITING REVIEW",
}
PAGE = 2


class Panel:
    """Their side: studies, submissions and payments."""

    def __init__(self) -> None:
        self.studies: dict[str, dict[str, Any]] = {}
        self.submissions: dict[str, dict[str, Any]] = {}
        self.payments: dict[str, dict[str, Any]] = {}
        self.paid: dict[str, Decimal] = {}
        self.base = ""
        self.fails_at = ""

    def comes(self, study: str, participant: str) -> dict[str, str]:
        """Somebody takes a place: the parameters with which they arrive."""
        assert self.studies[study]["status"] == "ACTIVE"
        key = f"sub-{participant}"
        self.submissions[key] = {"id": key, "participant_id": participant, "study": study, "status": "ACTIVE"}
        return {"PROLIFIC_PID": participant, "STUDY_ID": study, "SESSION_ID": key}

    def completes(self, participant: str, code: str) -> None:
        """They come back with a completion code."""
        one = self.submissions[f"sub-{participant}"]
        codes = {each["code"]: each for each in self.studies[one["study"]]["completion_codes"]}
        (action,) = codes[code]["actions"]
        if action["action"] == "FIXED_SCREEN_OUT_PAYMENT":
            one["status"] = "SCREENED OUT"
            self.pay(participant, Decimal(action["fixed_screen_out_reward"]) / 100)
        else:
            one["status"] = "AWAITING REVIEW"

    def pay(self, participant: str, amount: Decimal) -> None:
        self.paid[participant] = self.paid.get(participant, Decimal(0)) + amount

    def answer(self, method: str, path: str, body: dict[str, Any]) -> tuple[int, Any]:
        path, _, query = path.removeprefix("/api/v1/").partition("?")
        parts = path.strip("/").split("/")
        if self.fails_at and self.fails_at in path:
            self.fails_at = ""
            return 503, {"error": {"title": "try again"}}
        match method, parts:
            case "POST", ["studies"]:
                needed = {"name", "description", "external_study_url", "prolific_id_option", "completion_codes",
                          "estimated_completion_time", "total_available_places", "reward"}  # fmt: skip
                if missing := needed - body.keys():
                    return 400, {"error": {"missing": sorted(missing)}}
                assert isinstance(body["reward"], int), "in cents"
                key = f"study-{len(self.studies)}"
                self.studies[key] = {**body, "id": key, "status": "UNPUBLISHED"}
                return 201, self.studies[key]
            case "POST", ["studies", key, "transition"]:
                following = MOVES.get((self.studies[key]["status"], body["action"]))
                if following is None:
                    return 400, {"error": {"detail": f"{body['action']} is not possible"}}
                self.studies[key]["status"] = following
                return 200, self.studies[key]
            case "GET", ["submissions"]:
                asked = dict(part.split("=") for part in query.split("&"))
                mine = [one for one in self.submissions.values() if one["study"] == asked["study"]]
                at = int(asked.get("offset", 0))
                more = f"{self.base}/api/v1/submissions/?study={asked['study']}&offset={at + PAGE}"
                href = more if at + PAGE < len(mine) else None
                return 200, {"results": mine[at : at + PAGE], "_links": {"next": {"href": href}}}
            case "POST", ["submissions", "bonus-payments"]:
                rows = [row.split(",") for row in body["csv_bonuses"].splitlines()]
                key = f"bulk-{len(self.payments)}"
                self.payments[key] = {"rows": rows, "state": "set up"}
                return 201, {"id": key, "study": body["study_id"]}
            case "POST", ["submissions", key, "transition"]:
                one = self.submissions[key]
                if one["status"] != "AWAITING REVIEW":
                    return 400, {"error": {"detail": f"{one['status']} cannot be approved"}}
                one["status"] = "APPROVED"
                self.pay(one["participant_id"], Decimal(self.studies[one["study"]]["reward"]) / 100)
                return 200, one
            case "POST", ["bulk-bonus-payments", key, "pay"]:
                if self.payments[key]["state"] == "paid":
                    return 400, {"error": {"detail": "already paid"}}
                self.payments[key]["state"] = "paid"
                for participant, amount in self.payments[key]["rows"]:
                    self.pay(participant, Decimal(amount))
                return 202, None
        return 404, {"error": {"detail": f"{method} {path}"}}


@contextmanager
def panel() -> Iterator[Panel]:
    """The server, for as long as it is needed."""
    told = Panel()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers.get("Content-Length") or 0)
            body = json.loads(self.rfile.read(length)) if length else {}
            if self.headers["Authorization"] == f"Token {TOKEN}":
                status, data = told.answer(self.command, self.path, body)
            else:
                status, data = 401, {"error": {"detail": "Invalid token."}}
            text = b"" if data is None else json.dumps(data).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(text)))
            self.end_headers()
            self.wfile.write(text)

        do_GET = do_POST  # noqa: N815 - it is their name

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    told.base = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
