"""Questions beside the play: beliefs about others, confidence and reasons as data, by configuration.

They are asked in calls of their own. What is answered is kept with the call; it enters neither the memory nor any later
prompt, and nothing that is played depends on it.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, Field, model_validator

from games.core.answers import JSON, ConfigError, Note
from games.core.rng import Rng
from games.errors import sentences

When: TypeAlias = Literal["before", "after", "end"]
WHENS: Final = get_args(When)
Kind: TypeAlias = Literal["number", "choice", "text"]
OF_KIND: Final[Mapping[Kind, frozenset[str]]] = {
    "number": frozenset({"least", "most"}),
    "choice": frozenset({"choices"}),
    "text": frozenset({"longest"}),
}
"""The settings that a kind of answer has, and no other has."""
LONGEST: Final = 1000
ASKED_AT_MOST: Final = 20


class Aside(BaseModel, frozen=True, extra="forbid"):
    """One question. A seat is asked all that are due at a moment in one call."""

    name: str = Field(
        pattern=r"^[a-z][a-z0-9_]*$", max_length=40, title="Name", description="What the answer is called in the data."
    )
    ask: str = Field(min_length=1, max_length=2000, title="Question", description="As the model reads it.")
    when: When = Field(
        "before",
        title="When",
        description="before: before each move. after: when it has moved, and nothing has come of it yet. "
        "end: when the match is over.",
    )
    answer: Kind = Field(title="Answer", description="A number, one of the choices, or a text.")
    least: float | None = Field(None, allow_inf_nan=False, title="Least", description="Of a number.")
    most: float | None = Field(None, allow_inf_nan=False, title="Most", description="Of a number.")
    choices: tuple[Annotated[str, Field(min_length=1, max_length=100)], ...] = Field(
        (), max_length=50, title="Choices", description="Two at least."
    )
    longest: int | None = Field(
        None, ge=1, le=10_000, title="Longest", description=f"Characters of a text; then cut. None: {LONGEST}."
    )
    every: int = Field(
        1, ge=1, le=100_000, title="Every", description="Asked at steps 1, 1 + every, 1 + 2 every, and so on."
    )

    @model_validator(mode="after")
    def _fits_together(self) -> Aside:
        given = {name for name in ("least", "most", "choices", "longest") if getattr(self, name) not in (None, ())}
        if odd := sorted(given - OF_KIND[self.answer]):
            raise ConfigError(sentences.said("aside_setting", name=self.name, setting=odd[0], answer=self.answer))
        if self.answer == "number" and (self.least is None or self.most is None or self.least >= self.most):
            raise ConfigError(
                sentences.said("aside_bounds", name=self.name, least=str(self.least), most=str(self.most))
            )
        if self.answer == "choice" and len({one.strip().casefold() for one in self.choices}) < max(
            2, len(self.choices)
        ):
            raise ConfigError(sentences.said("aside_choices", name=self.name, choices=list(self.choices)))
        if self.when == "end" and self.every != 1:
            raise ConfigError(sentences.said("aside_once", name=self.name, every=self.every))
        return self

    @property
    def schema_(self) -> Mapping[str, JSON]:
        match self.answer:
            case "number":
                return {"type": "number", "minimum": self.least, "maximum": self.most}
            case "choice":
                return {"type": "string", "enum": list(self.choices)}
            case "text":
                return {"type": "string"}

    @property
    def form(self) -> Note:
        """What is wanted, as a note of the shell's own sentences."""
        match self.answer:
            case "number":
                return Note("aside_number", {"least": f"{self.least:g}", "most": f"{self.most:g}"})
            case "choice":
                return Note("aside_choice", {"choices": list(self.choices)})
            case "text":
                return Note("aside_text", {"longest": self.longest or LONGEST})

    def read(self, raw: Any) -> float | str | None:
        """An answer from untrusted JSON; None where it is none."""
        match self.answer:
            case "number" if isinstance(raw, int | float) and not isinstance(raw, bool):
                assert self.least is not None
                assert self.most is not None
                if math.isfinite(raw) and self.least <= raw <= self.most:
                    return raw
            case "choice" if isinstance(raw, str):
                found = [one for one in self.choices if one.strip().casefold() == raw.strip().casefold()]
                if found:
                    return found[0]
            case "text" if isinstance(raw, str) and raw.strip():
                return raw.strip()[: self.longest or LONGEST].rstrip()
        return None

    def drawn(self, rng: Rng) -> float | str:
        """Any sound answer, for mocks."""
        match self.answer:
            case "number":
                assert self.least is not None
                assert self.most is not None
                return round(self.least + (self.most - self.least) * rng.unit("aside"), 3)
            case "choice":
                return self.choices[min(int(rng.unit("aside") * len(self.choices)), len(self.choices) - 1)]
            case "text":
                return "As usual."[: self.longest or LONGEST]


def due(asides: Sequence[Aside], when: When, step: int) -> tuple[Aside, ...]:
    """Those that are asked at a moment of a step."""
    return tuple(one for one in asides if one.when == when and (when == "end" or (step - 1) % one.every == 0))


def schema_of(asked: Sequence[Aside]) -> Mapping[str, JSON]:
    """The JSON Schema of the answers to some questions."""
    names = [one.name for one in asked]
    properties = {one.name: one.schema_ for one in asked}
    return {"type": "object", "properties": properties, "required": names, "additionalProperties": False}


def written(answers: Mapping[str, JSON]) -> str:
    """Answers as a call keeps them."""
    return json.dumps(answers, ensure_ascii=False)
