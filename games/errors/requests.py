"""What services refuse with."""

from __future__ import annotations

from typing import Any, ClassVar

from games.core.answers import Note
from games.errors import sentences


class Refusal(Exception):
    """What was asked is not done: ``code`` is stable, ``field`` names the input, the text gives bound and remedy.

    ``more`` are further values for whoever asked, such as the step that is open now. With them, pages tell the refusal
    in their own language (`games.errors.sentences`); ``why`` among them names the case of a code that has several.
    ``note`` is what is wrong with a value; it becomes ``says``, the detail by language.
    """

    status: ClassVar[int] = 422
    """Of HTTP, where its code has none of its own."""

    def __init__(self, code: str, message: str, field: str = "", note: Note | None = None, **more: Any) -> None:
        super().__init__(message)
        says = None if note is None else sentences.says(note)
        self.code, self.field, self.more = code, field, more if says is None else {**more, "says": says}


class BadRequest(Refusal, ValueError):
    """What was asked cannot be done as it was asked."""


class NotFound(Refusal, LookupError):
    """No such thing; one line for whoever asked."""

    status = 404

    def __init__(self, message: str, code: str = "not_found", **more: Any) -> None:
        super().__init__(code, message, **more)
