"""The API's rooms for named models: read, saved, tried, and shown what they would be told."""

from __future__ import annotations

import re
from typing import Any, Final

from django.db.models import Count
from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Schema, Status

from agents_app.asides import WHENS
from agents_app.deciders.aside import asked_text
from agents_app.models import AgentProfile
from agents_app.ports import CallRecord
from agents_app.pricing import price_for
from agents_app.profile import BadProfile, Profile, read_profile
from agents_app.prompting import prompts_of
from agents_app.providers.hosts import BadHost, check_host
from agents_app.providers.keys import missing_key
from agents_app.trying import Moment, NoSuchMoment, moment_of, preview, tried_now
from games.accounts.trail import note
from games.core.registry import packs
from games.errors import sentences
from games.errors.requests import BadRequest, NotFound
from games.models import Seat
from games.scenarios.scenario import load
from games.web.holders import experimenters, operators
from games.web.matching import tagged, unchanged

router = Router()
NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class ModelOut(Schema):
    """A named model. ``key``: set, missing, or none where it needs none; only the name of its variable is ever told."""

    name: str
    about: str
    profile: dict[str, Any] = Field(description="All fields, those that are left at their defaults too.")
    runs: int = Field(description="Runs in which it sits.")
    key: str
    key_name: str | None
    price: dict[str, Any] | None = Field(description="What a million tokens cost, USD; null: unknown.")
    changed: str


class ModelIn(Schema):
    about: str = Field("", max_length=300)
    profile: dict[str, Any]


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
    served: str
    estimated: bool
    repaired: str
    ignored: str


class TrialOut(Schema):
    """What one question to the model came to."""

    usable: bool
    stop: str = Field(description="Why a run would have paused; empty where it would have gone on.")
    calls: list[TriedCallOut]
    why: list[str] = Field(description="What was wrong with each reply, in their order.")
    action: Any = Field(None, description="What the rules leave of the answer.")
    struck: int = Field(description="Parts that the rules struck out.")
    commentary: str
    can: dict[str, bool | None] = Field(
        description="What it was seen to do: structured, usage, cached, reasoning, seed, logprobs, temperature; "
        "null: unasked."
    )


def _out(one: AgentProfile, runs: int) -> dict[str, Any]:
    profile = one.resolved()
    name = missing_key(profile) if not profile.is_mock else None
    needed = profile.key_env or name
    price = price_for(profile)
    return {
        "name": one.name,
        "about": one.about,
        "profile": profile.model_dump(mode="json"),
        "runs": runs,
        "key": "missing" if name else "set" if needed or not (profile.is_mock or profile.base_url) else "none",
        "key_name": needed,
        "price": None if price is None else price.model_dump(mode="json"),
        "changed": one.changed.isoformat(),
    }


def _runs_of() -> dict[str, int]:
    """In how many runs each named model sits."""
    rows = Seat.objects.filter(kind="model").values("agent__label").annotate(number=Count("run", distinct=True))
    return {row["agent__label"]: row["number"] for row in rows if isinstance(row["agent__label"], str)}


def _profile(raw: dict[str, Any]) -> Profile:
    try:
        profile = read_profile(raw)
        check_host(profile)
        return profile
    except BadHost as error:
        raise BadRequest("bad_profile", str(error), "profile") from None
    except BadProfile as error:
        says = sentences.says(error.note) if error.note is not None else None
        field = f"profile.{error.path}" if error.path else "profile"
        raise BadRequest("bad_profile", str(error), field, says=says) from None


def _moment(body: MomentIn) -> tuple[Moment, Profile]:
    profile = _profile(body.profile)
    found = load(body.scenario)
    condition = found.conditions[0]
    try:
        return moment_of(found.pack, condition.config, found.seeds[0], body.seat, body.step), profile
    except NoSuchMoment as error:
        raise BadRequest("bad_moment", str(error), "step") from None


@router.get("/models", response=list[ModelOut], auth=experimenters, url_name="models")
def models(request: HttpRequest) -> list[dict[str, Any]]:
    """The site's named models."""
    runs = _runs_of()
    return [_out(one, runs.get(one.name, 0)) for one in AgentProfile.objects.all()]


@router.get("/models/personas", response=dict[str, list[str]], auth=experimenters, url_name="model_personas")
def personas(request: HttpRequest) -> dict[str, list[str]]:
    """The personas that each game names."""
    return {slug: sorted(prompts_of(pack).personas) for slug, pack in packs().items()}


@router.post("/models/preview", response=PreviewOut, auth=experimenters, url_name="model_preview")
def previewed(request: HttpRequest, body: MomentIn) -> dict[str, Any]:
    """The whole prompt that such a model would get in a seat at a round. Nobody is called."""
    moment, profile = _moment(body)
    try:
        messages, tokens = preview(moment, profile)
    except BadProfile as error:
        raise BadRequest("bad_profile", str(error), "profile") from None
    plain = [{"role": message.role, "content": message.text} for message in messages]
    return {"step": moment.request.index, "messages": plain, "tokens": tokens, "asides": _asides(profile)}


