"""A toy that turns every kind of turn, and one that is played by plans. They prove the kernel before any real game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, ClassVar, Literal

from pydantic import Field, create_model
from typing_extensions import TypedDict

from games.core.agents import Act, NoParams, Plan, PolicySpec, Replan
from games.core.answers import ActionSpec, Note
from games.core.exempt import Exempt
from games.core.game import All, Event, Eyes, Game, Invariant, Resolution, Seat, SeatEyes, SeatSpec, Seen, Turn, View
from games.core.instructions import Instructions
from games.core.pack import Pack
from games.core.rng import Rng
from games.core.settings import Settings


class ParadeConfig(Settings):
    days: int = Field(3, ge=1, le=100, title="Days", description="How often the parade passes.")
    marchers: int = Field(3, ge=3, le=9, title="Marchers", description="Seats in play.")


@dataclass(frozen=True, slots=True)
class Say:
    """Name a tune; a marcher knows only those that it has heard of."""

    tune: str


@dataclass(frozen=True, slots=True)
class ParadeState:
    day: int
    stage: str
    purses: tuple[int, ...]
    known: tuple[tuple[str, ...], ...]
    weather: int = 0


@dataclass(frozen=True, slots=True)
class ParadeSight:
    purse: int
    known: tuple[str, ...]
    heard: int


NEXT = {"dawn": "solo", "solo": "pair", "pair": "all", "all": "dawn"}


class ParadeView(TypedDict):
    """``purses`` by marcher; None for what those eyes may not see."""

    day: int
    stage: str
    weather: int
    purses: list[int | None]


class Dawned(TypedDict):
    weather: int


class Parade(Game[ParadeConfig, ParadeState, ParadeSight, Say]):
    """Dawn moves the world alone; then one, some and all marchers name a tune. Purses are private."""

    slug: ClassVar[str] = "parade"
    rules_version: ClassVar[int] = 1
    config_type = ParadeConfig
    state_type = ParadeState
    action_type = Say
    view_type = ParadeView
    event_types: ClassVar[Mapping[str, Any]] = {"dawned": Dawned}

    def seats(self, config: ParadeConfig) -> Sequence[SeatSpec]:
        return [SeatSpec(f"marcher-{seat + 1}") for seat in range(config.marchers)]

    def initial(self, config: ParadeConfig, rng: Rng) -> Resolution[ParadeState]:
        known = tuple(("hymn", "waltz") if seat == 0 else ("hymn",) for seat in range(config.marchers))
        purses = tuple(rng.below(5, "purse", seat) for seat in range(config.marchers))
        return Resolution(ParadeState(1, "dawn", purses, known), (Event("opened", {"marchers": config.marchers}),))

    def turn(self, config: ParadeConfig, state: ParadeState) -> Turn | None:
        if state.day > config.days:
            return None
        everyone = tuple(range(config.marchers))
        seats = {"dawn": (), "solo": everyone[:1], "pair": everyone[::2], "all": everyone}[state.stage]
        return Turn((("day", state.day),), state.stage, seats)

    def recall(self, config: ParadeConfig) -> int | None:
        return 4

    def observe(self, config: ParadeConfig, state: ParadeState, seat: Seat, past: Sequence[Seen[Say]]) -> ParadeSight:
        return ParadeSight(state.purses[seat], state.known[seat], sum(len(seen.events) for seen in past))

    def actions(self, config: ParadeConfig, state: ParadeState, seat: Seat) -> ActionSpec[Say]:
        return _tunes(state.known[seat])

    def clean(
        self, config: ParadeConfig, state: ParadeState, seat: Seat, action: Say | None, rng: Rng
    ) -> tuple[Say, tuple[Note, ...]]:
        if action is None:
            return Say("hymn"), ()
        if action.tune not in state.known[seat]:
            return Say("hymn"), (Note("tune_unknown", {"tune": action.tune}),)
        return action, ()

    def resolve(
        self, config: ParadeConfig, state: ParadeState, actions: Mapping[Seat, Say], rng: Rng
    ) -> Resolution[ParadeState]:
        day = state.day + (state.stage == "all")
        moved = replace(state, day=day, stage=NEXT[state.stage])
        if state.stage == "dawn":
            weather = rng.below(3, "weather")
            return Resolution(replace(moved, weather=weather), (Event("dawned", {"weather": weather}),))
        waltzers = [seat for seat in sorted(actions) if actions[seat].tune == "waltz"]
        gains = {seat: 2 if seat in waltzers else 1 for seat in sorted(actions)}
        purses = tuple(purse + gains.get(seat, 0) for seat, purse in enumerate(state.purses))
        known = tuple(("hymn", "waltz") if waltzers else names for names in state.known)
        events = [Event("marched", {"seats": sorted(actions), "waltzers": waltzers})]
        events += [Event("earned", {"seat": seat, "coins": coins}, (seat,)) for seat, coins in gains.items()]
        return Resolution(replace(moved, purses=purses, known=known), events, gains)

    def view(self, config: ParadeConfig, state: ParadeState, eyes: Eyes) -> ParadeView:
        shown = [
            purse if isinstance(eyes, All) or eyes == SeatEyes(seat) else None
            for seat, purse in enumerate(state.purses)
        ]
        return {"day": state.day, "stage": state.stage, "weather": state.weather, "purses": shown}

    def invariants(self, config: ParadeConfig, state: ParadeState) -> Iterable[Invariant]:
        yield Invariant("no purse is empty below zero", min(state.purses) >= 0, str(state.purses))


@lru_cache
def _tunes(known: tuple[str, ...]) -> ActionSpec[Say]:
    heard = create_model("Say", tune=(Literal[known], ...))
    spec: ActionSpec[Any] = ActionSpec.of(heard)
    return ActionSpec(spec.schema, lambda raw: Say(spec.read(raw).tune), tuple(Say(name) for name in known))


def parade_twins(config: ParadeConfig, state: ParadeState, seat: Seat) -> Iterable[ParadeState]:
    yield replace(state, purses=tuple(purse if i == seat else purse + 10 for i, purse in enumerate(state.purses)))


def latest(params: NoParams, sight: ParadeSight, memory: Any, rng: Rng) -> tuple[Say, Any]:
    """The last tune learnt; memory counts the turns."""
    return Say(sight.known[-1]), (memory or 0) + 1


class ParadeMetrics:
    """Coins at each step, and what the purses hold when a day is over."""

    def measure(self, config: Any, before: ParadeState, step: Any) -> dict[str, Any]:
        held = sum(step.state.purses) if step.turn.stage == "all" else None
        return {"coins": sum(step.payoffs.values()), "held": held}

    def summarise(self, config: Any, series: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
        return {"coins": sum(row["coins"] for row in series)}

    def about(self) -> dict[str, str]:
        return {"coins": "sum of all gains; coins, 0 and up"}


def instruct(config: ParadeConfig, request: Any, language: str) -> Instructions:
    lasts, rules = f"The parade passes on {config.days} days.", "A waltz pays two coins, a hymn one."
    return Instructions(("Earn coins.",), ("Name a tune.",), (rules,), (lasts,), ("A hymn is played.",), "a hymn", {})


PARADE = Pack(
    game=Parade(),
    title="Parade",
    tagline="A toy.",
    policies={"latest": PolicySpec("latest", "The last tune learnt.", "this test", latest)},
    default_policy="latest",
    metrics=ParadeMetrics(),
    cadences={"held": "day"},
    indistinguishable=parade_twins,
    instructions=instruct,
    exempt=Exempt(
        disclosed={"marched": "all hear who plays what, and forget it"},
        unequal="the first marcher knows a tune that the others have yet to hear",
    ),
)


# --- plans ----------------------------------------------------------------------------------------


class TrekConfig(Settings):
    length: int = Field(9, ge=1, title="Length", description="Steps.")
    rockfall: int | None = Field(None, title="Rockfall", description="The step after which the path is blocked.")


@dataclass(frozen=True, slots=True)
class TrekState:
    step: int = 0
    place: int = 0
    blocked: bool = False


class Trek(Game[TrekConfig, TrekState, TrekState, int]):
    """One walker takes a step (1) or rests (0). A rockfall blocks the path."""

    slug: ClassVar[str] = "trek"
    rules_version: ClassVar[int] = 1
    config_type = TrekConfig
    state_type = TrekState
    action_type = int

    def seats(self, config: TrekConfig) -> Sequence[SeatSpec]:
        return [SeatSpec("walker")]

    def initial(self, config: TrekConfig, rng: Rng) -> Resolution[TrekState]:
        return Resolution(TrekState())

    def turn(self, config: TrekConfig, state: TrekState) -> Turn | None:
        return None if state.step >= config.length else Turn((("step", state.step + 1),), "walk", (0,))

    def observe(self, config: TrekConfig, state: TrekState, seat: Seat, past: Sequence[Seen[int]]) -> TrekState:
        return state

    def actions(self, config: TrekConfig, state: TrekState, seat: Seat) -> ActionSpec[int]:
        return STEPS

    def clean(
        self, config: TrekConfig, state: TrekState, seat: Seat, action: int | None, rng: Rng
    ) -> tuple[int, tuple[str, ...]]:
        return (action or 0), ()

    def resolve(
        self, config: TrekConfig, state: TrekState, actions: Mapping[Seat, int], rng: Rng
    ) -> Resolution[TrekState]:
        blocked = config.rockfall is not None and state.step + 1 >= config.rockfall
        return Resolution(TrekState(state.step + 1, state.place + actions[0], blocked))

    def view(self, config: TrekConfig, state: TrekState, eyes: Eyes) -> View:
        return {"place": state.place}


STEPS = ActionSpec.of(Literal[0, 1], (0, 1))


def walk_on(sight: TrekState, plan: Plan, rng: Rng) -> Act[int] | Replan:
    """Carry out ``{"walk": n}``: n single steps, unless the path is blocked."""
    assert isinstance(plan, Mapping)
    left = plan["walk"]
    assert isinstance(left, int)
    if left == 0:
        return Replan(Note("arrived"))
    if sight.blocked:
        return Replan(Note("path_blocked"))
    return Act(1, {"walk": left - 1})
