"""The API's rooms for a design before it starts: what it would come to, and what its models would be told. Nothing is
made, and nobody is called.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Field, Router, Schema
from pydantic import ConfigDict

from agents_app.profile import BadProfile
from agents_app.trying import NoSuchMoment, moment_of, preview
from games.errors.requests import BadRequest
from games.lab.scenarios.scenario import Condition, Scenario
from games.lab.scenarios.seating import ModelSeat
from games.site.experiments import declaring
from games.site.experiments.foretelling import foretold
from games.site.web.calls import EstimateOut
from games.site.web.holders import experimenters
from games.site.web.jobs import JobOut, by_worker
from games.site.web.trials import PreviewOut, previewed_out

router = Router()


class CheckIn(Schema):
    document: dict[str, Any]
    spread: dict[str, Annotated[float, Field(gt=0, allow_inf_nan=False)]] = Field(
        {}, max_length=100, description="Standard deviations within a condition that are assumed, by measure."
    )

    model_config = ConfigDict(extra="forbid")


class SeatedOut(Schema):
    """An agent, and the seats in which it sits."""

    agent: str
    kind: Literal["policy", "model", "person", "recording", "program"]
    seats: list[int]


class ExpectedOut(Schema):
    """One condition, and what one run of it is likely to take."""

    name: str
    seated: list[SeatedOut]
    runs: int
    calls: int | None = Field(description="0 where no model plays; null where the horizon is open.")
    usd: float | None = Field(description="0 where no model plays; null where it cannot be known.")
    unpriced: list[str]
    seconds: float | None = Field(description="Null: not known, or as long as people take.")
    seconds_by: Literal["runs", "calls"] | None = Field(
        description="runs: the median of finished runs with the same settings and agents; calls: the median latency of "
        "its models' latest calls here, as often as calls are waited for."
    )
    seconds_of: int = Field(description="Of so many runs or calls.")


class PowerPoint(Schema):
    """How likely a design of so many seeds shows a difference."""

    seeds: int
    share: float = Field(description="Of all such experiments, 0 to 1, uncorrected.")


class ForecastOut(Schema):
    """What the seeds of a design would show of one comparison, before anything of it is played."""

    hypothesis: str
    metric: str
    kind: Literal["contrast", "halves"]
    weights: dict[str, float]
    spread: float | None = Field(
        description="Standard deviation within a condition (of halves: of the differences); null: not known."
    )
    spread_by: Literal["assumed", "runs"] | None = Field(
        description="runs: pooled over finished runs with the settings and agents of the conditions compared."
    )
    spread_of: int = Field(description="Of so many runs, each seed once.")
    smallest: float | None = Field(
        description="The difference found in 80 of 100 such experiments, uncorrected, if seeds have nothing in common."
    )
    curve: list[PowerPoint] = Field(
        description="How often that difference is shown by a quarter to twice as many seeds; empty where there is none."
    )


class RuleOut(Schema):
    """What a stopping rule does in 2 000 simulated experiments of so many seeds."""

    rule: Literal["fixed", "obrien_fleming", "pocock", "always_valid"]
    looks: list[int] = Field(description="Seeds after which it is looked at; empty: once at the end, or after each.")
    false_share: float = Field(description="How often it shows something where nothing is.")
    share: float = Field(description="How often it shows the difference that a look at the end shows in 80 of 100.")
    false_seeds: float = Field(description="Seeds that are played in the mean where nothing is.")
    seeds: float = Field(description="The same where there is that difference.")


class CheckOut(Schema):
    game: str
    conditions: list[str]
    seeds: int
    runs: int
    declared: dict[str, Any]
    estimate: EstimateOut | None = Field(description="Of all its runs; null where no model plays.")
    expected: list[ExpectedOut] = Field(description="By condition, in order.")
    power: list[ForecastOut]
    rules: list[RuleOut] = Field(description="Empty where nothing is expected, or too many seeds are planned.")


class PromptIn(Schema):
    """A seat of a condition, at a step."""

    document: dict[str, Any]
    condition: str = Field(max_length=200)
    seat: int | None = Field(None, ge=0, description="Null: the first in which a model sits.")
    step: int = Field(1, ge=1, le=400, description="The first step from here on at which the seat is asked.")

    model_config = ConfigDict(extra="forbid")


class PromptOut(PreviewOut):
    seat: int
    seats: list[int] = Field(description="Those in which models sit.")
    names: list[str] = Field(description="Of all seats, in order.")


@router.post(
    "/experiments/check", response={200: CheckOut, 202: JobOut}, auth=experimenters, url_name="experiment_check"
)
def experiment_check(request: HttpRequest, body: CheckIn) -> Any:
    """What a document would come to; every fault with its place. Nothing is made."""
    loaded = declaring.loaded_of(body.document)
    return by_worker(request, lambda _: _checked(loaded, body.spread))


def _checked(loaded: Scenario, spread: dict[str, float]) -> dict[str, Any]:
    return {
        "game": loaded.pack.slug,
        "conditions": [one.name for one in loaded.conditions],
        "seeds": len(loaded.seeds),
        "runs": len(loaded.conditions) * len(loaded.seeds),
        "declared": loaded.experiment.plain() if loaded.experiment is not None else {},
        **foretold(loaded, spread),
    }


@router.post("/experiments/prompt", response=PromptOut, auth=experimenters, url_name="experiment_prompt")
def experiment_prompt(request: HttpRequest, body: PromptIn) -> dict[str, Any]:
    """The whole prompt that a model's seat would get in a condition of a document. Nobody is called."""
    loaded = declaring.loaded_of(body.document)
    place = next((i for i, one in enumerate(loaded.conditions) if one.name == body.condition), None)
    if place is None:
        known = [one.name for one in loaded.conditions]
        told = f"condition: {body.condition[:70]!r}; one of {', '.join(known)[:400]}"
        raise BadRequest("no_such_condition", told, "condition", condition=body.condition[:70])
    condition = loaded.conditions[place]
    seat, agent = _model(condition, body.seat)
    try:
        moment = moment_of(loaded.pack, condition.config, loaded.seed(place, 0), seat, body.step)
        told_out = previewed_out(moment, agent.profile, *preview(moment, agent.profile))
    except NoSuchMoment as error:
        raise BadRequest("bad_moment", str(error), "step") from None
    except BadProfile as error:
        raise BadRequest("bad_profile", str(error), "condition") from None
    names = [spec.name for spec in loaded.pack.game.seats(condition.config)]
    return {**told_out, "seat": seat, "seats": _models(condition), "names": names}


def _models(condition: Condition) -> list[int]:
    return [seat for seat, agent in enumerate(condition.seats) if isinstance(agent, ModelSeat)]


def _model(condition: Condition, wanted: int | None) -> tuple[int, ModelSeat]:
    """The seat that is wanted, else the first of a model's; raises `BadRequest`."""
    seats = _models(condition)
    seat = wanted if wanted is not None else next(iter(seats), None)
    agent = condition.seats[seat] if seat is not None and seat in seats else None
    if seat is None or not isinstance(agent, ModelSeat):
        told = f"seat: no model sits there in condition {condition.name!r}; models sit in {seats or 'none'}"
        raise BadRequest("no_model_there", told, "seat", condition=condition.name)
    return seat, agent
