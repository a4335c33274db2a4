"""A reply's text to an answer, or the reason why not. Nothing here guesses what was meant.

Four formats: JSON alone (structured output), JSON somewhere in a text, a single token, a labelled plan. What stands
around the answer is commentary: kept and shown, never executed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, TypeAlias

from agents_app.tidying import Tidied, without_fence, without_thinking, word_of
from games.core.answers import JSON, SENTENCE, ActionSpec, BadAction, Note
from games.core.values import swift

Unusable: TypeAlias = Literal["unparseable", "illegal", "truncated", "declined"]
Format: TypeAlias = Literal["structured", "json", "token", "plan"]
COMMENTARY: Final = "commentary"
SCRATCHPAD: Final = "scratchpad"
EXTRAS: Final = (COMMENTARY, SCRATCHPAD)
READ_AT_MOST: Final = 200_000
"""Characters of a reply that are looked at."""
STARTS_AT_MOST: Final = 400
"""Opening brackets that are tried: a reply of brackets alone takes no longer."""
DECLINED_SHOWN: Final = 200
SHOWN: Final = 4000
"""Characters of commentary that are kept."""
OPENING: Final = re.compile(r"[{\[]")
JSON_FAULTS: Final = {
    "Expecting property name": "json_name",
    "Expecting ':'": "json_colon",
    "Expecting ','": "json_comma",
    "Expecting value": "json_missing",
    "Illegal trailing comma": "json_trailing",
    "Unterminated string": "json_string",
    "Invalid control character": "json_control",
    "Invalid \\": "json_escape",
}
"""How the decoder's messages begin, and what the prompts call them."""
LABEL: Final = re.compile(r"^[ \t*#>_-]*(?:PLAN|计划)[ \t*_]*[:：]", re.IGNORECASE | re.MULTILINE)

LINE: Final = re.compile(
    r"^[ \t*#>_-]*(?:PLAN|ACTION|COMMUNICATION|计划|行动|沟通)[ \t*_]*[:：](.*)", re.IGNORECASE | re.MULTILINE
)
"""Where a plan is one line of text."""


class BadReply(ValueError):
    """A reply that cannot be used. ``kind`` says in which of four ways, ``note`` why (see `prompting.reason`).

    ``line`` is what the reader of actions said in English; it is empty where the fault was found here.
    """

    def __init__(self, kind: Unusable, note: Note, line: str = "") -> None:
        self.kind, self.note, self.line = kind, note, line
        super().__init__(line or note.kind)

    @classmethod
    def illegal(cls, error: BadAction) -> BadReply:
        return cls("illegal", error.note, "" if error.note.kind == SENTENCE else str(error))


@swift
@dataclass(frozen=True, slots=True)
class Answer:
    """What a reply says. ``value`` is an action, or a plan where one was asked for; ``scratchpad`` None: unchanged.

    ``repaired``  what was struck off around it before it could be read (see `tidying`)
    """

    value: Any
    commentary: str = ""
    scratchpad: str | None = None
    repaired: tuple[str, ...] = ()


def read_reply(text: str, truncated: bool, form: Format, spec: ActionSpec[Any], tokens: Mapping[str, Any]) -> Answer:
    """The answer in a reply; raises `BadReply`. ``tokens``: each single token and the raw answer it stands for."""
    plain = tidied(text, truncated, form, tokens)
    match form:
        case "token":
            answer = _token(plain.text, spec, tokens)
        case "plan":
            answer = _plan(plain.text, spec)
        case "structured" | "json":
            answer = _json(plain.text, spec)
    if not plain.repaired:  # nor was there any thinking
        return answer
    thoughts = "\n".join(part for part in (plain.thinking, answer.commentary) if part)
    return replace(answer, commentary=thoughts[:SHOWN], repaired=plain.repaired)


