"""The shape of a run's description: who sits in it, how it stands, who is waited for, what befell it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import Field
from typing_extensions import TypedDict

from games.core.conduct import Decisions

RunStatus: TypeAlias = Literal["queued", "running", "waiting", "paused", "finished", "stopped", "failed"]
SeatKind: TypeAlias = Literal["policy", "model", "person", "recording", "program", "hidden"]
"""Who answers for a seat; hidden: no person, and which else is told when the match with people is over."""


class SeatSummary(TypedDict):
    seat: int
    name: str
    role: str
    kind: SeatKind
    agent: Annotated[str, Field(description='Who sits there, in a word; "" while it is hidden.')]


class ScenarioName(TypedDict):
    name: str
    title: Annotated[dict[str, str], Field(description="By language.")]
    look: Annotated[dict[str, str], Field(description="What to look for, by language; {} where nothing is said.")]


class WaitedFor(TypedDict):
    seat: int
    since_s: float
    left_s: Annotated[float | None, Field(description="Until its time is over; null: it is waited for without end.")]
    then: Annotated[
        Literal["default", "substitute"],
        Field(description="Who acts when its time is over: the standing plan or the game's default, or a substitute."),
    ]
    loading: Annotated[bool, Field(description="The first call of a vendor's model: its library may be loading.")]
    batch: Annotated[
        Literal["", "gathered", "sent"],
        Field(
            description="A model that is asked through its vendor's batch interface, which may take up to 24 hours: "
            "its call is gathered with others, or sent; empty: it is not asked so. What the batch has not answered "
            "when the time is over is asked again as often as calls are repeated."
        ),
    ]


class PeopleSummary(TypedDict):
    of: Annotated[int, Field(description="Seats of people.")]
    ready: Annotated[int, Field(description="Of these, whose holder is there.")]
    open: Annotated[int, Field(description="Seats that can still be taken.")]
    begun: Annotated[bool, Field(description="False while the waiting room is open.")]


class RunNotice(TypedDict):
    """Something that befell the run from outside its rules."""

    n: int
    step: Annotated[int, Field(description="The last stored step at that time.")]
    kind: str
    seat: int | None
    data: dict[str, Any]
    at: str


class Rights(TypedDict):
    control: Annotated[bool, Field(description="Whether the asker may steer the run.")]


class StoodIn(TypedDict):
    """How often each of these decided in a seat's place."""

    substitute: Annotated[int, Field(description="A policy, for a person who was away.")]
    fallback: Annotated[int, Field(description="The game's default, for a model without a usable answer.")]
    clock: Annotated[int, Field(description="The game's default, when the time had run out.")]
    default: Annotated[int, Field(description="The game's default, because nothing came that could begin.")]


class NotOwn(TypedDict):
    """How many decisions were not their seats' own. A plan of one's own under way is own."""

    share: Annotated[float | None, Field(description="Of all decisions so far; null: none yet.")]
    decisions: int
    not_own: int
    by: StoodIn
    seats: Annotated[list[float | None], Field(description="The share of each seat; null: it was not asked.")]
    most: Annotated[float, Field(description="With a higher share of the run, or of a seat, it is unsound.")]
    unsound: Annotated[bool, Field(description="It is left out of measures, and nobody of it is ranked.")]


