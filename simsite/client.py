"""A site from a program: runs and experiments started and followed, a seat played, data as DataFrames.

::

    site = Polity("http://127.0.0.1:8000", key="pk_…")
    run = site.run("mining/baseline", config={"rounds": 20})
    site.table("rounds", runs=[site.follow(run["id"])["id"]])

What comes is JSON, of the types in `simsite.clientmodels`. It knows the API alone: neither Django nor the games are
imported. Needs the extra ``polity[client]``.
"""

from __future__ import annotations

import io
import time
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self, TypeVar, cast

import httpx

from simsite.clientmodels import (
    EventPage,
    EventRow,
    ExperimentDetailOut,
    Frame,
    FramePage,
    GameOut,
    OpenTurn,
    RunSummary,
    ScenarioRow,
    SeatPage,
    SeatPrompt,
    SeatTokenOut,
    StoredMove,
)

if TYPE_CHECKING:
    import pandas

ENDED: Final = frozenset({"finished", "stopped", "failed"})
EXPERIMENT_ENDED: Final = frozenset({"finished", "cancelled", "stopped"})
WAIT_S: Final = 20.0
"""Seconds that one request for a turn waits."""
JOB_S: Final = 0.3
"""Between two questions whether a worker has done what was asked."""
T = TypeVar("T")
U = TypeVar("U", RunSummary, ExperimentDetailOut)
TRIES: Final = 4
"""How often a request is sent where the site is away for a moment."""


class ApiError(RuntimeError):
    """The site said no: its status, the stable ``code``, and every value that it named."""

    def __init__(self, status: int, error: Mapping[str, Any]) -> None:
        super().__init__(f"{error['code']}: {error['message']}")
        self.status, self.code, self.error = status, str(error["code"]), dict(error)


class _Line:
    """Requests to one site with one token."""

    def __init__(self, address: str, token: str | None, transport: httpx.BaseTransport | None) -> None:
        headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(
            base_url=f"{address.rstrip('/')}/api/v1/", headers=headers, timeout=WAIT_S + 20, transport=transport
        )
        self.address, self.transport = address, transport

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        """The answer; raises `ApiError`. What changes something is sent under one key, so that it happens once."""
        headers = {"Idempotency-Key": str(uuid.uuid4())} if method in ("POST", "PATCH") else {}
        given = {name: value for name, value in query.items() if value is not None}
        for attempt in range(TRIES):
            last = attempt == TRIES - 1
            try:
                answer = self.http.request(method, path, json=body, params=given, headers=headers)
            except httpx.TransportError:
                if last:
                    raise
            else:
                if answer.status_code == 202:
                    return self._waited(answer)
                if answer.status_code not in (429, 503) or last:
                    return _good(answer)
                wished = answer.headers.get("Retry-After", "")
                if wished.isdecimal():
                    time.sleep(min(float(wished), WAIT_S))
                    continue
            time.sleep(0.3 * 2**attempt)
        raise AssertionError("unreachable")

    def _waited(self, answer: httpx.Response) -> httpx.Response:
        """What a worker answers in the end to a request that was accepted."""
        while answer.status_code == 202:
            time.sleep(JOB_S)
            answer = self.http.get(f"jobs/{answer.json()['id']}/answer")
        return _good(answer)


def _good(answer: httpx.Response) -> httpx.Response:
    if answer.is_success:
        return answer
    try:
        error = answer.json()["error"]
    except (ValueError, KeyError, TypeError):
        error = {"code": f"http_{answer.status_code}", "message": answer.text[:200]}
    raise ApiError(answer.status_code, error)


