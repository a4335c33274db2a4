"""Answers as values: read from the fields that a page sends, held in a form again, laid out as rows of tables.

A question of several parts (boxes, rows, ranks, prices) sends a field a part, ``QUESTION.PART``; its value is one list
or mapping. In tables each part is a row of its own (`part_texts`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from games.core.answers import Note
from games.errors.faults import shown
from games.site.studies.questions import (
    IN_PARTS,
    KINDS,
    MOVED,
    SIDES,
    TEXT_MAX,
    Offer,
    Question,
    Value,
    text_of,
    value_of,
)

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
