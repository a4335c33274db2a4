"""The API's rooms in which a model is tried before it plays: what it would be told, what it answers, what it can do,
what a whole run of it would come to. Only the preview and the estimates call nobody.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from django.http import HttpRequest
from ninja import Field, Router, Schema
from prometheus_client import Histogram

from agents_app.abilities import ABILITIES, Ability, Finding, Verdict, Why
from agents_app.asides import WHENS
from agents_app.deciders.aside import asked_text
from agents_app.estimating import Measured, estimate_all
from agents_app.ports import CallRecord
from agents_app.probing import cost_of, probe_now
from agents_app.profile import BadProfile, Profile, read_profile
from agents_app.providers.hosts import BadHost, check_host
from agents_app.providers.protocol import Message, tokens_in_prompt
from agents_app.trying import Moment, NoSuchMoment, Trial, moment_of, preview, tried_now
from games.core import codec
from games.core.pack import Pack
from games.errors import sentences
from games.errors.requests import BadRequest
from games.lab.scenarios.scenario import load
from games.lab.wire.frames import NoteOut
from games.site.accounts.trail import note
from games.site.record.calls import attempt_told
from games.site.web.calls import AttemptOut
from games.site.web.holders import experimenters

router = Router()
FIRST = Histogram(
    "polity_model_first_token_seconds",
    "To the first piece of an answer where a model was tried that answers in pieces; runs ask for whole answers.",
    ["model"],
    buckets=(0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60),
)


class MomentIn(Schema):
    """A seat at a round of a preset, and who would sit there."""

    profile: dict[str, Any]
    scenario: str = Field(max_length=200, description="A preset, as GAME/NAME.")
    seat: int = 0
    step: int = Field(1, ge=1, le=400, description="The first step from here on at which the seat is asked.")


class AsideOut(Schema):
    when: str = Field(description="before a move, after it, or at the end.")
    text: str


class PreviewOut(Schema):
    step: int
    messages: list[dict[str, str]]
    tokens: int = Field(description="About so many.")
    asides: list[AsideOut] = Field(description="What would be asked beside the play, in calls of their own.")


class TriedCallOut(Schema):
    attempt: int
    failure: str
    reply: str
    reasoning: str
    tokens_in: int | None
    tokens_out: int | None
    tokens_cached: int | None
    cost_usd: float | None
    latency_ms: int | None
    first_ms: int | None = Field(description="Until the first piece of its answer came; null: it came in one, or not.")
    served: str
    estimated: bool
    repaired: str
    ignored: str


class MeasuredIn(Schema):
    """What one call was seen to take, as a trial tells it."""

    told: int = Field(ge=1, le=10_000_000, description="Our own count of its prompt's tokens.")
    tokens_in: int = Field(ge=0, le=10_000_000)
    tokens_out: int = Field(ge=0, le=10_000_000)
    latency_ms: int = Field(ge=0, le=10_000_000)


class TrialOut(Schema):
    """What one question to the model came to."""

    usable: bool
    stop: str = Field(description="Why a run would have paused; empty where it would have gone on.")
    calls: list[TriedCallOut]
    attempts: list[AttemptOut] = Field(description="What was wrong with each reply, in their order.")
    step: int
    stage: str
    clock: list[tuple[str, int]] = Field(description="The moment in the game's own words, the outermost label first.")
    seats: list[str] = Field(description="Names, in seat order.")
    asked: Any = Field(None, description="The action as it was read, before the rules.")
    plan: Any = Field(None, description="The plan that was given, in games that have plans.")
    action: Any = Field(None, description="What the rules leave of the answer.")
    notes: list[NoteOut] = Field(description="What the rules struck out or changed, with the reasons.")
    spent: NoteOut | None = Field(None, description="What the action takes of what the seat may spend in the step.")
    commentary: str
    measured: MeasuredIn | None = Field(None, description="Of the last call that was answered, for estimates.")


class RunOfThemIn(Schema):
    profile: dict[str, Any]
    scenario: str = Field(max_length=200, description="A preset, as GAME/NAME.")
    measured: MeasuredIn | None = Field(None, description="Of one call of this model, where one was made.")


class RunOfThemOut(Schema):
    """What a run of the preset with such a model in every seat would likely come to; null: unknown."""

    seats: int
    rounds: int | None
    calls: int | None = Field(description="Null where the horizon is open.")
    tokens_in: int | None
    tokens_out: int | None
    usd: float | None = Field(description="Null also where no price is known.")
    seconds: float | None = Field(description="Null where no call was measured, or where it is asked by batch.")
    at_once: int = Field(description="Calls of a turn that go out together.")
    unpriced: list[str]


class ProbeIn(Schema):
    profile: dict[str, Any]
    abilities: list[Ability] = Field(list(ABILITIES), max_length=len(ABILITIES), description="What to look for.")


class ProbeCostOut(Schema):
    """What looking takes at most, if each reply is as long as it may be."""

    calls: int
    tokens_in: int
    tokens_out: int
    usd: float | None = Field(description="Null: no price is known.")


class FindingOut(Schema):
    """What was seen of one ability."""

    ability: Ability
    verdict: Verdict = Field(
        description="accepted: the reply shows it; ignored: it shows nothing of it; refused: the server said no; "
        "unknown: nothing came that could show it."
    )
    why: Why
    value: int | None = Field(description="Tokens of the context, cached tokens, or calls of the burst answered.")
    of: int | None = Field(description="Calls of the burst.")
    said: str = Field(description="The server's own words, where they tell.")
    calls: int
    tokens_in: int
    tokens_out: int
    usd: float | None
    latency_ms: int | None


def profile_of(raw: dict[str, Any]) -> Profile:
    """A profile that was sent. Raises `BadRequest` with its field."""
    try:
        profile = read_profile(raw)
        check_host(profile)
        return profile
    except BadHost as error:
        raise BadRequest("bad_profile", str(error), "profile") from None
    except BadProfile as error:
        raise _refused(error) from None


def _refused(error: BadProfile) -> BadRequest:
    says = sentences.says(error.note) if error.note is not None else None
    return BadRequest("bad_profile", str(error), f"profile.{error.path}" if error.path else "profile", says=says)


def _in_game(profile: Profile, pack: Pack) -> Profile:
    return profile if pack.prompts is None else profile.at_home(pack.prompts.memory)


def _moment(body: MomentIn) -> tuple[Moment, Profile]:
    found = load(body.scenario)
    profile = _in_game(profile_of(body.profile), found.pack)
    condition = found.conditions[0]
    try:
        return moment_of(found.pack, condition.config, found.seeds[0], body.seat, body.step), profile
    except NoSuchMoment as error:
        raise BadRequest("bad_moment", str(error), "step") from None


@router.post("/models/preview", response=PreviewOut, auth=experimenters, url_name="model_preview")
def previewed(request: HttpRequest, body: MomentIn) -> dict[str, Any]:
    """The whole prompt that such a model would get in a seat at a round. Nobody is called."""
    moment, profile = _moment(body)
    try:
        messages, tokens = preview(moment, profile)
    except BadProfile as error:
        raise _refused(error) from None
    return previewed_out(moment, profile, messages, tokens)


def previewed_out(moment: Moment, profile: Profile, messages: Sequence[Message], tokens: int) -> dict[str, Any]:
    """A prompt as it is shown."""
    plain = [{"role": message.role, "content": message.text} for message in messages]
    return {"step": moment.request.index, "messages": plain, "tokens": tokens, "asides": _asides(profile)}


@router.post("/models/try", response=TrialOut, auth=experimenters, url_name="model_try")
def trial(request: HttpRequest, body: MomentIn) -> dict[str, Any]:
    """Ask such a model once, now, as a seat at a round would be asked. It costs what such a call costs."""
    moment, profile = _moment(body)
    try:
        made = tried_now(moment, profile)
        note(request, "model_tried", f"model {profile.model}"[:160])
        for first_s in filter(None, made.firsts):
            FIRST.labels(profile.model).observe(first_s)
    except BadProfile as error:
        raise _refused(error) from None
    return _trial(moment, profile, made)


@router.post("/models/estimate", response=RunOfThemOut, auth=experimenters, url_name="model_estimate")
def run_of_them(request: HttpRequest, body: RunOfThemIn) -> dict[str, Any]:
    """What a run of a preset with such a model in every seat would likely take. Nobody is called."""
    found, told = load(body.scenario), body.measured
    profile = _in_game(profile_of(body.profile), found.pack)
    config = found.conditions[0].config
    measured = None if told is None else Measured(told.told, told.tokens_in, told.tokens_out)
    try:
        likely, seats = estimate_all(found.pack, config, found.seeds[0], profile, measured)
    except BadProfile as error:
        raise _refused(error) from None
    seconds = None
    if told is not None and likely.waves is not None and profile.batch is None:
        seconds = likely.waves * told.latency_ms / 1000
    return {
        **asdict(likely),
        "seats": seats,
        "rounds": found.pack.game.rounds(config),
        "usd": None if likely.usd is None else float(likely.usd),
        "seconds": seconds,
        "at_once": profile.concurrency,
        "unpriced": list(likely.unpriced),
    }


@router.post("/models/probe", response=list[FindingOut], auth=experimenters, url_name="model_probe")
def probed(request: HttpRequest, body: ProbeIn) -> list[dict[str, Any]]:
    """Find out by small calls what such a model and its server can do. It costs at most what `/models/probe/cost` says
    and ends within two minutes; to have each answer as it comes, ask for one ability at a time.
    """
    profile = profile_of(body.profile)
    found = probe_now(profile, list(dict.fromkeys(body.abilities)))
    note(request, "model_probed", f"model {profile.model}"[:160])
    return [_finding(one) for one in found]


@router.post("/models/probe/cost", response=ProbeCostOut, auth=experimenters, url_name="model_probe_cost")
def probe_cost(request: HttpRequest, body: ProbeIn) -> dict[str, Any]:
    """How many calls that would be, and what they may cost at most. Nobody is called."""
    most = cost_of(profile_of(body.profile), list(dict.fromkeys(body.abilities)))
    return {**asdict(most), "usd": None if most.usd is None else float(most.usd)}


def _trial(moment: Moment, profile: Profile, made: Trial) -> dict[str, Any]:
    trace = made.decision.trace if made.decision is not None else {}
    attempts: Any = trace.get("attempts") or []
    turn = moment.request.turn
    return {
        "usable": made.decision is not None and made.decision.action is not None,
        "stop": made.stop,
        "calls": [_call(call, first) for call, first in zip(made.calls, made.firsts, strict=True)],
        "attempts": [attempt_told(one) for one in attempts],
        "step": moment.request.index,
        "stage": turn.stage,
        "clock": [list(label) for label in turn.clock],
        "seats": [spec.name for spec in moment.pack.game.seats(moment.config)],
        "asked": made.asked,
        "plan": made.decision.plan if made.decision is not None else None,
        "action": made.action,
        "notes": [codec.encode_note(one) for one in made.notes],
        "spent": None if made.spent is None else codec.encode_note(made.spent),
        "commentary": str(trace.get("commentary") or ""),
        "measured": None if profile.is_mock else _measured(made.calls),
    }


def _measured(calls: tuple[CallRecord, ...]) -> dict[str, int] | None:
    """What the last call took that was answered; None where none was, or where nobody counts: of a mock."""
    for call in reversed(calls):
        if call.tokens_in is None or call.tokens_out is None or call.latency_ms is None or call.failure == "timeout":
            continue
        messages = [Message(one["role"], one["content"]) for one in json.loads(call.prompt)["messages"]]
        counts = {name: getattr(call, name) for name in ("tokens_in", "tokens_out", "latency_ms")}
        return {"told": max(1, tokens_in_prompt(messages)), **counts}
    return None


def _finding(one: Finding) -> dict[str, Any]:
    latency = None if one.latency_s is None else round(one.latency_s * 1000)
    return {**asdict(one), "usd": None if one.usd is None else float(one.usd), "latency_ms": latency}


def _asides(profile: Profile) -> list[dict[str, str]]:
    """Its questions beside the play as they are asked, those together that one call asks."""
    asked = {when: [one for one in profile.aside if one.when == when] for when in WHENS}
    return [{"when": when, "text": asked_text(some, when, profile.language)} for when, some in asked.items() if some]


def _call(call: CallRecord, first_s: float | None) -> dict[str, Any]:
    names = ("attempt", "failure", "reply", "reasoning", "tokens_in", "tokens_out", "tokens_cached", "latency_ms")
    told = {name: getattr(call, name) for name in (*names, "served", "estimated", "repaired", "ignored")}
    first_ms = None if first_s is None else round(first_s * 1000)
    return {**told, "first_ms": first_ms, "cost_usd": None if call.cost_usd is None else float(call.cost_usd)}
