"""The client; made by `just contract` from `asynchronous.py`."""

from __future__ import annotations

import io
import json
import ssl
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar, cast

import httpx

from .models import (
    AgentOut,
    CallsOut,
    CheckedOut,
    CheckOut,
    DecisionPage,
    EstimateOut,
    EventPage,
    EventRow,
    ExperimentDetailOut,
    ExperimentOut,
    ExportPlanOut,
    FollowOut,
    Frame,
    FrameMessage,
    FramePage,
    GameDetailOut,
    GameOut,
    MessagePage,
    MeterOut,
    MetricPage,
    ModelOut,
    OpenTurn,
    PingMessage,
    PluginOut,
    PowerOut,
    PublicationOut,
    RegisterEntryOut,
    RerunOut,
    Result,
    RunPeopleOut,
    RunSummary,
    ScenarioRow,
    SeatPage,
    SeatPrompt,
    SeatRow,
    SeatTokenOut,
    SessionOut,
    StoredMove,
    Story,
    StudyOut,
    TrialOut,
    VerdictOut,
)
from .saying import (
    ACK_FRAMES,
    ACK_LENGTH,
    AWAY_S,
    ENDED,
    EXPERIMENT_ENDED,
    JOB_S,
    MESSAGE_MAX,
    SILENCE_S,
    TRIES,
    WAIT_S,
    ApiError,
    good,
    once,
    refused,
    stated,
    wish,
)

if TYPE_CHECKING:
    import pandas
    from websockets.sync.client import ClientConnection

T = TypeVar("T")
U = TypeVar("U", RunSummary, ExperimentDetailOut)


class _Line:
    """Requests to one site with one token."""

    def __init__(
        self, address: str, token: str | None, transport: httpx.BaseTransport | None, trust: ssl.SSLContext | None
    ) -> None:
        self.address, self.transport, self.trust = address.rstrip("/"), transport, trust
        self.headers = {"Authorization": f"Bearer {token}"} if token else {}
        self.http = httpx.Client(
            base_url=f"{self.address}/api/v1/", headers=self.headers, timeout=WAIT_S + 20, transport=transport,
            verify=trust or True,
        )  # fmt: skip

    def ask(self, method: str, path: str, body: Any = None, **query: Any) -> httpx.Response:
        """The answer; raises `ApiError`. What changes something is sent under one key, so that it happens once."""
        headers, given = once(method), {name: value for name, value in query.items() if value is not None}
        for attempt in range(TRIES):
            last, pause = attempt == TRIES - 1, 0.3 * 2**attempt
            try:
                answer = self.http.request(method, path, json=body, params=given, headers=headers)
            except httpx.TransportError:
                if last:
                    raise
            else:
                if answer.status_code == 202:
                    return self._waited(answer)
                if answer.status_code not in (429, 503) or last:
                    return good(answer)
                pause = wish(answer) or pause
            time.sleep(pause)
        raise AssertionError("unreachable")

    def _waited(self, answer: httpx.Response) -> httpx.Response:
        """What a worker answers in the end to a request that was accepted."""
        while answer.status_code == 202:
            time.sleep(JOB_S)
            answer = self.http.get(f"jobs/{answer.json()['id']}/answer")
        return good(answer)

    def connect(self, path: str) -> Any:
        """A websocket of the site, to be entered by ``with``."""
        from websockets.sync.client import connect

        trust = self.trust if self.address.startswith("https") else None
        address = f"ws{self.address.removeprefix('http')}/ws/{path}"
        return connect(address, additional_headers=self.headers, ssl=trust, max_size=MESSAGE_MAX)


