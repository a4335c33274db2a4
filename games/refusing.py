"""What people are told when something is refused, in their language: the sentences of ``refusals/``.

The page words refusals of the API and the socket from the same files. A refusal is found by ``CODE.WHY`` where its
values name a case, else by its code; one that has no sentence is told in the server's own line.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "refusals")


def sentence(language: str, code: str, message: str, more: Mapping[str, Any] | None = None) -> str:
    """A refusal as one sentence for people."""
    values = {**(more or {}), "message": message}
    sentences = WORDS.book(language)["sentences"]
    template = sentences.get(f"{code}.{values.get('why')}", sentences.get(code))
    return message if template is None else WORDS.voice(language).sentence(template, values)


def title(language: str, code: str) -> str:
    """What a page is called that shows nothing but this refusal."""
    return str(WORDS.book(language)["titles"][code])
