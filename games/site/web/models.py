"""The API's rooms for named models: read and saved. `games.site.web.trials` has those in which a model is tried."""

from __future__ import annotations

import re
from typing import Any, Final, NamedTuple

from django.db.models import Count, Sum
from django.http import HttpRequest, HttpResponse
from ninja import Field, Router, Schema, Status

from agents_app.pricing import price_for
from agents_app.prompting import prompts_of
from agents_app.providers.keys import missing_key
from agents_app.site.models import AgentProfile
from games.core.registry import packs
from games.errors.requests import BadRequest, NotFound
from games.site.accounts.trail import note
from games.site.models import Seat
from games.site.web.holders import experimenters, operators
from games.site.web.matching import tagged, unchanged
from games.site.web.trials import profile_of

router = Router()
NAME: Final = re.compile(r"[a-z0-9][a-z0-9_-]{0,63}")


class ModelOut(Schema):
    """A named model. ``key``: set, missing, or none where it needs none; only the name of its variable is ever told."""

    name: str
    about: str
    profile: dict[str, Any] = Field(
        description="All fields, those at their defaults too; memory only where it is said, else it is each game's."
    )
    runs: int = Field(description="Runs in which it sits.")
    fallback: float | None = Field(
        description="Share of its answers of which nothing was usable, in runs that are finished; null: there are none."
    )
    key: str
    key_name: str | None
    price: dict[str, Any] | None = Field(description="What a million tokens cost, USD; null: unknown.")
    changed: str


class ModelIn(Schema):
    about: str = Field("", max_length=300)
    profile: dict[str, Any]


class Use(NamedTuple):
    """In how many runs a named model sits, and what became of its answers in those that are finished."""

    runs: int = 0
    decisions: int = 0
    fallbacks: int = 0


def _out(one: AgentProfile, use: Use) -> dict[str, Any]:
    profile = one.resolved()
    name = missing_key(profile) if not profile.is_mock else None
    needed = profile.key_env or name
    price = price_for(profile)
    return {
        "name": one.name,
        "about": one.about,
        "profile": profile.told(),
        "runs": use.runs,
        "fallback": use.fallbacks / use.decisions if use.decisions else None,
        "key": "missing" if name else "set" if needed or not (profile.is_mock or profile.base_url) else "none",
        "key_name": needed,
        "price": None if price is None else price.model_dump(mode="json"),
        "changed": one.changed.isoformat(),
    }


def _uses() -> dict[str, Use]:
    """The use of each named model: one question to the database, however many runs there are."""
    rows = Seat.objects.filter(kind="model").values("agent__label")
    summed = rows.annotate(
        runs=Count("run", distinct=True), asked=Sum("decisions"), unusable=Sum("fallbacks")
    )  # fmt: skip
    return {
        row["agent__label"]: Use(row["runs"], row["asked"] or 0, row["unusable"] or 0)
        for row in summed
        if isinstance(row["agent__label"], str)
    }


@router.get("/models", response=list[ModelOut], auth=experimenters, url_name="models")
def models(request: HttpRequest) -> list[dict[str, Any]]:
    """The site's named models."""
    uses = _uses()
    return [_out(one, uses.get(one.name, Use())) for one in AgentProfile.objects.all()]


@router.get("/models/personas", response=dict[str, list[str]], auth=experimenters, url_name="model_personas")
def personas(request: HttpRequest) -> dict[str, list[str]]:
    """The personas that each game names."""
    return {slug: sorted(prompts_of(pack).personas) for slug, pack in packs().items()}


@router.get("/models/{name}", response=ModelOut, auth=experimenters, url_name="model")
def model(request: HttpRequest, response: HttpResponse, name: str) -> dict[str, Any]:
    """One named model."""
    one = AgentProfile.objects.filter(name=name).first()
    if one is None:
        raise NotFound(f"model {name[:64]!r}: there is none of that name")
    tagged(request, response, one)
    return _out(one, _uses().get(name, Use()))


@router.put("/models/{name}", response=ModelOut, auth=operators, url_name="model_save")
def save(request: HttpRequest, response: HttpResponse, name: str, body: ModelIn) -> dict[str, Any]:
    """Save a named model, a new one or one that is there. Runs keep the profile that they were started with."""
    if NAME.fullmatch(name) is None:
        told = f"name: {name[:80]!r}; lower-case letters, digits, - and _, at most 64"
        raise BadRequest("bad_profile", told, "name")
    profile = profile_of(body.profile)
    with unchanged(request, AgentProfile.objects.filter(name=name)):
        one, _ = AgentProfile.objects.update_or_create(
            name=name, defaults={"about": body.about, "profile": profile.stored()}
        )
    note(request, "model_saved", f"model {name}", model=profile.model)
    tagged(request, response, one)
    return _out(one, _uses().get(name, Use()))


@router.delete("/models/{name}", response={204: None}, auth=operators, url_name="model_delete")
def delete(request: HttpRequest, name: str) -> Status[None]:
    """Forget a named model. Runs keep theirs."""
    with unchanged(request, AgentProfile.objects.filter(name=name)):
        gone = AgentProfile.objects.filter(name=name).delete()[0]
    if gone:
        note(request, "model_deleted", f"model {name[:64]}")
    return Status(204, None)
