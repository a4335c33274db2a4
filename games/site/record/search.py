"""Runs by what is known of them: one set of filters for lists, exports and whoever selects runs."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any, TypeAlias

from django.db.models import Q, QuerySet
from pydantic import BaseModel, ConfigDict, Field

from games.site.audience import Viewer
from games.site.models import Run, RunStatus
from games.site.record.listing import measured, narrowed

Names: TypeAlias = Annotated[list[Annotated[str, Field(max_length=200)]] | None, Field(max_length=20)]
Percent: TypeAlias = Annotated[float | None, Field(ge=0, le=100)]
Usd: TypeAlias = Annotated[float | None, Field(ge=0, le=1e9)]


class RunFilter(BaseModel):
    """What runs are wanted; what is not given does not matter."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    game: str | None = Field(None, max_length=64)
    scenario: str | None = Field(None, max_length=120, description="Its name, without the game's.")
    condition: str | None = Field(None, max_length=120)
    experiment: str | None = Field(None, max_length=80, description="The experiment's name in addresses.")
    status: list[RunStatus] | None = Field(None, max_length=7, description="One or more.")
    parent: str | None = Field(None, max_length=16, description="Forks of this run.")
    since: Annotated[datetime | None, Field(description="Made at this time or later.")] = None
    until: Annotated[datetime | None, Field(description="Made before this time.")] = None
    model: Names = Field(None, description="Models of its seats.")
    agent: Names = Field(None, description="Models or policies of its seats.")
    fallback: Percent = Field(None, description="More than so many percent of the decisions; for operators.")
    not_own: Percent = Field(None, description="More than so many percent not their seats' own; for operators.")
    cost_min: Usd = Field(None, description="USD at least; for operators.")
    cost_max: Usd = Field(None, description="USD at most; for operators.")
    q: str | None = Field(None, max_length=120, description="Words in its id, game, scenario or condition.")

    def found(self, viewer: Viewer) -> QuerySet[Run]:
        """The runs, newest first; raises `BadRequest` for what the viewer may not ask for."""
        runs = narrowed(measured(Run.objects.select_related("scenario").order_by("-created", "-pk")), self, viewer)
        equal: dict[str, Any] = {
            "game": self.game,
            "scenario__name": self.scenario,
            "condition": self.condition,
            "experiment__slug": self.experiment,
            "status__in": self.status,
            "parent_id": self.parent,
            "created__gte": self.since,
            "created__lt": self.until,
        }
        runs = runs.filter(**{name: value for name, value in equal.items() if value is not None})
        for word in (self.q or "").split():
            named = Q(game__icontains=word) | Q(scenario__name__icontains=word) | Q(condition__icontains=word)
            runs = runs.filter(named | Q(pk__istartswith=word))
        return runs

    def named(self) -> str:
        """Equal for equal filters."""
        return self.model_dump_json(exclude_none=True)