def tidied(text: str, truncated: bool, form: Format = "json", tokens: Collection[str] = ()) -> Tidied:
    """What of a reply is to be read: no thinking before it, and nothing around it that its format forgives.

    Raises `BadReply` where all of it is thinking, and where it was cut at its longest length even if a value can be
    read: what was cut may have changed it.
    """
    if truncated:
        raise BadReply("truncated", Note("reply_cut", {"length": len(text)}))
    plain = without_thinking(text)
    if plain.is_open:
        raise BadReply("unparseable", Note("reply_only_thinking"))
    if form not in ("token", "structured"):
        return plain
    bare = word_of(plain.text, tokens) if form == "token" else without_fence(plain.text)
    return replace(plain, text=bare.text, repaired=(*plain.repaired, *bare.repaired))


def declined(said: str) -> BadReply:
    """A reply in which the model says that it will not answer."""
    return BadReply("declined", Note("reply_declined", {"said": " ".join(said.split())[:DECLINED_SHOWN]}))


# --- JSON -----------------------------------------------------------------------------------------


def _json(text: str, spec: ActionSpec[Any]) -> Answer:
    """The last JSON object or list in the text that is an answer; what comes before it is thinking aloud."""
    refusal: BadAction | None = None
    for value, start, end in reversed(json_in(text)):
        try:
            body, commentary, scratchpad = _without_extras(value)
            answer = spec.read(body)
        except BadAction as error:
            refusal = refusal or error
            continue
        around = "\n".join(part for part in (_prose(text[:start]), commentary, _prose(text[end:])) if part)
        return Answer(answer, around[:SHOWN], scratchpad)
    assert refusal is not None
    raise BadReply.illegal(refusal)


def json_in(text: str, kind: type = object) -> list[tuple[Any, int, int]]:
    """The JSON values of a kind in a text, with their places; raises `BadReply` where there is none or one was cut."""
    values, fault = json_values(text)
    if fault is not None and fault.is_open:
        raise BadReply("truncated", Note("reply_json_open", fault.data))
    found = [value for value in values if isinstance(value[0], kind)]
    if not found:
        empty = Note("reply_empty" if not text.strip() else "reply_no_json")
        raise BadReply("unparseable", Note("reply_json_broken", fault.data) if fault else empty)
    return found


@dataclass(frozen=True, slots=True)
class BrokenJson:
    """The last JSON that began and could not be read. ``is_open``: the text ended within it.

    ``data``: the ``fault`` by its name, its place ``at``, and the decoder's own ``line``.
    """

    data: Mapping[str, JSON]
    is_open: bool


def json_values(text: str) -> tuple[list[tuple[Any, int, int]], BrokenJson | None]:
    """Every outermost JSON object and list in a text with its place, in order, and the last broken one.

    Parts of a broken value are passed over: half an answer is none. NaN and infinity are no JSON.
    """
    text = text[:READ_AT_MOST]
    found: list[tuple[Any, int, int]] = []
    broken: BrokenJson | None = None
    at = 0
    for _ in range(STARTS_AT_MOST):
        opening = OPENING.search(text, at)
        if opening is None:
            break
        start = opening.start()
        try:
            value, at = _DECODER.raw_decode(text, start)
            found.append((value, start, at))
        except json.JSONDecodeError as error:
            at = max(start + 1, error.pos)
            # A bracket in prose fails at once; it was never meant as JSON.
            if text[start + 1 : error.pos].strip() or error.pos >= len(text):
                is_open = error.pos >= len(text.rstrip()) or error.msg.startswith("Unterminated string")
                broken = BrokenJson(_fault(error), is_open)
                at = len(text) if is_open else at
        except (ValueError, RecursionError) as error:
            name = "json_value" if isinstance(error, ValueError) else "json_depth"
            broken, at = BrokenJson({"fault": name, "at": start, "line": type(error).__name__}, False), len(text)
    return found, broken


def _fault(error: json.JSONDecodeError) -> dict[str, JSON]:
    found = next((name for begin, name in JSON_FAULTS.items() if error.msg.startswith(begin)), "json_other")
    return {"fault": found, "at": error.pos, "line": f"{error.msg} at character {error.pos}"}


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")


_DECODER: Final = json.JSONDecoder(parse_constant=_no_constant)


