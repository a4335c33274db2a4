"""The API's rooms for models: what they were asked, what it cost, and who is thinking."""

from __future__ import annotations

from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Field, Query, Router, Schema

from games.site.audience import check_prompts
from games.site.record import calls as reads
from games.site.web.access import look
from games.site.web.holders import experimenters

router = Router()


class PromptOut(Schema):
    """What was sent, whole."""

    model: str | None = None
    messages: list[dict[str, str]] = Field(description="Each with role (system, user, assistant) and content.")
    max_tokens: int | None = None
    temperature: float | None = None
    seed: int | None = None
    extra: dict[str, Any] = Field({}, description="Further parameters, by OpenAI's names.")
    answer_schema: Any = Field(None, description="JSON Schema of structured output, where it was asked for.")


class CallOut(Schema):
    """One call of a provider. A seat's attempts at one step count from 1."""

    id: int
    step: int
    seat: int
    purpose: str = Field(
        description="act; reflect: the rewriting of a memory; before, after or end: questions beside the play."
    )
    attempt: int
    model: str
    prompt_hash: str
    prompt: PromptOut
    reply: str = Field(description="As it came; the fault in one line where none came. Never to be read as HTML.")
    failure: str = Field(description='"" for a usable reply, else its label, such as unparseable or timeout.')
    tokens_in: int | None
    tokens_out: int | None
    cost_usd: float | None
    latency_ms: int | None
    at: str
    address: str = Field(description='Where it was sent; "" where nobody was called.')
    finish: str = Field(description="Why the reply ended, in the vendor's own word.")
    reasoning: str = Field(description="Thinking that came apart from the reply.")
    refusal: str = Field(description="What the model said where it declined to answer.")
    tools: str = Field(description="The tools that it called, as JSON text.")
    served: str = Field(description="The model that answered, by the server's word.")
    response_id: str
    fingerprint: str
    tokens_cached: int | None
    tokens_reasoning: int | None
    estimated: bool = Field(description="The tokens are our own reckoning: the server gave none that can be true.")
    from_cache: bool = Field(description="Another run's reply to the same prompt; nobody was called.")
    batch: str = Field(description='The vendor\'s id of the batch that it came by; "" for a call by itself.')
    rate: str = Field(description='The price it was reckoned at in a batch: batch or ordinary; "" else.')
    repaired: list[str] = Field(description="What was struck off before it could be read: think, fence, marks.")
    ignored: list[str] = Field(description="Parameters of which the server made nothing.")
    logprobs: list[tuple[str, float]] = Field(description="The first token's likeliest values, natural logarithms.")
    answers: dict[str, float | str] = Field(description="To questions beside the play, by name.")


class AttemptOut(Schema):
    attempt: int
    failure: str
    why: str = Field(description="What was wrong with the reply, in the words of the correction.")
    says: dict[str, str] | None = Field(None, description="The same by language, where it is known in all.")


class DecisionOut(Schema):
    """What came of a seat's calls at one step, before the game cleaned it."""

    step: int
    seat: int
    action: Any = Field(None, description="The parsed action; null: none came, and the game's default was played.")
    plan: Any = None
    memory: Any = None
    flags: list[str]
    commentary: str = Field(description="What it said around its answer.")
    ignored: list[str] = Field(description="Settings that the vendor does not take.")
    attempts: list[AttemptOut]


class CallsOut(Schema):
    calls: list[CallOut]
    decisions: list[DecisionOut] = Field(description="Of the steps and seats of these calls.")
    next: int | None = Field(description="Give it as after, to read on; null: that was all.")


class CallLineOut(Schema):
    """A call in a list: its figures, without its texts."""

    id: int
    step: int
    seat: int
    purpose: str
    attempt: int
    model: str
    failure: str
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost_usd: float | None
    latency_ms: int | None
    estimated: bool
    from_cache: bool
    batch: str
    prompt_hash: str


class SpentOut(Schema):
    usd: float
    tokens_in: int
    tokens_out: int
    calls: int
    unpriced: int = Field(description="Calls whose price is not known; they count as nothing in usd.")
    estimated: int = Field(description="Calls whose tokens are our own reckoning, since the server told none.")


class AnswersOut(Schema):
    given: int
    corrected: int = Field(description="Of these, that were usable only after a correction.")
    fallbacks: int = Field(description="Of these, in which nothing was usable and the game's default was played.")


