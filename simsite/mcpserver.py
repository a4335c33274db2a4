"""The Model Context Protocol's door: a site's runs and seats as tools, over the same API as any program's.

Needs the extra ``polity[mcp]``. A seat's token stays in this process; who talks to it names the seat by its id.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from mcp.server.mcpserver import MCPServer
from mcp.types import CallToolResult, TextContent, ToolAnnotations

from simsite.client import ApiError, Polity, Seat
from simsite.clientmodels import RunSummary, SeatPage

INSTRUCTIONS: Final = (
    "Polity runs games for societies of agents. List scenarios, start a run with a seat {program: true}, take the seat "
    "by an invitation code or by the run's id and the seat's number, then see_seat (it waits for your turn) and act "
    "until its state is ended. A seat is told the game's own words: the rules once, then each turn what it tells."
)
READS: Final = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES: Final = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
STEERS: Final = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)
Language: TypeAlias = Literal["en", "zh"]


@dataclass(slots=True)
class Taken:
    """A seat that this process holds, the language of its words, and what it was given of what seldom changes."""

    seat: Seat
    language: Language
    given: dict[str, Any] = field(default_factory=dict)

    def page(self, page: SeatPage) -> dict[str, Any]:
        """Of a seat's page what its holder decides by: rules and schemas the first time and where they changed."""
        shown: dict[str, Any] = {"state": page["state"]}
        if page["result"] is not None:
            shown["result"] = page["result"]
        turn = page["turn"]
        if turn is None or turn["moved"] is not None:
            return shown
        prompt = self.seat.prompt(self.language)
        if prompt["step"] is None:
            return shown
        shown |= {"step": prompt["step"], "left_s": prompt["left_s"]}
        for name in ("system", "schema", "plan_schema"):
            value = prompt[name]
            if value and self.given.get(name) != value:
                shown[name] = self.given[name] = value
        return {**shown, "round": prompt["round"]}


def server_of(site: Polity) -> MCPServer[Any]:
    """The server for one site, with what that site's key allows."""
    server: MCPServer[Any] = MCPServer("polity", instructions=INSTRUCTIONS)
    seats: dict[str, Taken] = {}

    def told(do: Callable[[], Any]) -> CallToolResult:
        """What came of it; a refusal is the tool's error, with its code and what to do."""
        try:
            return _said(do())
        except ApiError as refused:
            return _said(refused.error, is_error=True)

    def held(seat: str) -> Taken:
        if seat not in seats:
            raise _refused("no_such_seat", f"seat {seat!r}: take it first, by take_seat")
        return seats[seat]

    def taken(seat: Seat, language: Language) -> dict[str, Any]:
        seats[seat.id] = Taken(seat, language)
        page = seats[seat.id].page(seat.start())
        return {"seat": seat.id, "run": seat.run, "number": seat.number, **page}

    @server.tool(annotations=READS)
    def list_scenarios(game: str | None = None) -> CallToolResult:
        """What can be played: each scenario's name, title and conditions."""
        return told(lambda: [{k: one[k] for k in ("name", "title", "conditions")} for one in site.scenarios(game)])

    @server.tool(annotations=READS)
    def list_runs(limit: int = 10, game: str | None = None, status: str | None = None) -> CallToolResult:
        """The latest runs: id, game, status, round and who sits in them."""
        return told(lambda: [_run(one) for one in site.runs(limit, game=game, status=status)])

    @server.tool(annotations=WRITES)
    def start_run(
        scenario: str,
        config: dict[str, Any] | None = None,
        seats: dict[str, Any] | None = None,
        seed: int | None = None,
        people: dict[str, Any] | None = None,
    ) -> CallToolResult:
        """Start a run. `seats` by number: {"0": {"program": true}, "default": {"policy": NAME}}; needs a key."""
        how = {"config": config or {}, "seats": seats or {}, "seed": seed, "people": people or {}}
        return told(lambda: _run(site.run(scenario, **how)))

    @server.tool(annotations=STEERS)
    def steer_run(run: str, act: str, rounds: int | None = None) -> CallToolResult:
        """start, pause, resume, step (with rounds) or stop a run; needs a key."""
        return told(lambda: _run(site.steer(run, act, **({"rounds": rounds} if act == "step" and rounds else {}))))

    @server.tool(annotations=READS)
    def see_run(run: str) -> CallToolResult:
        """A run as it stands."""
        return told(lambda: _run(site.see(run)))

    @server.tool(annotations=READS)
    def feed(run: str, cursor: str | None = None, limit: int = 50) -> CallToolResult:
        """What happened in a run, in order; give `next` as cursor to read on."""
        return told(lambda: site.event_page(run, cursor, limit=limit))

    @server.tool(annotations=WRITES)
    def take_seat(
        code: str | None = None, run: str | None = None, number: int | None = None, language: Language = "en"
    ) -> CallToolResult:
        """Take a program's seat: by an invitation code, or, with a key, by run and number. Gives the seat's id, and its
        first turn in the game's own words, in English or Chinese.
        """

        def take() -> dict[str, Any]:
            if code is not None:
                return taken(site.join(code), language)
            missing = [name for name, value in (("run", run), ("number", number)) if value is None]
            if missing:
                raise _refused("missing", f"take_seat: {' and '.join(missing)} missing; give a code, or run and number")
            return taken(site.seat(str(run), int(number or 0)), language)

        return told(take)

    @server.tool(annotations=READS)
    def see_seat(seat: str, wait_s: float = 20) -> CallToolResult:
        """What the seat is asked: waits up to `wait_s` seconds (60 at most) for its turn or the end."""
        return told(lambda: held(seat).page(held(seat).seat.see(wait_s)))

    @server.tool(annotations=READS)
    def observe(seat: str) -> CallToolResult:
        """The raw observation behind the words of the open turn, every listed action, and the last round's events."""

        def seen() -> dict[str, Any]:
            page = held(seat).seat.see()
            turn, frame = page["turn"], page["frame"]
            of_turn = {} if turn is None else {name: turn[name] for name in ("step", "observation", "options")}
            return {"state": page["state"], **of_turn, "events": frame["events"] if frame else []}

        return told(seen)

    @server.tool(annotations=WRITES)
    def act(seat: str, step: int, action: Any = None, plan: Any = None, passes: bool = False) -> CallToolResult:
        """Answer the open turn at `step` by an action of the turn's schema, a plan, or passes: true."""
        return told(lambda: held(seat).seat.move(step, action, plan, passes))

    return server


def _said(value: Any, is_error: bool = False) -> CallToolResult:
    """A tool's answer as JSON without white space: what an agent reads, it pays for."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return CallToolResult(content=[TextContent(type="text", text=text)], is_error=is_error)


def _refused(code: str, message: str) -> ApiError:
    return ApiError(404, {"code": code, "message": message})


def _run(run: RunSummary) -> dict[str, Any]:
    names = ("id", "game", "status", "head", "clock", "seats", "people", "seed")
    return {name: value for name, value in run.items() if name in names}
