"""What people are told when something is refused, in their language: the sentences of ``refusals/``.

The page words refusals of the API and the socket from the same files. A refusal is found by ``CODE.WHY`` where its
values name a case, else by its code; one that has no sentence is told in the server's own line. What is wrong with one
value of an input is a note (``faults`` of the files); it is worded here alone, in every language at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from games.core.answers import SAID, SENTENCE, Note
from games.core.prompts import LANGUAGES
from games.core.words import Words

WORDS: Final = Words(Path(__file__).parent / "refusals")


def sentence(language: str, code: str, message: str, more: Mapping[str, Any] | None = None) -> str:
    """A refusal as one sentence for people. Its ``says``, where it has one, is the detail in each language."""
    values = {**(more or {}), "message": message}
    values["message"] = (values.get("says") or {}).get(language, message)
    sentences = WORDS.book(language)["sentences"]
    template = sentences.get(f"{code}.{values.get('why')}", sentences.get(code))
    return message if template is None else WORDS.voice(language).sentence(template, values)


def title(language: str, code: str) -> str:
    """What a page is called that shows nothing but this refusal."""
    return str(WORDS.book(language)["titles"][code])


def fault(note: Note, language: str = "en") -> str:
    """What is wrong with an input as one line, after its ``path`` where the note has one."""
    if note.kind in (SENTENCE, SAID):
        return WORDS.note(note, language)
    sentences, voice = WORDS.book(language)["faults"], WORDS.exact(language)
    if note.kind not in sentences:
        return WORDS.note(note, language)
    said = voice.sentence(sentences[note.kind], note.data)
    return voice.sentence(sentences["at"], {**note.data, "said": said}) if "path" in note.data else said


def said(kind: str, **data: Any) -> Note:
    """One of the ``faults`` with its sentence in every language."""
    return Note(SAID, {language: fault(Note(kind, data), language) for language in LANGUAGES})


def says(note: Note) -> dict[str, str] | None:
    """The same in every language; None for a note that was written in one alone."""
    return None if note.kind == SENTENCE else {language: fault(note, language) for language in LANGUAGES}