class BatchWaitOut(Schema):
    """Calls that are asked through the vendor's batch interface and have no answer yet."""

    calls: int
    since_s: float = Field(description="Since the first of them was posted.")
    left_s: float = Field(description="Until what the batch has not answered counts as timed out.")
    vendor_id: str = Field(description="What the vendor calls the batch; empty while its calls are gathered.")
    error: str = Field(description="Why the last look at the batch told nothing, in the vendor's words.")


class SeatMeterOut(Schema):
    seat: int
    model: str
    spent: SpentOut
    failures: dict[str, int]
    answers: AnswersOut
    limits: dict[str, Any]
    thinking_s: float | None = Field(description="Seconds that its answer has been awaited; null: it is not asked.")
    batch: BatchWaitOut | None = Field(description="Its calls that wait for their vendor's batch; null: none do.")


class MeterOut(Schema):
    spent: SpentOut | None = Field(description="Of the whole run; null for the eyes of one seat.")
    limits: dict[str, Any]
    seats: list[SeatMeterOut] = Field(description="Of the seats that models hold.")


class EstimateOut(Schema):
    """Likely figures: prompts stay as in the first steps, replies fill a quarter of their bound; null: unknown."""

    calls: int | None = Field(description="Null where the horizon is open.")
    at_most: int | None = Field(description="Calls where every answer needs all its corrections and repetitions.")
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None = Field(description="Null also where a model's price is not known.")
    usd_least: float | None = Field(None, description="Where every reply is a few words and none is corrected.")
    usd_most: float | None = Field(None, description="At at_most calls, every reply as long as it may be.")
    unpriced: list[str]
    ordinary: list[str] = Field([], description="Models asked by batch, at the ordinary price: no other is known.")
    exceeds: list[str] = Field(description="The limits that this is beyond: usd, tokens, calls. The run would pause.")


class AgentOut(Schema):
    name: str
    about: str
    seat: dict[str, Any] = Field(description="What to put into a run's seats: model, label and the whole profile.")


@router.get("/agents", response=list[AgentOut], auth=experimenters, url_name="agents")
def agents(request: HttpRequest) -> list[dict[str, Any]]:
    """The site's named models. Further ones: mock/POLICY for each of a game's policies, and any vendor's model."""
    return reads.agents()


@router.get("/runs/{run_id}/calls", response=CallsOut, url_name="calls")
def calls(
    request: HttpRequest,
    run_id: str,
    as_seat: Annotated[int | None, Query(None, alias="as", description="See as this seat.")],
    limit: Annotated[int, Query(100, ge=1, le=reads.CALLS_MAX)],
    after: Annotated[int, Query(0, ge=0)],
    step: int | None = None,
    seat: int | None = None,
) -> dict[str, Any]:
    """Prompts, replies, failures, tokens and money of a run's models, all or those of one step and seat.

    For operators; for the holder of a seat, its own; for spectators only where the audience has `prompts: true`.
    """
    seen = look(request, run_id, as_seat)
    check_prompts(seen.run, seen.viewer, seen.sight)
    return reads.calls(seen.run, seen.sight, step, seat, after, limit)


@router.get("/runs/{run_id}/calls/lines", response=list[CallLineOut], url_name="call_lines")
def lines(
    request: HttpRequest,
    run_id: str,
    as_seat: Annotated[int | None, Query(None, alias="as", description="See as this seat.")],
    text: Annotated[str, Query("", max_length=200, description="Of those whose prompt, reply or thinking holds this.")],
) -> list[dict[str, Any]]:
    """All calls of a run as lines of figures, in the order in which they were stored. For whom, see calls."""
    seen = look(request, run_id, as_seat)
    check_prompts(seen.run, seen.viewer, seen.sight)
    return reads.listed(seen.run, seen.sight, text)


@router.get("/runs/{run_id}/meter", response=MeterOut, url_name="meter")
def meter(
    request: HttpRequest,
    run_id: str,
    as_seat: Annotated[int | None, Query(None, alias="as", description="See as this seat.")],
) -> dict[str, Any]:
    """What the run's models have spent so far, by seat, against the limits; and who is thinking. As for calls."""
    seen = look(request, run_id, as_seat)
    check_prompts(seen.run, seen.viewer, seen.sight)
    return reads.meter(seen.run, seen.sight)