class Polity:
    """One site. ``key`` is a user's own key, needed for all but reading what is open; raises `ApiError` throughout."""

    def __init__(
        self,
        address: str = "http://127.0.0.1:8000",
        key: str | None = None,
        transport: httpx.BaseTransport | None = None,
    ) -> None:
        self._line = _Line(address, key, transport)
        self.address, self.transport, self.has_key = address, transport, key is not None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._line.http.close()

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        """Any address of the API, by its path below `/api/v1/`."""
        return self._line.ask(method, path, body, **query)

    # --- games and runs ---------------------------------------------------------------------------

    def games(self) -> list[GameOut]:
        """What can be played."""
        return self._get(list[GameOut], "games")

    def scenarios(self, game: str | None = None) -> list[ScenarioRow]:
        """What a run can be made of."""
        return self._get(list[ScenarioRow], "scenarios", game=game)

    def runs(self, limit: int = 20, **filters: Any) -> list[RunSummary]:
        """The latest runs that fit ``game``, ``status``, ``experiment``, ``q`` and the other filters."""
        return self._get(list[RunSummary], "runs", limit=limit, **filters)

    def run(self, scenario: str, **how: Any) -> RunSummary:
        """Start a run of a preset; ``config``, ``seats``, ``seed``, ``pace``, ``people`` as the API takes them."""
        return self._post(RunSummary, "runs", {"scenario": scenario, **how})

    def see(self, run: str) -> RunSummary:
        """A run as it stands."""
        return self._get(RunSummary, f"runs/{run}")

    def steer(self, run: str, act: str, **how: Any) -> RunSummary:
        """``start``, ``pause``, ``resume``, ``step`` (``rounds=``) or ``stop``."""
        return self._post(RunSummary, f"runs/{run}/{act}", how)

    def frames(self, run: str, after: int = -1, poll_s: float = 0.5) -> Iterator[Frame]:
        """Every frame, those that are still to come too, until the run is over."""
        while True:
            is_over = self.see(run)["status"] in ENDED
            page = self._get(FramePage, f"runs/{run}/frames", after=after, limit=200)
            yield from page["frames"]
            after = page["frames"][-1]["n"] if page["frames"] else after
            if is_over and not page["frames"]:
                return
            if not page["frames"]:
                time.sleep(poll_s)

    def events(self, run: str, **filters: Any) -> Iterator[EventRow]:
        """What has happened so far, in order."""
        cursor = None
        while True:
            page = self.event_page(run, cursor, **filters)
            yield from page["items"]
            cursor = page["next"]
            if cursor is None:
                return

    def event_page(self, run: str, cursor: str | None = None, **filters: Any) -> EventPage:
        """One page of what has happened; its ``next`` is the cursor of the one after."""
        return self._get(EventPage, f"runs/{run}/events", cursor=cursor, **filters)

    def follow(self, run: str, poll_s: float = 0.5, timeout_s: float = 3600) -> RunSummary:
        """Wait until a run is over; raises TimeoutError."""
        return self._until(lambda: self.see(run), ENDED, poll_s, timeout_s)

    # --- experiments ------------------------------------------------------------------------------

    def experiment(self, slug: str, document: Mapping[str, Any], **how: Any) -> ExperimentDetailOut:
        """Declare an experiment and start it."""
        body = {"slug": slug, "document": dict(document), "start": True, **how}
        return self._post(ExperimentDetailOut, "experiments", body)

    def follow_experiment(self, slug: str, poll_s: float = 1, timeout_s: float = 24 * 3600) -> ExperimentDetailOut:
        """Wait until all its runs are over; raises TimeoutError."""
        return self._until(
            lambda: self._get(ExperimentDetailOut, f"experiments/{slug}"), EXPERIMENT_ENDED, poll_s, timeout_s
        )

    def result(self, slug: str) -> dict[str, Any]:
        """What its runs say: samples, comparisons with p and effect, standings."""
        return self._get(dict[str, Any], f"experiments/{slug}/result")

    # --- data -------------------------------------------------------------------------------------

    def table(self, level: str = "runs", runs: Sequence[str] | None = None, **filters: Any) -> pandas.DataFrame:
        """One level of runs, by id or filter: runs, rounds, events, decisions, calls, messages, metrics, participants.

        Raises ValueError where fewer rows came than the site had counted.
        """
        import pandas

        which: dict[str, Any] = {"runs": list(runs)} if runs is not None else {"filter": filters}
        answer = self._line.ask("POST", "exports", {**which, "level": level, "format": "parquet"})
        frame = pandas.read_parquet(io.BytesIO(answer.content))
        stated = int(answer.headers["X-Polity-Rows"])
        if len(frame) != stated:
            raise ValueError(f"{level}: {len(frame)} rows came; {stated} were stated")
        return frame

    def others(self, name: str, *, page: int = 1000, **filters: Any) -> list[dict[str, Any]]:
        """A table that is no level of runs, all its pages: studies, sessions, members, visits, payments, snapshots,
        seats, audit; narrowed by ``run`` or ``session``. ``page``: rows that are asked for at once.
        """
        answer = self._line.ask("GET", f"exports/tables/{name}", limit=page, **filters)
        rows: list[dict[str, Any]] = answer.json()
        while "next" in answer.links:
            answer = self._line.ask("GET", f"exports/tables/{name}", **httpx.URL(answer.links["next"]["url"]).params)
            rows += answer.json()
        return rows

    # --- seats ------------------------------------------------------------------------------------

    def join(self, code: str, label: str = "") -> Seat:
        """Take a program's seat by a run's code or the seat's link."""
        return self._seat(self._post(SeatTokenOut, f"join/{code}/token", {"label": label}))

    def seat(self, run: str, seat: int) -> Seat:
        """A new token for a program's seat, for operators; whoever held it is out."""
        return self._seat(self._post(SeatTokenOut, f"runs/{run}/seats/{seat}/token", {}))

    def _seat(self, told: SeatTokenOut) -> Seat:
        line = _Line(self._line.address, told["token"], self._line.transport)
        return Seat(told["id"], told["run"], told["seat"], told["token"], line)

    def _until(self, look: Callable[[], U], ended: frozenset[str], poll_s: float, timeout_s: float) -> U:
        until = time.monotonic() + timeout_s
        while (found := look())["status"] not in ended:
            if time.monotonic() > until:
                raise TimeoutError(f"still {found['status']} after {timeout_s:g} s")
            time.sleep(poll_s)
        return found

    def _get(self, kind: type[T], path: str, /, **query: Any) -> T:
        """What stands at an address; of the type that the site's description names, and not checked for it."""
        return cast(T, self._line.ask("GET", path, **query).json())

    def _post(self, kind: type[T], path: str, body: Mapping[str, Any]) -> T:
        return cast(T, self._line.ask("POST", path, dict(body)).json())


