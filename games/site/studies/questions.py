"""The questions of a page: what a file says of them, and how the fields that a page sends are read as values.

A question of several parts (boxes, rows, ranks, prices) sends a field a part, ``QUESTION.PART``; its value is one list
or mapping. In tables each part is a row of its own (`parts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
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
    required: bool = Field(True, description="Whether the page goes on without an answer.", examples=[False])
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


# --- reading ----------------------------------------------------------------------------------------

NEEDED: Final = "needed"
"""The fault of a question that was not answered."""
Fields: TypeAlias = Mapping[str, str]
"""What a page sent, by field."""


def answer_read(question: Question, name: str, sent: Fields) -> tuple[Any, Note | str | None]:
    """The value of an answer and what is wrong with it; (None, None) where none was given and none is needed."""
    if question.shape in IN_PARTS:
        given = {part: sent.get(f"{name}.{part}", "").strip() for part in question.parts}
        if not any(given.values()):
            # No box at all is an answer where the file says that it may be none.
            return ([], None) if question.shape == "several" and question.minimum == 0 else (None, _needed(question))
        return _READ[question.shape](question, given)
    is_set = question.shape != "slider" or sent.get(f"{name}{MOVED}") == "yes"
    raw = sent.get(name, "").strip() if is_set else ""
    if not raw:
        return None, _needed(question)
    try:
        value = _value(question, raw)
    except ValueError:
        return None, Note(KINDS[question.type], {"value": raw[:40]})
    return value, question.fault(value)


def _needed(question: Question) -> str | None:
    return NEEDED if question.required else None


def _value(question: Question, raw: str) -> Value | bool:
    if question.choices is not None:
        return next((one for one in question.values if str(one) == raw), raw)
    match question.type:
        case "integer":
            return int(raw)
        case "number":
            return _number(raw)
        case "boolean":
            return {"yes": True, "no": False}[raw] if raw in ("yes", "no") else _no(raw)
        case _:
            return raw[:TEXT_MAX]


def _number(raw: str) -> float:
    number = float(raw)
    return number if abs(number) < float("inf") else _no(raw)


def _no(raw: str) -> Any:
    raise ValueError(raw)


def _several(question: Question, given: Fields) -> tuple[Any, Note | None]:
    value = [value_of(choice) for part, choice in question.parts.items() if given[part]]
    return value, question._bounds(len(value))


def _matrix(question: Question, given: Fields) -> tuple[Any, Note | str | None]:
    known = {str(one): one for one in question.scale}
    if odd := [raw for raw in given.values() if raw and raw not in known]:
        return None, Note("one_of", {"value": shown(odd[0]), "options": list(known)})
    value = {part: known[raw] for part, raw in given.items() if raw}
    return value, _needed(question) if len(value) < len(given) else None


def _ranking(question: Question, given: Fields) -> tuple[Any, Note | str | None]:
    ranks = {part: raw for part, raw in given.items() if raw}
    if len(ranks) < len(given):
        return None, NEEDED
    if sorted(ranks.values()) != sorted(question.parts):
        return None, Note("study_ranks", {"n": len(ranks)})
    return [value_of(question.parts[part]) for part in sorted(ranks, key=lambda part: int(ranks[part]))], None


def _allocation(question: Question, given: Fields) -> tuple[Any, Note | None]:
    value: dict[str, Any] = {}
    for part, raw in given.items():
        try:
            value[part] = (_number if question.type == "number" else int)(raw or "0")
        except ValueError:
            return None, Note("number" if question.type == "number" else "whole_number", {"value": raw[:40]})
        if value[part] < 0:
            return None, Note("at_least", {"value": value[part], "bound": question.minimum or 0})
        if note := question._bounds(value[part]):
            return None, note
    if abs(sum(value.values()) - (question.total or 0)) > 1e-9:
        return None, Note("study_sum", {"sum": f"{sum(value.values()):g}", "total": f"{question.total:g}"})
    return value, None


def _prices(question: Question, given: Fields) -> tuple[Any, Note | str | None]:
    if odd := [raw for raw in given.values() if raw and raw not in SIDES]:
        return None, Note("one_of", {"value": shown(odd[0]), "options": list(SIDES)})
    value = list(given.values())
    if not all(value):
        return None, NEEDED
    return value, Note("study_once", {}) if question.once and value != sorted(value) else None


_READ: Final[Mapping[str, Callable[[Question, Fields], tuple[Any, Note | str | None]]]] = {
    "several": _several, "matrix": _matrix, "ranking": _ranking, "allocation": _allocation, "prices": _prices,
}  # fmt: skip


def fields_of(question: Question, name: str, value: Any) -> dict[str, str]:
    """An answer as a form holds it: what `answer_read` would read as that answer."""
    match question.shape:
        case "several":
            chosen = {part: value_of(choice) for part, choice in question.parts.items()}
            return {f"{name}.{part}": "yes" for part, one in chosen.items() if one in value}
        case "ranking":
            ranks = {one: str(rank) for rank, one in enumerate(value, 1)}
            return {f"{name}.{part}": ranks[value_of(choice)] for part, choice in question.parts.items()}
        case "matrix" | "allocation":
            return {f"{name}.{part}": str(one) for part, one in value.items()}
        case "prices":
            return {f"{name}.{part}": one for part, one in zip(question.parts, value, strict=True)}
        case _:
            plain = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
            return {name: plain, f"{name}{MOVED}": "yes"}


def rows_of(question: Question, value: Any) -> list[tuple[str, Any]]:
    """An answer as rows of a table: (part, value), the part "" where it has none. Of boxes each is true or false, of a
    ranking each choice has its rank.
    """
    match question.shape:
        case "several":
            return [(str(one), one in value) for one in question.values]
        case "ranking":
            return [(str(one), rank) for rank, one in enumerate(value, 1)]
        case "matrix" | "allocation":
            return list(value.items())
        case "prices":
            return list(zip(question.parts, value, strict=True))
        case _:
            return [("", value)]


def part_texts(question: Question, lang: str) -> Sequence[tuple[str, str]]:
    """The parts of a question as tables name them, and what each says."""
    if question.shape in ("several", "ranking"):
        return [(str(value_of(one)), text_of(one, lang)) for one in question.choices or ()]
    if question.shape == "prices":
        return [(n, " / ".join(offer_text(side, lang) for side in (one.a, one.b))) for n, one in question.parts.items()]
    return [(part, str(texts.get(lang) or next(iter(texts.values())))) for part, texts in question.parts.items()]


def offer_text(offer: Offer, lang: str) -> str:
    """A side of a price as it is read: an amount, words, or a lottery with its chances in percent."""
    if isinstance(offer, tuple):
        chance, so, otherwise = offer
        first, second = f"{100 * chance:.4g}%", f"{100 * (1 - chance):.4g}%"
        joint = "，" if lang == "zh" else ", "
        if chance in (0, 1):
            return f"100%: {so if chance else otherwise:g}"
        return f"{first}: {so:g}{joint}{second}: {otherwise:g}"
    return f"{offer:g}" if isinstance(offer, float | int) else text_of(offer, lang)