@router.post("/models/try", response=TrialOut, auth=experimenters, url_name="model_try")
def trial(request: HttpRequest, body: MomentIn) -> dict[str, Any]:
    """Ask such a model once, now, as a seat at a round would be asked. It costs what such a call costs."""
    moment, profile = _moment(body)
    try:
        made = tried_now(moment, profile)
        note(request, "model_tried", f"model {profile.model}"[:160])
    except BadProfile as error:
        raise BadRequest("bad_profile", str(error), "profile") from None
    trace = made.decision.trace if made.decision is not None else {}
    attempts: Any = trace.get("attempts") or []
    return {
        "usable": made.decision is not None and made.decision.action is not None,
        "stop": made.stop,
        "calls": [_call(call) for call in made.calls],
        "why": [str(one["why"]) for one in attempts],
        "action": made.action,
        "struck": len(made.notes),
        "commentary": str(trace.get("commentary") or ""),
        "can": _seen(profile, made.calls),
    }


@router.get("/models/{name}", response=ModelOut, auth=experimenters, url_name="model")
def model(request: HttpRequest, response: HttpResponse, name: str) -> dict[str, Any]:
    """One named model."""
    one = AgentProfile.objects.filter(name=name).first()
    if one is None:
        raise NotFound(f"model {name[:64]!r}: there is none of that name")
    tagged(request, response, one)
    return _out(one, _runs_of().get(name, 0))


@router.put("/models/{name}", response=ModelOut, auth=operators, url_name="model_save")
def save(request: HttpRequest, response: HttpResponse, name: str, body: ModelIn) -> dict[str, Any]:
    """Save a named model, a new one or one that is there. Runs keep the profile that they were started with."""
    if NAME.fullmatch(name) is None:
        told = f"name: {name[:80]!r}; lower-case letters, digits, - and _, at most 64"
        raise BadRequest("bad_profile", told, "name")
    profile = _profile(body.profile)
    kept = profile.model_dump(mode="json", exclude_defaults=True)
    kept.setdefault("model", profile.model)
    with unchanged(request, AgentProfile.objects.filter(name=name)):
        one, _ = AgentProfile.objects.update_or_create(name=name, defaults={"about": body.about, "profile": kept})
    note(request, "model_saved", f"model {name}", model=profile.model)
    tagged(request, response, one)
    return _out(one, _runs_of().get(name, 0))


@router.delete("/models/{name}", response={204: None}, auth=operators, url_name="model_delete")
def delete(request: HttpRequest, name: str) -> Status[None]:
    """Forget a named model. Runs keep theirs."""
    with unchanged(request, AgentProfile.objects.filter(name=name)):
        gone = AgentProfile.objects.filter(name=name).delete()[0]
    if gone:
        note(request, "model_deleted", f"model {name[:64]}")
    return Status(204, None)


def _asides(profile: Profile) -> list[dict[str, str]]:
    """Its questions beside the play as they are asked, those together that one call asks."""
    asked = {when: [one for one in profile.aside if one.when == when] for when in WHENS}
    return [{"when": when, "text": asked_text(some, when, profile.language)} for when, some in asked.items() if some]


def _call(call: CallRecord) -> dict[str, Any]:
    names = ("attempt", "failure", "reply", "reasoning", "tokens_in", "tokens_out", "tokens_cached", "latency_ms")
    told = {name: getattr(call, name) for name in (*names, "served", "estimated", "repaired", "ignored")}
    return {**told, "cost_usd": None if call.cost_usd is None else float(call.cost_usd)}


def _seen(profile: Profile, calls: tuple[CallRecord, ...]) -> dict[str, bool | None]:
    """What the model was seen to do in these calls; None where it was not asked for, or nothing came."""
    answered = [call for call in calls if call.tokens_in is not None and call.failure != "timeout"]
    if not answered or profile.is_mock:
        return {}
    ignored = {name for call in calls for name in call.ignored.split(",")}
    wanted = any('"schema":{' in call.prompt for call in calls)
    refused = any(call.failure == "no_schema" for call in calls)
    return {
        "structured": (not refused and "response_format" not in ignored) if wanted else None,
        "usage": not any(call.estimated for call in answered),
        "cached": any(call.tokens_cached is not None for call in answered),
        "reasoning": any(call.reasoning or call.tokens_reasoning for call in answered),
        "seed": "seed" not in ignored if profile.seed is not None else None,
        "logprobs": any(call.logprobs for call in answered) if profile.logprobs else None,
        "temperature": "temperature" not in ignored if profile.temperature is not None else None,
    }