class RunSummary(TypedDict):
    """What a page says of a run beside its frames, for one pair of eyes."""

    id: str
    game: str
    scenario: ScenarioName
    condition: str
    replicate: int
    seed: Annotated[
        int | str | None,
        Field(
            description="As text above 2**53, which JavaScript cannot hold; null while people play: for operators "
            "alone."
        ),
    ]
    status: RunStatus
    head: Annotated[int, Field(description="Number of the last frame that the asker may see; -1: none yet.")]
    clock: Annotated[
        list[tuple[str, int]] | None, Field(description="The labels of that frame; null where they are not at hand.")
    ]
    counted: Annotated[str, Field(description='The label that the run is counted in; "": the outermost.')]
    horizon: Annotated[int | None, Field(description="Number of the last step, where it is fixed and may be known.")]
    rounds: Annotated[
        int | None, Field(description="Number of the last round, where it is fixed and may be known; see the clock.")
    ]
    cadences: Annotated[
        dict[str, str],
        Field(description="Metrics that are measured when a label of the clock moves on, and not at each step."),
    ]
    pace: Annotated[float, Field(description="Rounds a second at the most; 0: as fast as it goes.")]
    seats: list[SeatSummary]
    config: dict[str, Any] | None
    rules_version: int
    audience: dict[str, Any]
    error: Annotated[str | None, Field(description="Why it broke off or was held; null for who may not read prompts.")]
    fallback_rate: Annotated[
        float | None,
        Field(description="Share of all decisions in which no usable answer came; null until it is over."),
    ]
    not_own: Annotated[
        NotOwn | None,
        Field(description="Null where it is private: while people play, for all but operators and omniscient eyes."),
    ]
    can: Rights
    waiting_for: list[WaitedFor]
    away: Annotated[
        bool,
        Field(description="A part of the site is away: the run waits, nobody's time runs, and it goes on by itself."),
    ]
    undriven: Annotated[bool, Field(description="Nobody has driven it for a while, though it could go on.")]
    people: Annotated[PeopleSummary | None, Field(description="Null where nobody but policies and models plays.")]
    notices: Annotated[list[RunNotice], Field(description="The latest hundred.")]
    outcome: Annotated[
        dict[str, str],
        Field(description="What came of it in a few words, by language, once it is finished; empty where private."),
    ]
    created: str
    ended: str | None
    cost_usd: Annotated[
        float | None,
        Field(description="What its models have cost so far; null where none plays, and for who may not read prompts."),
    ]
    unpriced: Annotated[
        bool,
        Field(
            description="Whether the price of one of its models is not known, so that it may have cost more than that."
        ),
    ]
    limits: Annotated[dict[str, Any], Field(description="Of what they may cost; empty for who may not read prompts.")]
    parent: str | None
    fork_at: int | None


class RunRow(RunSummary):
    """A run in the table of runs; its settings and notices are left out."""

    experiment: Annotated[str | None, Field(description="The experiment whose cell it is.")]
    tags: list[str]
    fallback: Annotated[
        float | None, Field(description="Share of fallbacks among its decisions, once it is over; null where private.")
    ]
    measures: Annotated[
        dict[str, float] | None, Field(description="Once it is finished, for omniscient eyes: those that are numbers.")
    ]
    started: str | None


class LatestExperiment(TypedDict):
    """An experiment in a list of runs, in whose row all its runs stand."""

    slug: str
    title: Annotated[dict[str, str], Field(description="By language; empty where it has none.")]
    status: Literal["draft", "running", "paused", "finished", "cancelled", "stopped"]
    conditions: int
    runs: Annotated[int, Field(description="All that there are to be: conditions times seeds.")]
    done: Annotated[int, Field(description="Runs that are over.")]
    failed: int
    cost_usd: Annotated[
        float | None,
        Field(
            description="What its models have cost so far, as far as prices are known; null where that is nothing, and "
            "for all but operators."
        ),
    ]


class LatestRow(TypedDict):
    """A run by itself, or an experiment with its newest run."""

    run: RunSummary
    experiment: Annotated[LatestExperiment | None, Field(description="Null: a run by itself.")]


LETTERS: Final = 2
"""A name this short says little by itself; who sits there stands beside it."""


def said_of(seats: Sequence[Mapping[str, Any]]) -> Callable[[int], str]:
    """What a seat is called in a text by itself: its name, and where that is a letter who sits there, "A (TFT)"."""

    def name(seat: int) -> str:
        called, agent = str(seats[seat]["name"]), str(seats[seat]["agent"])
        return f"{called} ({agent})" if agent and len(called) <= LETTERS else called

    return name


def seed_out(seed: int) -> int | str:
    """A seed as a browser can hold it: as text above 2**53."""
    return str(seed) if seed > 2**53 else seed


def not_own_out(counts: Decisions, seats: int, most: float) -> NotOwn:
    """What is told of a run's decisions; ``most``: the share above which it is unsound."""
    return {
        "share": counts.share(),
        "decisions": counts.decisions.total(),
        "not_own": counts.not_own.total(),
        "by": {
            "substitute": counts.by["substitute"],
            "fallback": counts.by["fallback"],
            "clock": counts.by["clock"],
            "default": counts.by["default"],
        },
        "seats": [counts.of(seat) for seat in range(seats)],
        "most": most,
        "unsound": counts.is_unsound(most),
    }