def _without_extras(value: Any) -> tuple[Any, str, str | None]:
    """An object without the fields that are ours, and those fields."""
    if not isinstance(value, dict):
        return value, "", None
    commentary, scratchpad = value.get(COMMENTARY), value.get(SCRATCHPAD)
    body = {name: part for name, part in value.items() if name not in EXTRAS}
    return body, commentary if isinstance(commentary, str) else "", scratchpad if isinstance(scratchpad, str) else None


def _prose(text: str) -> str:
    return re.sub(r"```[a-z]*", "", text).strip() if text else ""


# --- single tokens --------------------------------------------------------------------------------


def _token(word: str, spec: ActionSpec[Any], tokens: Mapping[str, Any]) -> Answer:
    """The token alone, in either case where tokens differ in more than that."""
    folded = {token.lower(): token for token in tokens}
    if len(folded) == len(tokens):
        word = folded.get(word.lower(), word)
    if not word:
        raise BadReply("unparseable", Note("reply_no_token", {"tokens": list(tokens)}))
    if word not in tokens:
        kind: Unusable = "illegal" if re.fullmatch(r"\w{1,20}", word) else "unparseable"
        raise BadReply(kind, Note("reply_other_token", {"what": _shown(word), "tokens": list(tokens)}))
    return Answer(_read(spec, tokens[word]))


def tokens_of(options: Sequence[Any], dump: Any) -> dict[str, Any]:
    """A token for each legal action whose JSON is a text, or an object of one text: that text.

    Raises ValueError where the actions are not told apart so.
    """
    tokens: dict[str, Any] = {}
    for option in options:
        raw = dump(option)
        texts = [raw] if isinstance(raw, str) else list(raw.values()) if isinstance(raw, dict) else []
        if len(texts) != 1 or not isinstance(texts[0], str) or not texts[0] or texts[0] in tokens:
            raise ValueError(f"{_shown(str(raw))} is no single token; the game's prompts must name them")
        tokens[texts[0]] = raw
    return tokens


# --- plans ----------------------------------------------------------------------------------------


def _plan(text: str, spec: ActionSpec[Any]) -> Answer:
    """What follows the last ``PLAN:``: JSON, or labels between commas, semicolons or lines; or one line of text."""
    if spec.schema.get("type") == "string":
        return _line(text, spec)
    labels = list(LABEL.finditer(text))
    if not labels:
        raise BadReply("unparseable", Note("reply_empty" if not text.strip() else "reply_no_plan"))
    last = labels[-1]
    before, tail = _prose(text[: last.start()]), text[last.end() :]
    found, fault = json_values(tail)
    if fault is not None:
        raise BadReply("truncated" if fault.is_open else "unparseable", Note("reply_plan_broken", fault.data))
    for value, start, end in found:
        body, commentary, scratchpad = _without_extras(value)
        around = "\n".join(part for part in (before, commentary, _prose(tail[:start] + tail[end:])) if part)
        return Answer(_read(spec, body), around[:SHOWN], scratchpad)
    words = [word.strip(" \t*`-'\"") for word in re.split(r"[,;\n，；、]", _prose(tail))]
    listed = [word for word in words if word]
    if not listed:
        raise BadReply("unparseable", Note("reply_plan_empty"))
    return Answer(_read(spec, listed), before[:SHOWN])


def _line(text: str, spec: ActionSpec[Any]) -> Answer:
    found = list(LINE.finditer(text))
    if not found:
        raise BadReply("unparseable", Note("reply_empty" if not text.strip() else "reply_no_plan"))
    said = found[-1][1].strip(" \t*`'\"")
    if not said:
        raise BadReply("unparseable", Note("reply_plan_empty"))
    return Answer(_read(spec, said), _prose(text[: found[-1].start()])[:SHOWN])


def _read(spec: ActionSpec[Any], raw: Any) -> Any:
    try:
        return spec.read(raw)
    except BadAction as error:
        raise BadReply.illegal(error) from None


def _shown(text: str) -> str:
    return ascii(text if len(text) <= 40 else text[:37] + "...")
