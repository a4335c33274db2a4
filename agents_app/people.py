"""How people play: their clock, what is played for one who does not answer, the waiting room, and what they agree to.

One form for scenario files, the page and the JSON of a run. Source of the terms: oTree's participants and wait pages.
"""

from __future__ import annotations

from typing import Annotated, Literal, Self, TypeAlias

from pydantic import BaseModel, BeforeValidator, Field, model_validator

from games import refusing
from games.core.answers import Unfit

Default: TypeAlias = Literal["default", "substitute"]

LABEL_MAX = 40
"""Characters of a name or label."""
DEADLINE_S = 60.0
"""A turn lasts so long where the terms name no clock."""


def _texts(value: object) -> object:
    return {"en": value} if isinstance(value, str) else value


class PeopleSettings(BaseModel, frozen=True, extra="forbid"):
    """The terms under which people sit in a run. Durations are seconds; null: without end."""

    deadline_s: float | None = Field(
        None,
        ge=5,
        le=86_400,
        title="Time for a turn",
        description=f"Then the default is played. {DEADLINE_S:g} unless it ticks.",
    )
    tick_s: float | None = Field(
        None,
        ge=0.5,
        le=10,
        title="Tick",
        description="A long game's clock instead: each step lasts this long at most, and ends when all have acted.",
    )
    unhurried: bool = Field(False, title="No clock", description="Every turn waits until it is answered.")
    default: Default = Field(
        "default",
        title="Without an answer",
        description="default: the standing plan, or else the game's own default action; "
        "substitute: the seat's substitute decides.",
    )
    grace_s: float = Field(
        60, ge=0, le=86_400, title="Grace", description="So long somebody may be gone before the substitute plays."
    )
    room_s: float | None = Field(
        600, ge=5, le=604_800, title="Waiting room", description="Then the match begins, substitutes in empty seats."
    )
    labels: tuple[Annotated[str, Field(min_length=1, max_length=LABEL_MAX)], ...] | None = Field(
        None, max_length=10_000, title="Labels", description="The only ones with which one may join; each once."
    )
    label_required: bool = Field(False, title="Label needed", description="Nobody joins without a name or label.")
    consent: Annotated[dict[str, Annotated[str, Field(max_length=20_000)]], BeforeValidator(_texts)] | None = Field(
        None, title="Consent", description="What people agree to, by language; theirs, else English, is shown."
    )
    completion_code: str | None = Field(None, max_length=200, title="Completion code", description="Shown at the end.")
    completion_url: str | None = Field(
        None, max_length=500, pattern=r"^https?://", title="Completion address", description="Linked at the end."
    )

    @model_validator(mode="after")
    def _one_clock(self) -> Self:
        named = [name for name in ("deadline_s", "tick_s") if getattr(self, name) is not None]
        named += ["unhurried"] if self.unhurried else []
        if len(named) > 1:
            raise Unfit(refusing.said("two_clocks", one=named[0], other=named[1]))
        if self.labels is not None and len(set(self.labels)) < len(self.labels):
            twice = next(label for label in self.labels if self.labels.count(label) > 1)
            raise Unfit(refusing.said("label_twice", label=repr(twice)))
        return self

    @property
    def turn_s(self) -> float | None:
        """Seconds that a turn lasts at the most; None where it waits for ever."""
        if self.unhurried:
            return None
        return self.tick_s or self.deadline_s or DEADLINE_S

    @property
    def is_ticking(self) -> bool:
        return self.tick_s is not None
