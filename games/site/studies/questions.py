"""The questions of a page: what a file says of them, and which values it lets through."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, Self, TypeAlias

from pydantic import BeforeValidator, Field, model_validator

from games.core.answers import SAID, ConfigError, Note
from games.core.prompts import LANGUAGES
from games.core.settings import Settings
from games.errors.faults import shown
from games.errors.sentences import fault, said
from games.site.studies.conditions import When


def _texts(value: object) -> object:
    return {"en": value} if isinstance(value, str) else value


Texts: TypeAlias = Annotated[dict[str, Annotated[str, Field(max_length=20_000)]], BeforeValidator(_texts)]
"""By language; English where another is missing."""

Value: TypeAlias = str | int | float
Worded: TypeAlias = Annotated[dict[str, Annotated[str, Field(min_length=1, max_length=500)]], Field(min_length=1)]
As: TypeAlias = Literal[
    "text", "area", "radio", "select", "likert", "slider", "several", "matrix", "ranking", "allocation", "prices"
]
Offer: TypeAlias = float | Worded | str | tuple[float, float, float]
"""One side of a price: an amount, words, or a lottery as ``[chance, if so, if not]``."""

TEXT_MAX: Final = 5_000
"""Characters of an answer in words."""
MOVED: Final = ".moved"
"""After the name of a slider: yes where somebody has put it there; a slider stands somewhere before anybody has."""
IN_PARTS: Final = ("several", "matrix", "ranking", "allocation", "prices")
SIDES: Final = ("a", "b")
NEEDS: Final[Mapping[str, tuple[str, ...]]] = {
    "likert": ("minimum", "maximum"), "slider": ("minimum", "maximum"), "radio": ("choices",), "select": ("choices",),
    "several": ("choices",), "ranking": ("choices",), "matrix": ("rows",), "allocation": ("rows", "total"),
    "prices": ("prices",),
}  # fmt: skip
"""The keys without which a question cannot be shown so."""
OWN: Final = {"rows": ("matrix", "allocation"), "total": ("allocation",), "prices": ("prices",), "once": ("prices",)}
"""The keys that only these have."""
KINDS: Final = {"integer": "whole_number", "number": "number", "boolean": "true_or_false", "string": "text"}


def value_of(choice: Value | dict[str, str]) -> Value:
    """What is stored of a choice: itself, and of one in several languages its English, or the first that it has."""
    return (choice.get("en") or next(iter(choice.values()))) if isinstance(choice, dict) else choice


def text_of(choice: Value | dict[str, str], lang: str) -> str:
    """A choice as it is read."""
    return str((choice.get(lang) or value_of(choice)) if isinstance(choice, dict) else choice)


class Price(Settings):
    """A row of a price list."""

    a: Offer = Field(description="The first option: an amount, words, or [chance, if so, if not].", examples=[2])
    b: Offer = Field(description="The second option.", examples=[[0.1, 3.85, 0.1]])

    @model_validator(mode="after")
    def _chances(self) -> Self:
        for side in (self.a, self.b):
            if isinstance(side, tuple) and not 0 <= side[0] <= 1:
                raise ConfigError(said("study_chance", value=side[0]))
        return self


class Question(Settings):
    """One question of a page. With ``answer`` it is checked, and a wrong one counts as a try."""

    title: Texts = Field(
        description="What is asked, by language; a line of Markdown.",
        examples=[{"en": "Do you trust others?", "zh": "你信任别人吗？"}],
    )
    type: Literal["string", "integer", "number", "boolean"] = Field(
        "string", description="Kind of the answer.", examples=["integer"]
    )
    choices: tuple[Value | Worded, ...] | None = Field(
        None,
        min_length=2,
        max_length=50,
        description="Of one in several languages the English is stored.",
        examples=[["Never", "Often"]],
    )
    minimum: float | None = Field(
        None, description="The least that may be answered; with as: several, how many boxes at least.", examples=[1]
    )
    maximum: float | None = Field(
        None, description="The most that may be answered; with as: several, how many boxes at most.", examples=[7]
    )
    low: Texts | None = Field(None, description="What the minimum of a scale means.", examples=[{"en": "not at all"}])
    high: Texts | None = Field(None, description="What the maximum of a scale means.", examples=[{"en": "fully"}])
    rows: dict[str, Texts] | None = Field(
        None,
        min_length=1,
        max_length=40,
        description="Of a matrix, each with the same scale or choices, or of an allocation: its parts, by name.",
        examples=[{"law": {"en": "The law"}, "press": {"en": "The press"}}],
    )
    total: float | None = Field(None, gt=0, description="What an allocation must add up to.", examples=[100])
    prices: tuple[Price, ...] | None = Field(
        None,
        min_length=2,
        max_length=40,
        description="Rows of a price list: in each, a or b is chosen.",
        examples=[[{"a": [0.1, 2, 1.6], "b": [0.1, 3.85, 0.1]}, {"a": [0.9, 2, 1.6], "b": [0.9, 3.85, 0.1]}]],
    )
    once: bool = Field(
        False, description="A price list in which one may go over from a to b once, and not back.", examples=[True]
    )
    required: bool = Field(True, description="Nobody goes on without answering it.", examples=[False])
    answer: str | int | float | bool | tuple[Value, ...] | None = Field(
        None, description="The right answer, where there is one; a wrong one counts as a try.", examples=[3]
    )
    attention: bool = Field(
        False,
        description="A check of attention: a wrong answer is neither told nor a try, but counted (see attention).",
        examples=[True],
    )
    why: Texts | None = Field(
        None,
        description="Why the answer is right, shown with it and after a wrong one.",
        examples=[{"en": "Both get 3 points."}],
    )
    picture: str | None = Field(
        None, max_length=40, description="The act of the match whose picture stands beside why.", examples=["cooperate"]
    )
    shown_as: As | None = Field(
        None, alias="as", description="How it is shown. A slider counts once it was set.", examples=["likert"]
    )
    shuffle: bool = Field(
        False, description="Choices or rows in an order that is drawn for each member.", examples=[True]
    )
    block: str | None = Field(
        None, max_length=40, description="Questions of a block stay together (see shuffle).", examples=["trust"]
    )
    when: When | None = Field(
        None,
        alias="if",
        description="It is asked where all of this holds of earlier answers (STEP.QUESTION, or QUESTION of this page) "
        "and results (PLAY.points): a value, a list of values, at_least, at_most or not.",
        examples=[{"trust": {"at_least": 4}}],
    )

    @property
    def values(self) -> tuple[Value, ...]:
        """What is stored of each choice."""
        return tuple(map(value_of, self.choices or ()))

    @property
    def shape(self) -> str:
        """How it is drawn and read: what ``as`` says, else what follows from choices and type."""
        if self.shown_as not in (None, "text"):
            return str(self.shown_as)
        if self.choices is not None:
            return "radio"
        return {"integer": "number", "number": "decimal", "boolean": "yesno"}.get(self.type, "text")

    @property
    def parts(self) -> dict[str, Any]:
        """The parts of a question that has several, by the name of their field: their texts, offers or choices."""
        match self.shape:
            case "several" | "ranking":
                return {str(n): choice for n, choice in enumerate(self.choices or (), 1)}
            case "matrix" | "allocation":
                return dict(self.rows or {})
            case "prices":
                return {str(n): price for n, price in enumerate(self.prices or (), 1)}
            case _:
                return {}

    @property
    def scale(self) -> tuple[Value, ...]:
        """What a scale, or a row of a matrix, may be answered with."""
        if self.choices is not None or self.minimum is None or self.maximum is None:
            return self.values
        return tuple(range(int(self.minimum), int(self.maximum) + 1))

    @model_validator(mode="after")
    def _tells_choices_apart(self) -> Self:
        values = self.values
        worded = [value_of(one) for one in self.choices or () if isinstance(one, dict)]
        if twice := [one for one in worded if values.count(one) > 1]:
            raise ConfigError(said("study_choice_twice", value=shown(twice[0])))
        return self

    @model_validator(mode="after")
    def _can_be_shown(self) -> Self:
        needed = NEEDS.get(self.shape, ())
        if missing := [name for name in needed if getattr(self, name) is None]:
            note = "study_needs_bounds" if missing[0] in ("minimum", "maximum") else "study_needs_key"
            raise ConfigError(said(note, shown_as=self.shape, key=missing[0]))
        for name, shapes in OWN.items():
            if name in self.model_fields_set and self.shape not in shapes:
                raise ConfigError(said("study_key_unused", key=name, shown_as=" | ".join(shapes)))
        if self.shape == "matrix" and len(self.scale) < 2:
            raise ConfigError(said("study_matrix"))
        if self.minimum is not None and self.maximum is not None and self.minimum > self.maximum:
            raise ConfigError(said("study_bounds", least=self.minimum, most=self.maximum))
        if self.attention and self.answer is None:
            raise ConfigError(said("study_attention"))
        return self

    @model_validator(mode="after")
    def _can_be_answered(self) -> Self:
        if self.answer is None:
            return self
        kinds = {"string": str, "integer": int, "number": (int, float), "boolean": bool}[self.type]
        is_kind = isinstance(self.answer, kinds) and isinstance(self.answer, bool) == (self.type == "boolean")  # type: ignore[arg-type]
        if self.shape == "several":
            is_kind = isinstance(self.answer, tuple)
        elif self.shape in IN_PARTS or isinstance(self.answer, tuple):
            raise ConfigError(said("study_answer_parts", shown_as=self.shape))
        if (self.choices is None or self.shape == "several") and not is_kind:
            kind = "list" if self.shape == "several" else self.type
            raise ConfigError(said("study_answer_kind", value=shown(self.answer), type=kind))
        given = self.answer if isinstance(self.answer, tuple) else (self.answer,)
        for one in given:
            if note := self.fault(one):
                raise ConfigError(Note(SAID, {lang: f"answer: {fault(note, lang)}" for lang in LANGUAGES}))
        return self

    def fault(self, given: Any) -> Note | None:
        """What is wrong with an answer of the right kind."""
        if self.choices is not None and given not in self.values:
            return Note("one_of", {"value": shown(given), "options": list(map(str, self.values))})
        is_number = isinstance(given, int | float) and not isinstance(given, bool)
        if is_number and self.shape not in IN_PARTS:
            return self._bounds(given)
        return None

    def _bounds(self, given: float) -> Note | None:
        if self.minimum is not None and given < self.minimum:
            return Note("at_least", {"value": given, "bound": self.minimum})
        if self.maximum is not None and given > self.maximum:
            return Note("at_most", {"value": given, "bound": self.maximum})
        return None

    def is_right(self, value: Any) -> bool | None:
        """Whether an answer is the file's; None where it has none."""
        if self.answer is None:
            return None
        if self.shape == "several":
            return isinstance(value, list | tuple) and set(value) == set(self.answer)  # type: ignore[arg-type]
        return bool(value == self.answer)
