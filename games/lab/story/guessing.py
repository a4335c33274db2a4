"""What a spectator may guess of a seat's next decision: one of a few kinds of it that everybody sees afterwards.

A game with a ``story.yaml`` says there where in an action each kind stands (``guess``), the one that counts most first.
Of a declared game it is a choice among few, or whether an amount is more or less than the time before.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from games.core.game import Seat
from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.lab.story.rules import DONE, rules_of
from games.lab.story.wording import common

REST: Final = "rest"
COMPARED: Final = ("more", "same", "less")
Labels: TypeAlias = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Question:
    """One thing that seats decide, and what it may come to.

    ``noun``     what is decided, by language; "" where it is the whole move
    ``options``  by key, in order, with their words by language
    ``where``    by key the place in an action: it is chosen if that holds the key, or anything that is no word
    ``compared`` the field whose amount is held against the time before; "" where it is a choice
    """

    noun: Labels
    options: Mapping[str, Labels]
    where: Mapping[str, str]
    compared: str = ""

    @property
    def fields(self) -> set[str]:
        return {self.compared} if self.compared else {path.partition(".")[0] for path in self.where.values() if path}

    def decided(self, record: Mapping[str, Any], seat: Seat) -> Any:
        """What the seat decided of it in a step, as it came out: an option's key or an amount; None: nothing."""
        action: Mapping[str, Any] = next((one for actor, one in record["actions"] if actor == seat), {})
        fields = self.fields
        if not fields & action.keys():
            return None
        if len(fields) == 1:
            action = {**action, **_came_out(record["events"], seat, *fields)}
        if self.compared:
            return action[self.compared]
        return next((key for key, path in self.where.items() if not path or _holds(action, path, key)), None)

    def option(self, decided: Any, before: Any) -> str:
        """The option that a decision is, after the one before it."""
        if not self.compared:
            return str(decided)
        return COMPARED[0] if decided > before else COMPARED[2] if decided < before else COMPARED[1]


def questions(pack: Pack, config: Any) -> list[Question]:
    """What may be guessed in a run of these settings; [] nothing."""
    books = {lang: pack.words.book(lang) or pack.words.book("en") for lang in LANGUAGES}
    rule = rules_of(pack).guess
    if pack.files.story() is None:
        return list(_declared(books))
    if not rule or any(getattr(config, name) != value for name, value in rule.get("if", {}).items()):
        return []
    words = {lang: {**books[lang]["actions"], REST: common(REST)[lang]} for lang in LANGUAGES}
    options = {key: {lang: str(words[lang][key]) for lang in LANGUAGES} for key in rule["of"]}
    return [Question(dict.fromkeys(LANGUAGES, ""), options, rule["of"])]


def question_of(asked: Sequence[Question], record: Mapping[str, Any] | None, seat: Seat) -> Question | None:
    """What is asked of a seat: what it decided the last time, in that step's record; before its first decision the only
    question that there is, unless that compares.
    """
    if record is not None:
        return next((one for one in asked if one.decided(record, seat) is not None), None)
    return asked[0] if len(asked) == 1 and not asked[0].compared else None


def _declared(books: Mapping[str, Any]) -> Iterator[Question]:
    for n, part in enumerate(books["en"].get("face", ())):
        own = {lang: book["face"][n] for lang, book in books.items()}
        key, noun = part["key"], {lang: str(one["label"]) for lang, one in own.items()}
        if part["kind"] == "pick":
            labels = {one: {lang: str(said["choices"][one]) for lang, said in own.items()} for one in part["choices"]}
            yield Question(noun, labels, dict.fromkeys(labels, key))
        elif part["kind"] == "bars" and "stage" in part:
            yield Question(noun, {one: common(one) for one in COMPARED}, {}, key)


def _came_out(events: Sequence[Mapping[str, Any]], seat: Seat, field: str) -> dict[str, Any]:
    """The field as it came out, where a hand slipped or the stage's news say it."""
    found = {}
    for event in events:
        data = event["data"]
        if data.get("by") == seat and event["kind"].endswith(DONE) and field in data:
            found[field] = data[field]
        elif data.get("by") == seat and "did" in data:
            found[field] = data["did"]
    return found


def _holds(action: Mapping[str, Any], path: str, key: str) -> bool:
    held: list[Any] = [action]
    for name in path.split("."):
        inner = [one.get(name) for one in held]
        held = [value for one in inner for value in (one if isinstance(one, list) else [one])]
    return any(value == key or (bool(value) and not isinstance(value, str)) for value in held)
