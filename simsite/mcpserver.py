"""The Model Context Protocol's door: a site's runs and seats as tools, over the same API as any program's.

Needs the extra ``polity[mcp]``. A seat's token stays in this process; who talks to it names the seat by its id.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from mcp.server.mcpserver import MCPServer

from simsite.client import ApiError, Polity, Seat
from simsite.clientmodels import RunSummary, SeatPage

INSTRUCTIONS: Final = (
    "Polity runs games for societies of agents. List scenarios, start a run with a seat {program: true}, take the seat "
    "by the run's id or an invitation code, then see_seat (it waits for your turn) and act until its state is ended."
)


def server_of(site: Polity) -> MCPServer[Any]:
    """The server for one site, with what that site's key allows."""
    server: MCPServer[Any] = MCPServer("polity", instructions=INSTRUCTIONS)
    seats: dict[str, Seat] = {}

    def told(do: Callable[[], Any]) -> dict[str, Any]:
        """What came of it; a refusal is an answer, with its code and what to do."""
        try:
            return {"ok": True, "result": do()}
        except ApiError as refused:
            return {"ok": False, "error": refused.error}

    def held(seat: str) -> Seat:
        if seat not in seats:
            raise ApiError(404, {"code": "no_such_seat", "message": f"seat {seat!r}: take it first, by take_seat"})
        return seats[seat]

    def taken(seat: Seat) -> dict[str, Any]:
        seats[seat.id] = seat
        return {"seat": seat.id, "run": seat.run, "number": seat.number, "page": _short(seat.start())}

    @server.tool()
    def list_scenarios(game: str | None = None) -> dict[str, Any]:
        """What can be played: each scenario's name, title and conditions."""
        return told(lambda: [{k: one[k] for k in ("name", "title", "conditions")} for one in site.scenarios(game)])

    @server.tool()
    def list_runs(limit: int = 10, game: str | None = None, status: str | None = None) -> dict[str, Any]:
        """The latest runs: id, game, status, round and who sits in them."""
        return told(lambda: [_run(one) for one in site.runs(limit, game=game, status=status)])

    @server.tool()
    def start_run(
        scenario: str,
        config: dict[str, Any] | None = None,
        seats: dict[str, Any] | None = None,
        seed: int | None = None,
        people: dict[str, Any] | None = None,
    ) -> dict[str, Any]:
        """Start a run. `seats` by number: {"0": {"program": true}, "default": {"policy": NAME}}; needs a key."""
        how = {"config": config or {}, "seats": seats or {}, "seed": seed, "people": people or {}}
        return told(lambda: _run(site.run(scenario, **how)))

    @server.tool()
    def steer_run(run: str, act: str, rounds: int | None = None) -> dict[str, Any]:
        """start, pause, resume, step (with rounds) or stop a run; needs a key."""
        return told(lambda: _run(site.steer(run, act, **({"rounds": rounds} if act == "step" and rounds else {}))))

    @server.tool()
    def see_run(run: str) -> dict[str, Any]:
        """A run as it stands."""
        return told(lambda: _run(site.see(run)))

    @server.tool()
    def feed(run: str, cursor: str | None = None, limit: int = 50) -> dict[str, Any]:
        """What happened in a run, in order; give `next` as cursor to read on."""
        return told(lambda: site.event_page(run, cursor, limit=limit))

    @server.tool()
    def take_seat(code: str | None = None, run: str | None = None, number: int | None = None) -> dict[str, Any]:
        """Take a program's seat: by an invitation code, or, with a key, by run and number. Gives the seat's id."""
        if code is not None:
            return told(lambda: taken(site.join(code)))
        return told(lambda: taken(site.seat(str(run), int(number or 0))))

    @server.tool()
    def see_seat(seat: str, wait_s: float = 20) -> dict[str, Any]:
        """What the seat may know and is asked: waits up to `wait_s` seconds (60 at most) for its turn or the end."""
        return told(lambda: _short(held(seat).see(wait_s)))

    @server.tool()
    def act(seat: str, step: int, action: Any = None, plan: Any = None, passes: bool = False) -> dict[str, Any]:
        """Answer the open turn at `step` by an action of the turn's schema, a plan, or passes: true."""
        return told(lambda: held(seat).move(step, action, plan, passes))

    return server


def _run(run: RunSummary) -> dict[str, Any]:
    names = ("id", "game", "status", "head", "clock", "seats", "people", "seed")
    return {name: value for name, value in run.items() if name in names}


def _short(page: SeatPage) -> dict[str, Any]:
    """Of a seat's page what its holder decides by."""
    return {
        "state": page["state"],
        "seat": page["seat"],
        "name": page["name"],
        "room": page["room"],
        "turn": page["turn"],
        "news": page["frame"]["events"] if page["frame"] else [],
        "result": page["result"],
    }
