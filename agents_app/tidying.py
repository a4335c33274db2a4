"""What stands around an answer and is no part of it: thinking in tags, fences, bold letters. What is struck is counted.

Only what cannot be meant is struck off. The words of an answer are never changed.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from games.core.values import swift

THINK: Final = re.compile(r"\s*<(think|thinking|thought|reasoning)>(.*?)</\1>", re.DOTALL | re.IGNORECASE)
OPENED: Final = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.IGNORECASE)
CLOSED: Final = re.compile(r"</(think|thinking|thought|reasoning)>", re.IGNORECASE)
FENCE: Final = re.compile(r"\s*```[A-Za-z]*[ \t]*\n?(.*?)\n?[ \t]*```\s*", re.DOTALL)
AROUND: Final = " \t\r\n*_`"


@swift
@dataclass(frozen=True, slots=True)
class Tidied:
    """``text`` to be read; ``thinking`` that stood before it; ``repaired`` what was struck off.

    ``is_open``: the thinking never ended, so that all of the text is thinking.
    """

    text: str
    thinking: str = ""
    repaired: tuple[str, ...] = ()
    is_open: bool = False


def without_thinking(text: str) -> Tidied:
    """A reply without leading thinking in tags. Some servers swallow the opening tag."""
    if "<" not in text:
        return Tidied(text)
    thoughts: list[str] = []
    rest = text
    while (found := THINK.match(rest)) is not None:
        thoughts.append(found.group(2).strip())
        rest = rest[found.end() :]
    if OPENED.match(rest):
        return Tidied("", rest.strip(), ("think",), is_open=True)
    if not thoughts and (closed := CLOSED.search(rest)) is not None:
        thoughts.append(rest[: closed.start()].strip())
        rest = rest[closed.end() :]
    return Tidied(rest, "\n".join(thoughts), ("think",)) if thoughts else Tidied(text)


def without_fence(text: str) -> Tidied:
    """A reply that is one fenced block, without the fence."""
    found = FENCE.fullmatch(text)
    return Tidied(text) if found is None else Tidied(found.group(1), repaired=("fence",))


def word_of(text: str, tokens: Collection[str]) -> Tidied:
    """A single token without a fence or bold signs around it.

    White space alone is no repair. What is none of the tokens even so is left as it came: a full stop or quotation
    marks are the model's own words, and the source of the game forgives white space alone.
    """
    plain = without_fence(text)
    word, repaired = plain.text.strip(), plain.repaired
    bare = word.strip(AROUND)
    if bare != word and bare.lower() in {token.lower() for token in tokens}:
        word, repaired = bare, (*repaired, "marks")
    return Tidied(word, repaired=repaired)
