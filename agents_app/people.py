"""How people play: their clock, what is played for one who does not answer, the waiting room, and what they agree to.

One form for scenario files, the page and the JSON of a run. Source of the terms: oTree's participants and wait pages.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from games.core.answers import ConfigError
from games.core.settings import Settings
from games.errors import sentences
from games.errors.plaintext import unkeepable

Default: TypeAlias = Literal["default", "substitute"]
Shows: TypeAlias = Literal["move", "results", "all"]

LABEL_MAX = 40
"""Characters of a name or label."""
DEADLINE_S = 60.0
"""A turn lasts so long where the terms name no clock."""


def _texts(value: object) -> object:
    return {"en": value} if isinstance(value, str) else value


class PeopleSettings(Settings):
    """The terms under which people sit in a run. Durations are seconds; null: without end."""

    deadline_s: float | None = Field(
        None,
        ge=5,
        le=86_400,
        title="Time for a turn",
        description=f"Then the default is played. {DEADLINE_S:g} unless it ticks.",
        examples=[45],
    )
    tick_s: float | None = Field(
        None,
        ge=0.5,
        le=10,
        title="Tick",
        description="A long game's clock instead: each step lasts this long at most, and ends when all have acted.",
        examples=[2],
    )
    unhurried: bool = Field(False, title="No clock", description="Every turn waits until it is answered.")
    default: Default = Field(
        "default",
        title="Without an answer",
        description="default: the standing plan, or else the game's own default action; "
        "substitute: the seat's substitute decides.",
    )
    shows: Shows = Field(
        "results",
        title="Shown while one plays",
        description="move: what the last turn brought, as a model is told it; results: everybody's results and the log "
        "as well; all: also the sentences and curves that judge it, as spectators see them.",
    )
    stages: dict[str, Annotated[float, Field(ge=1, le=86_400)]] = Field(
        default_factory=dict,
        title="Time for a stage",
        description="Seconds of a turn in the named stages of a round, where they are not those of every turn.",
        examples=[{"talk": 90}],
    )
    blind: bool = Field(
        False,
        title="Who is a person is not told",
        description="Neither to players nor to spectators, nor can it be told by presence, silence or repairs.",
    )
    prompt_s: float | None = Field(
        None,
        ge=10,
        le=3600,
        title="Are you there?",
        description="So long without a sign at the page, and it asks.",
        examples=[60],
    )
    out_after: int | None = Field(
        None,
        ge=1,
        le=100,
        title="Out after",
        description="Turns missed in a row, then one is out for good.",
        examples=[3],
    )
    missed_limit: float | None = Field(
        None,
        ge=0,
        le=1,
        title="Missed at most",
        description="The run pauses where the first three turns of a seat, or a larger share of twenty, are missed. "
        "Null: half; any share where the match ticks, where one is out after missed turns, in a class and where "
        "visitors begin it.",
        examples=[1],
    )
    pause_away: bool = Field(
        False,
        title="Pause while all are away",
        description="The clock stands while nobody is there: ten minutes at most.",
    )
    grace_s: float = Field(
        60, ge=0, le=86_400, title="Grace", description="So long somebody may be gone before the substitute plays."
    )
    room_s: float | None = Field(
        600, ge=5, le=604_800, title="Waiting room", description="Then the match begins, substitutes in empty seats."
    )
    labels: tuple[Annotated[str, Field(min_length=1, max_length=LABEL_MAX)], ...] | None = Field(
        None,
        max_length=10_000,
        title="Labels",
        description="The only ones with which one may join; each once.",
        examples=[["ann", "bo"]],
    )
    listed: bool = Field(
        False, title="In the lobby", description="Its free seats stand in the lobby, for anybody to take."
    )
    label_required: bool = Field(False, title="Label needed", description="Nobody joins without a name or label.")
    consent: Annotated[dict[str, Annotated[str, Field(max_length=20_000)]], BeforeValidator(_texts)] | None = Field(
        None,
        title="Consent",
        description="What people agree to, by language; theirs, else English, is shown.",
        examples=[{"en": "Do you agree?", "zh": "你同意吗？"}],
    )
    completion_code: str | None = Field(
        None, max_length=200, title="Completion code", description="Shown at the end.", examples=["C1ABCD"]
    )
    completion_url: str | None = Field(
        None,
        max_length=500,
        pattern=r"^https?://",
        title="Completion address",
        description="Linked at the end.",
        examples=["https://app.prolific.com/submissions/complete?cc=C1ABCD"],
    )

    @model_validator(mode="before")
    @classmethod
    def _can_be_kept(cls, raw: Any) -> Any:
        if (found := unkeepable(raw)) is not None:
            raise ConfigError(sentences.said("unkeepable", sign=found[1]))
        return raw

    @model_validator(mode="after")
    def _one_clock(self) -> Self:
        named = [name for name in ("deadline_s", "tick_s") if getattr(self, name) is not None]
        named += ["unhurried"] if self.unhurried else []
        if len(named) > 1:
            raise ConfigError(sentences.said("two_clocks", one=named[0], other=named[1]))
        if self.stages and self.turn_s is None:
            raise ConfigError(sentences.said("two_clocks", one="unhurried", other="stages"))
        if self.labels is not None and len(set(self.labels)) < len(self.labels):
            twice = next(label for label in self.labels if self.labels.count(label) > 1)
            raise ConfigError(sentences.said("label_twice", label=repr(twice)))
        return self

    @property
    def turn_s(self) -> float | None:
        """Seconds that a turn lasts at the most; None where it waits for ever."""
        if self.unhurried:
            return None
        return self.tick_s or self.deadline_s or DEADLINE_S

    def stage_s(self, stage: str) -> float | None:
        """Seconds that a turn of a stage lasts at the most."""
        return self.turn_s if self.turn_s is None else self.stages.get(stage, self.turn_s)

    def missed_at_most(self, *, is_led: bool) -> float:
        """The share of a seat's turns that may be missed; 1: any. ``is_led``: somebody is there who can resume it."""
        if self.missed_limit is not None:
            return self.missed_limit
        return 0.5 if is_led and not self.is_ticking and self.out_after is None else 1.0

    @property
    def is_ticking(self) -> bool:
        return self.tick_s is not None