@dataclass
class Seat:
    """A program's seat: wait for a turn, move, until the match is over. ``token`` opens it again elsewhere."""

    id: str
    run: str
    number: int
    token: str = field(repr=False)
    _line: _Line = field(repr=False)

    def start(self) -> SeatPage:
        """Ready: play, or wait for the others."""
        return cast(SeatPage, self._line.ask("POST", f"play/{self.id}/start", {}).json())

    def see(self, wait_s: float = 0) -> SeatPage:
        """The seat's page: at once, or as soon as it is asked for a move or all is over, for so many seconds."""
        return cast(SeatPage, self._line.ask("GET", f"play/{self.id}/turn", wait=wait_s).json())

    def prompt(self, language: str = "en") -> SeatPrompt:
        """The open turn as a model in this seat would be told it."""
        return cast(SeatPrompt, self._line.ask("GET", f"play/{self.id}/prompt", language=language).json())

    def move(self, step: int, action: Any = None, plan: Any = None, passes: bool = False) -> StoredMove:
        """Answer the turn at a step; sent again it is the same move. Raises `ApiError` where it cannot stand."""
        body = {"id": f"program-{step:08}", "step": step, "action": action, "plan": plan, "pass": passes}
        return cast(StoredMove, self._line.ask("POST", f"play/{self.id}/moves", body).json())

    def play(self, decide: Callable[[OpenTurn], Any]) -> SeatPage:
        """Play to the end: ``decide`` gets each open turn and gives an action, or None to pass. The last page is told.

        A move that came too late is let go; the next turn is waited for.
        """
        self.start()
        while True:
            page = self.see(WAIT_S)
            if page["state"] in ("left", "removed", "ended"):
                return page
            turn = page["turn"]
            if turn is None or turn["moved"] is not None:
                continue
            action = decide(turn)
            try:
                self.move(turn["step"], action, passes=action is None)
            except ApiError as refused:
                if refused.code not in ("late", "not_playing", "already_moved"):
                    raise
