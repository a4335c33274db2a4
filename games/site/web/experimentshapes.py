"""What the rooms for experiments take and give, as shapes of the API."""

from __future__ import annotations

from typing import Any, Literal

from ninja import Field, Schema
from pydantic import Base64Bytes, ConfigDict

from games.site.experiments.declaring import AT_ONCE_MAX
from games.site.experiments.running import Which
from games.site.web.calls import SpentOut
from games.site.web.designs import PowerPoint


class ExperimentOut(Schema):
    slug: str
    title: dict[str, str]
    game: str
    status: Literal["draft", "running", "paused", "finished", "cancelled", "stopped"]
    reason: dict[str, Any] = Field(description="Why it stands still, where nobody asked for it: `why` and its values.")
    queue: Literal["live", "bulk"]
    pace: float
    limits: dict[str, Any]
    stop: dict[str, Any]
    at_once: int | None = Field(description="Runs that go at once; null: as many as workers and models have room for.")
    audience: dict[str, Any] = Field(description="Who sees its figures, and what its runs begin with.")
    figures: bool = Field(description="Whether the asker sees its settings, measures and results.")
    parent: str | None = Field(description="The experiment of which it is a clone.")
    created: str
    frozen_at: str | None = Field(description="Since when its document stands; null: a draft.")
    ended: str | None
    conditions: list[str]
    runs: int = Field(description="Cells: conditions times seeds; 0 before the start.")
    done: int
    failed: int
    left_s: float | None = Field(description="Seconds left at the pace so far; null before the third run is over.")
    spent: dict[str, float] | None = Field(
        description="usd, tokens, calls of all its runs; null for who may not read what its models were asked."
    )


class CellOut(Schema):
    condition: str
    replicate: int
    seed: int | str | None
    run: str | None
    status: str = Field(description="`waiting`, or its run's.")
    head: int
    metrics: dict[str, Any] | None
    error: str | None
    not_own: float | None = Field(
        description="Share of decisions that were not their seats' own, once it is over or stopped."
    )
    unsound: bool | None = Field(description="Whether that is too much for the plan, which then leaves it out.")


class BillOut(SpentOut):
    """What one model was asked and cost in all runs of an experiment."""

    model: str


class ProvenanceOut(Schema):
    """What a reader must know before the answer."""

    registered: Literal["before", "after", "not", "elsewhere"] = Field(
        description="When it was declared by this site's register: before the first run, after some ended, not here."
    )
    entry: int | None = Field(description="Its number in the register.")
    at: str | None
    planned: int
    played: int
    seen: int = Field(description="Planned runs whose settings and seed had been played before.")
    family: list[str] = Field(description="Other experiments of which it is a clone, or that are clones of it.")
    exploratory: bool = Field(description="Whether the declaration may have been written with the answer in sight.")
    marked: bool = Field(description="Whether its sentences hold what makes an answer weaker.")
    sentences: dict[str, list[str]] = Field(description="All of it in words, by language, in the order of reading.")


class ExperimentDetailOut(ExperimentOut):
    document: dict[str, Any]
    declared: dict[str, Any]
    cells: list[CellOut]
    provenance: ProvenanceOut | None = Field(
        description="How its answer comes about; null for drafts and who sees none."
    )
    bill: list[BillOut] | None = Field(
        description="By model, the dearest first; null for who may not read what its models were asked."
    )


class ExperimentIn(Schema):
    slug: str = Field(description="Its name in addresses.", max_length=200)
    document: dict[str, Any] = Field(description="What an experiment's file holds.")
    pace: float = 0
    limits: dict[str, Any] | None = None
    stop: dict[str, Any] | None = Field(None, description='{"fallbacks": share, "after": decisions}')
    audience: dict[str, Any] | None = Field(None, description="Null: open, or public alone where people play.")
    at_once: int | None = Field(
        None, ge=1, le=AT_ONCE_MAX, description="Runs that go at once; null: as many as there is room for."
    )
    freeze: bool = Field(False, description="Enter it into the register now; what is played stands from then on.")
    start: bool = False

    model_config = ConfigDict(extra="forbid")


class ExperimentPatch(Schema):
    document: dict[str, Any] | None = None
    pace: float | None = None
    limits: dict[str, Any] | None = None
    stop: dict[str, Any] | None = None
    audience: dict[str, Any] | None = None
    at_once: int | None = Field(
        None, ge=0, le=AT_ONCE_MAX, description="0: as many as there is room for; null: as it is."
    )

    model_config = ConfigDict(extra="forbid")


class CloneIn(Schema):
    slug: str = Field(max_length=200)
    fresh_seeds: bool = Field(True, description="Seeds that none of its relatives has; false: the very same.")

    model_config = ConfigDict(extra="forbid")


class ImportIn(Schema):
    slug: str = Field(description="Its name in addresses.", max_length=200)
    archive: Base64Bytes = Field(description="A run folder as a zip file, in base64.")

    model_config = ConfigDict(extra="forbid")


class RerunIn(Schema):
    which: Which = Field(
        "failed",
        description="failed: failed or stopped runs. unsound: of runs that are over or paused by a bound, those of "
        "whose decisions too many were not their seats' own.",
    )

    model_config = ConfigDict(extra="forbid")


class RerunOut(Schema):
    runs: int = Field(description="How many cells are played once more.")


class PowerOut(Schema):
    """What so many seeds would show of one comparison."""

    hypothesis: str
    metric: str
    weights: dict[str, float]
    direction: Literal["lower", "higher", "differs", "equivalent"]
    n: list[int] = Field(description="Pairs of the pilot, or values by group.")
    spread: float | None = Field(description="Standard deviation in the pilot: of the differences, or within a group.")
    smallest: float | None = Field(description="The difference found in 80 of 100 such experiments, uncorrected.")
    curve: list[PowerPoint] = Field(
        description="How often that difference is shown by a quarter to twice as many seeds; empty where there is none."
    )


class ConditionOut(Schema):
    name: str
    title: dict[str, str]
    config: dict[str, Any]
    seats: list[dict[str, Any]]


class PublicationOut(Schema):
    """What whoever publishes must know before."""

    private: list[str] = Field(description="What is taken out, and what looks private in texts and stays; a line each.")