class Polity:
    """One site. ``key`` is a user's own key, needed for all but reading what is open; raises `ApiError` throughout.

    ``trust``: certificates that are held to be true, where the site's is nobody's that the system knows.
    """

    def __init__(
        self,
        address: str = "http://127.0.0.1:8000",
        key: str | None = None,
        transport: httpx.BaseTransport | None = None,
        trust: ssl.SSLContext | None = None,
    ) -> None:
        self._line = _Line(address, key, transport, trust)
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

    # --- games and models -------------------------------------------------------------------------

    def games(self) -> list[GameOut]:
        """What can be played."""
        return self._get(list[GameOut], "games")

    def game(self, slug: str) -> GameDetailOut:
        """A game with its presets, settings and words."""
        return self._get(GameDetailOut, f"games/{slug}")

    def scenarios(self, game: str | None = None) -> list[ScenarioRow]:
        """What a run can be made of."""
        return self._get(list[ScenarioRow], "scenarios", game=game)

    def agents(self) -> list[AgentOut]:
        """Who can sit in a seat without being named in a file."""
        return self._get(list[AgentOut], "agents")

    def models(self) -> list[ModelOut]:
        """The models that the site knows."""
        return self._get(list[ModelOut], "models")

    def model_save(self, name: str, profile: Mapping[str, Any], about: str = "") -> ModelOut:
        """A model under a name, new or changed."""
        return cast(ModelOut, self._send("PUT", f"models/{name}", {"profile": dict(profile), "about": about}))

    def model_delete(self, name: str) -> None:
        """Forget a model."""
        self._line.ask("DELETE", f"models/{name}")

    def model_try(self, scenario: str, profile: Mapping[str, Any], **moment: Any) -> TrialOut:
        """One call for a ``seat`` at a ``step``: what is asked, answered and made of it."""
        return self._post(TrialOut, "models/try", {"scenario": scenario, "profile": dict(profile), **moment})

    def plugins(self) -> list[PluginOut]:
        """What packages plug in there, with version and digest, and why it cannot be used where it cannot."""
        return self._get(list[PluginOut], "plugins")

    # --- runs -------------------------------------------------------------------------------------

    def runs(self, limit: int = 20, **filters: Any) -> list[RunSummary]:
        """The latest runs that fit ``game``, ``status``, ``experiment``, ``q`` and the other filters."""
        return self._get(list[RunSummary], "runs", limit=limit, **filters)

    def run(self, scenario: str, **how: Any) -> RunSummary:
        """Start a run of a preset; ``config``, ``seats``, ``seed``, ``pace``, ``people`` as the API takes them."""
        return self._post(RunSummary, "runs", {"scenario": scenario, **how})

    def estimate(self, scenario: str, **how: Any) -> EstimateOut:
        """What a run would ask of models and cost, least, likely and most; nothing is started."""
        return self._post(EstimateOut, "estimate", {"scenario": scenario, **how})

    def see(self, run: str) -> RunSummary:
        """A run as it stands."""
        return self._get(RunSummary, f"runs/{run}")

    def steer(self, run: str, act: str, **how: Any) -> RunSummary:
        """``start``, ``pause``, ``resume``, ``step`` (``rounds=``) or ``stop``."""
        return self._post(RunSummary, f"runs/{run}/{act}", how)

    def change(self, run: str, **how: Any) -> RunSummary:
        """Another ``pace`` or other ``limits``."""
        return cast(RunSummary, self._send("PATCH", f"runs/{run}", how))

    def fork(self, run: str, at: int, **how: Any) -> RunSummary:
        """A new run that goes on from a step with other ``config`` or ``seats``."""
        return self._post(RunSummary, f"runs/{run}/fork", {"at": at, **how})

    def verify(self, run: str) -> VerdictOut:
        """Resolve its record anew: how many steps are identical, and where it differs first."""
        return self._post(VerdictOut, f"runs/{run}/verify", {})

    def rerun(self, run: str) -> VerdictOut:
        """Play it anew from its seed and compare."""
        return self._post(VerdictOut, f"runs/{run}/rerun", {})

    def delete(self, run: str) -> None:
        """Delete a run with all that is stored of it."""
        self._line.ask("DELETE", f"runs/{run}")

    def meter(self, run: str) -> MeterOut:
        """What its models have cost, and who is thinking."""
        return self._get(MeterOut, f"runs/{run}/meter")

    def calls(self, run: str, **filters: Any) -> CallsOut:
        """What models were asked and answered, by ``step`` and ``seat``; its ``next`` is the ``after`` of the rest."""
        return self._get(CallsOut, f"runs/{run}/calls", **filters)

    def seats(self, run: str) -> list[SeatRow]:
        """Who sits where."""
        return self._get(list[SeatRow], f"runs/{run}/seats")

    def people(self, run: str) -> RunPeopleOut:
        """Its people: links, presence and whose turn it is."""
        return self._get(RunPeopleOut, f"runs/{run}/people")

    def people_do(self, run: str, action: str, **how: Any) -> RunPeopleOut:
        """Something done about its people, by ``seat`` or ``participant``."""
        return self._post(RunPeopleOut, f"runs/{run}/people", {"action": action, **how})

    def story(self, run: str) -> Story | None:
        """What came of it and how, in a few sentences."""
        return self._get(Story, f"runs/{run}/story")

    def watch(self, run: str, after: int = -1) -> Iterator[FrameMessage | PingMessage]:
        """What the site says of a run as it happens, until the run is over: each frame after a number once, in order,
        and how the run stands every few seconds.

        Comes by websocket. A line that is lost is opened again where it was; what was missed is asked for.
        """
        from websockets.exceptions import InvalidStatus, WebSocketException

        since = None
        while True:
            try:
                with self._line.connect(f"runs/{run}/?after={after}") as line:
                    for message in self._heard(run, line, after):
                        since = None
                        if message["type"] == "frame":
                            after = message["frame"]["n"]
                        yield message
                        if message["type"] == "ping" and message["status"] in ENDED and after >= message["head"]:
                            return
            except InvalidStatus as denied:
                status = denied.response.status_code
                if status < 500 and status != 429:
                    told = "the site opens no line; a wrong key, or a proxy without websockets, where poll_s helps"
                    raise ApiError(status, {"code": "no_line", "message": told}) from None
            except (OSError, WebSocketException, httpx.TransportError):
                pass
            since = since or time.monotonic()
            if time.monotonic() - since > AWAY_S:
                raise ConnectionError(f"{self.address} is away for {AWAY_S:g} s")
            time.sleep(min(5.0, 0.3 + (time.monotonic() - since) / 4))

    def _heard(self, run: str, line: ClientConnection, after: int) -> Iterator[FrameMessage | PingMessage]:
        """What one line says, without gaps. Raises `ApiError` where it is refused, OSError where it is lost."""
        from websockets.exceptions import ConnectionClosed

        count = length = 0
        said = None
        while True:
            try:
                text = line.recv(SILENCE_S)
            except ConnectionClosed as closed:
                code = closed.rcvd.code if closed.rcvd else None
                raise refused(code, said) or ConnectionError("the line is lost") from None
            message = json.loads(text)
            count, length = count + 1, length + len(text)
            if message["type"] == "error":
                said = message
                continue
            if message["type"] == "frame" and message["frame"]["n"] == after + 1:
                after += 1
                yield message
            head = message["frame"]["n"] if "frame" in message else message.get("head", after)
            while after < head:
                page = self._get(FramePage, f"runs/{run}/frames", after=after, limit=200)
                for frame in page["frames"]:
                    after = frame["n"]
                    yield {"type": "frame", "frame": frame}
                if not page["frames"]:
                    break
            if count >= ACK_FRAMES or length >= ACK_LENGTH or message["type"] == "ping":
                count = length = 0
                line.send(json.dumps({"type": "ack", "n": max(after, head)}))
            if message["type"] == "ping":
                yield message

    def frames(self, run: str, after: int = -1, poll_s: float | None = None) -> Iterator[Frame]:
        """Every frame, those that are still to come too, until the run is over.

        ``poll_s``: ask so often, where no websocket comes through.
        """
        if poll_s is None and self.transport is None:
            for message in self.watch(run, after):
                if message["type"] == "frame":
                    yield message["frame"]
            return
        while True:
            is_over = (self.see(run))["status"] in ENDED
            page = self._get(FramePage, f"runs/{run}/frames", after=after, limit=200)
            yield from page["frames"]
            after = page["frames"][-1]["n"] if page["frames"] else after
            if is_over and not page["frames"]:
                return
            if not page["frames"]:
                time.sleep(0.5 if poll_s is None else poll_s)

    def follow(self, run: str, poll_s: float | None = None, timeout_s: float = 3600) -> RunSummary:
        """Wait until a run is over; raises TimeoutError. ``poll_s`` as for `frames`."""
        until = time.monotonic() + timeout_s
        if poll_s is None and self.transport is None:
            now = self.see(run)
            if now["status"] not in ENDED:
                for message in self.watch(run, now["head"]):
                    if time.monotonic() > until:
                        raise TimeoutError(f"still at {now['head']} after {timeout_s:g} s: {message['type']}")
            return self.see(run)
        return self._until(lambda: self.see(run), ENDED, 0.5 if poll_s is None else poll_s, timeout_s)

    # --- what happened in a run -------------------------------------------------------------------

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

    def decisions(self, run: str, cursor: str | None = None, **filters: Any) -> DecisionPage:
        """A page of what seats decided and how."""
        return self._get(DecisionPage, f"runs/{run}/decisions", cursor=cursor, **filters)

    def messages(self, run: str, cursor: str | None = None, **filters: Any) -> MessagePage:
        """A page of what seats said to each other."""
        return self._get(MessagePage, f"runs/{run}/messages", cursor=cursor, **filters)

    def metrics(self, run: str, cursor: str | None = None, **filters: Any) -> MetricPage:
        """A page of what was measured each round."""
        return self._get(MetricPage, f"runs/{run}/metrics", cursor=cursor, **filters)

    # --- experiments ------------------------------------------------------------------------------

    def experiments(self, limit: int = 50) -> list[ExperimentOut]:
        """The latest experiments."""
        return self._get(list[ExperimentOut], "experiments", limit=limit)

    def experiment(self, slug: str, document: Mapping[str, Any], **how: Any) -> ExperimentDetailOut:
        """Declare an experiment and start it."""
        body = {"slug": slug, "document": dict(document), "start": True, **how}
        return self._post(ExperimentDetailOut, "experiments", body)

    def experiment_check(self, document: Mapping[str, Any]) -> CheckOut:
        """What a document would play and cost; nothing is kept."""
        return self._post(CheckOut, "experiments/check", {"document": dict(document)})

    def experiment_see(self, slug: str) -> ExperimentDetailOut:
        """An experiment as it stands."""
        return self._get(ExperimentDetailOut, f"experiments/{slug}")

    def experiment_steer(self, slug: str, act: str) -> ExperimentDetailOut:
        """``start``, ``pause`` or ``cancel``."""
        return self._post(ExperimentDetailOut, f"experiments/{slug}/{act}", {})

    def experiment_rerun(self, slug: str, which: str = "failed") -> RerunOut:
        """Play those of its runs again that ``failed`` or are ``unsound``."""
        return self._post(RerunOut, f"experiments/{slug}/rerun", {"which": which})

    def experiment_delete(self, slug: str) -> None:
        """Delete an experiment with its runs."""
        self._line.ask("DELETE", f"experiments/{slug}")

    def follow_experiment(self, slug: str, poll_s: float = 1, timeout_s: float = 24 * 3600) -> ExperimentDetailOut:
        """Wait until all its runs are over; raises TimeoutError."""
        return self._until(lambda: self.experiment_see(slug), EXPERIMENT_ENDED, poll_s, timeout_s)

    def result(self, slug: str) -> Result:
        """What its runs say: samples, comparisons with p and effect, standings."""
        return self._get(Result, f"experiments/{slug}/result")

    def power(self, slug: str, seeds: int | None = None) -> list[PowerOut]:
        """What its tests can find with so many seeds."""
        return self._get(list[PowerOut], f"experiments/{slug}/power", seeds=seeds)

    def report(self, slug: str, to: str | Path | None = None, language: str = "en") -> bytes:
        """Its report as one HTML file."""
        return self._file(f"experiments/{slug}/report.html", to, language=language)

    def publication(self, slug: str, to: str | Path | None = None, **how: Any) -> bytes:
        """Data, report and runs as one archive that others check with ``polity reproduce``."""
        return self._file(f"experiments/{slug}/publication.zip", to, **how)

    def publication_plan(self, slug: str) -> PublicationOut:
        """What that archive will hold."""
        return self._get(PublicationOut, f"experiments/{slug}/publication")

    def register(self, after: int | None = None, limit: int | None = None) -> list[RegisterEntryOut]:
        """What was declared before it was played."""
        return self._get(list[RegisterEntryOut], "register", after=after, limit=limit)

    # --- studies of people ------------------------------------------------------------------------

    def studies(self, limit: int | None = None) -> list[StudyOut]:
        """The studies that the site holds."""
        return self._get(list[StudyOut], "studies", limit=limit)

    def study_check(self, file: str) -> CheckedOut:
        """Whether a study's file can be held, and what it does in which arm."""
        return self._post(CheckedOut, "studies/check", {"file": file})

    def sessions(self, study: str | None = None, limit: int | None = None) -> list[SessionOut]:
        """The sessions of studies."""
        return self._get(list[SessionOut], "sessions", study=study, limit=limit)

    def session_open(self, **how: Any) -> SessionOut:
        """Open a session of a ``file``, ``preset`` or ``study``; its ``door`` is where members come in."""
        return self._post(SessionOut, "sessions", how)

    def session(self, session: int) -> FollowOut:
        """How a session stands: where its members are, who needs help, what is due."""
        return self._get(FollowOut, f"sessions/{session}")

    def session_act(self, session: int, do: str, **how: Any) -> FollowOut:
        """Something done about a ``member`` or about all."""
        return self._post(FollowOut, f"sessions/{session}/act", {"do": do, **how})

    def session_file(self, session: int, name: str, to: str | Path | None = None) -> bytes:
        """``data.zip``, ``payments.csv`` or ``labels.csv``."""
        return self._file(f"sessions/{session}/files/{name}", to)

    # --- data -------------------------------------------------------------------------------------

    def export(
        self,
        level: str = "runs",
        format: str = "jsonl",
        runs: Sequence[str] | None = None,
        to: str | Path | None = None,
        **filters: Any,
    ) -> bytes:
        """One level of runs, by id or filter, as ``jsonl``, ``csv``, ``parquet`` or ``zip``; written to a file too."""
        body = {**_which(runs, filters), "level": level, "format": format}
        return _kept(self._line.ask("POST", "exports", body), to)

    def export_as(
        self, exporter: str, runs: Sequence[str] | None = None, to: str | Path | None = None, **filters: Any
    ) -> bytes:
        """Runs in a form that a package brings, by the exporter's name in `plugins`."""
        return self._file(f"exports/as/{exporter}", to, run=runs, **filters)

    def export_plan(self, level: str = "runs", runs: Sequence[str] | None = None, **filters: Any) -> ExportPlanOut:
        """What that would hold: columns with what each means, runs and rows, counted."""
        return self._post(ExportPlanOut, "exports/plan", {**_which(runs, filters), "level": level})

    def replay(self, run: str, to: str | Path | None = None) -> bytes:
        """A run as one HTML file that opens from disk."""
        return self._file(f"runs/{run}/replay.html", to)

    def table(self, level: str = "runs", runs: Sequence[str] | None = None, **filters: Any) -> pandas.DataFrame:
        """One level of runs, by id or filter: runs, rounds, events, decisions, calls, messages, metrics, participants.

        Raises ValueError where fewer rows came than the site had counted. Needs pandas and pyarrow.
        """
        import pandas

        body = {**_which(runs, filters), "level": level, "format": "parquet"}
        answer = self._line.ask("POST", "exports", body)
        frame = pandas.read_parquet(io.BytesIO(answer.content))
        stated(answer, len(frame), level)
        return frame

    def others(self, name: str, *, page: int = 1000, **filters: Any) -> list[dict[str, Any]]:
        """A table that is no level of runs, all its pages: studies, sessions, members, visits, payments, snapshots,
        seats, audit; narrowed by ``run`` or ``session``. ``page``: rows that are asked for at once.
        """
        answer = self._line.ask("GET", f"exports/tables/{name}", limit=page, **filters)
        rows: list[dict[str, Any]] = answer.json()
        while "next" in answer.links:
            query = httpx.URL(answer.links["next"]["url"]).params
            answer = self._line.ask("GET", f"exports/tables/{name}", **query)
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
        line = _Line(self._line.address, told["token"], self._line.transport, self._line.trust)
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
        return cast(T, (self._line.ask("GET", path, **query)).json())

    def _post(self, kind: type[T], path: str, body: Mapping[str, Any]) -> T:
        return cast(T, self._send("POST", path, body))

    def _send(self, method: Literal["POST", "PUT", "PATCH"], path: str, body: Mapping[str, Any]) -> Any:
        return (self._line.ask(method, path, dict(body))).json()

    def _file(self, path: str, to: str | Path | None, **query: Any) -> bytes:
        return _kept(self._line.ask("GET", path, **query), to)


