"""The Model Context Protocol's door: a site's runs, seats and experiments as tools, over the same API as any program's.

Needs the extra ``polity[mcp]``. A seat's token stays in this process; who took it names it by a word of their own.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass, field
from typing import Any, Final, Literal, TypeAlias

from simsite import mcpresearch
from simsite.client import Polity, Seat
from simsite.client.models import RunSummary, SeatPage
from simsite.mcpdoor import Door, Site, hints, refused

INSTRUCTIONS: Final = (
    "Polity runs games for societies of agents. To play: list scenarios, start a run with a seat {program: true}, take "
    "the seat by an invitation code or by the run's id and the seat's number, then see_seat (it waits for your turn) "
    "and act until its state is ended. A seat is told the game's own words: the rules once, then each turn what it "
    "tells. " + mcpresearch.INSTRUCTIONS
)
SEATS_MAX: Final = 1000
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


def server_of(site: Polity) -> Door:
    """The server for one site: over stdio with that site's key, over HTTP with the key of each request."""
    door = Door(site, INSTRUCTIONS)
    runs_tools(door)
    seat_tools(door)
    mcpresearch.tools(door)
    mcpresearch.resources(door)
    mcpresearch.prompts(door)
    return door


def runs_tools(door: Door) -> None:
    """Runs: listed, started, steered, read."""

    @door.does(hints(reads=True))
    def list_scenarios(site: Site, game: str | None = None) -> Any:
        """What can be played: each scenario's name, title and conditions."""
        return [{k: one[k] for k in ("name", "title", "conditions")} for one in site.scenarios(game)]

    @door.does(hints(reads=True))
    def list_runs(site: Site, limit: int = 10, game: str | None = None, status: str | None = None) -> Any:
        """The latest runs: id, game, status, round and who sits in them."""
        return [_run(one) for one in site.runs(limit, game=game, status=status)]

    @door.does(hints(calls=True))
    def start_run(
        site: Site,
        scenario: str,
        config: dict[str, Any] | None = None,
        seats: dict[str, Any] | None = None,
        seed: int | None = None,
        people: dict[str, Any] | None = None,
        budget_usd: float | None = None,
    ) -> Any:
        """Start a run. `seats` by number: {"0": {"program": true}, "default": {"policy": NAME}}; needs a key.
        `budget_usd`: what its models may cost; a key with a purse must name it where models sit.
        """
        how: dict[str, Any] = {"config": config or {}, "seats": seats or {}, "seed": seed, "people": people or {}}
        limits = {} if budget_usd is None else {"limits": {"usd": budget_usd}}
        return {**_run(site.run(scenario, **how, **limits)), "purse": mcpresearch.purse_of(site)}

    @door.does(hints(destroys=True, calls=True))
    def steer_run(site: Site, run: str, act: str, rounds: int | None = None) -> Any:
        """start, pause, resume, step (with rounds) or stop a run; needs a key."""
        return _run(site.steer(run, act, **({"rounds": rounds} if act == "step" and rounds else {})))

    @door.does(hints(reads=True))
    def see_run(site: Site, run: str) -> Any:
        """A run as it stands."""
        return _run(site.see(run))

    @door.does(hints(reads=True))
    def feed(site: Site, run: str, cursor: str | None = None, limit: int = 50) -> Any:
        """What happened in a run, in order; give `next` as cursor to read on."""
        return site.event_page(run, cursor, limit=limit)


def seat_tools(door: Door) -> None:
    """A program's seat: taken, read, answered for."""
    seats: dict[str, Taken] = {}

    def held(seat: str) -> Taken:
        if seat not in seats:
            raise refused("no_such_seat", f"seat {seat!r}: take it first, by take_seat")
        return seats[seat]

    @door.does(hints())
    def take_seat(
        site: Site,
        code: str | None = None,
        run: str | None = None,
        number: int | None = None,
        language: Language = "en",
    ) -> Any:
        """Take a program's seat: by an invitation code, or, with a key, by run and number. Gives the word by which you
        name the seat, and its first turn in the game's own words, in English or Chinese.
        """
        missing = [name for name, value in (("run", run), ("number", number)) if value is None]
        if code is None and missing:
            raise refused("missing", f"take_seat: {' and '.join(missing)} missing; give a code, or run and number")
        seat = site.join(code) if code is not None else site.seat(str(run), int(number or 0))
        if len(seats) >= SEATS_MAX:
            seats.pop(next(iter(seats)))
        word = secrets.token_urlsafe(12)
        seats[word] = Taken(seat, language)
        return {"seat": word, "run": seat.run, "number": seat.number, **seats[word].page(seat.start())}

    @door.does(hints(reads=True))
    def see_seat(seat: str, wait_s: float = 20) -> Any:
        """What the seat is asked: waits up to `wait_s` seconds (60 at most) for its turn or the end."""
        return held(seat).page(held(seat).seat.see(wait_s))

    @door.does(hints(reads=True))
    def observe(seat: str) -> Any:
        """The raw observation behind the words of the open turn, every listed action, and the last round's events."""
        page = held(seat).seat.see()
        turn, frame = page["turn"], page["frame"]
        of_turn = {} if turn is None else {name: turn[name] for name in ("step", "observation", "options")}
        return {"state": page["state"], **of_turn, "events": frame["events"] if frame else []}

    @door.does(hints(again=True))
    def act(seat: str, step: int, action: Any = None, plan: Any = None, passes: bool = False) -> Any:
        """Answer the open turn at `step` by an action of the turn's schema, a plan, or passes: true."""
        return held(seat).seat.move(step, action, plan, passes)


def _run(run: RunSummary) -> dict[str, Any]:
    names = ("id", "game", "status", "head", "clock", "seats", "people", "seed")
    return {name: value for name, value in run.items() if name in names}