def _which(runs: Sequence[str] | None, filters: Mapping[str, Any]) -> dict[str, Any]:
    return {"runs": list(runs)} if runs is not None else {"filter": dict(filters)}


def _kept(answer: httpx.Response, to: str | Path | None) -> bytes:
    if to is not None:
        Path(to).write_bytes(answer.content)
    return answer.content


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
        return cast(SeatPage, (self._line.ask("POST", f"play/{self.id}/start", {})).json())

    def see(self, wait_s: float = 0) -> SeatPage:
        """The seat's page: at once, or as soon as it is asked for a move or all is over, for so many seconds."""
        return cast(SeatPage, (self._line.ask("GET", f"play/{self.id}/turn", wait=wait_s)).json())

    def prompt(self, language: str = "en") -> SeatPrompt:
        """The open turn as a model in this seat would be told it."""
        return cast(SeatPrompt, (self._line.ask("GET", f"play/{self.id}/prompt", language=language)).json())

    def move(self, step: int, action: Any = None, plan: Any = None, passes: bool = False) -> StoredMove:
        """Answer the turn at a step; sent again it is the same move. Raises `ApiError` where it cannot stand."""
        body = {"id": f"program-{step:08}", "step": step, "action": action, "plan": plan, "pass": passes}
        return cast(StoredMove, (self._line.ask("POST", f"play/{self.id}/moves", body)).json())

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
            except ApiError as refusal:
                if refusal.code not in ("late", "not_playing", "already_moved"):
                    raise
