"""What services refuse with."""

from __future__ import annotations

from typing import Any

from games import refusing
from games.core.answers import Note


class BadRequest(ValueError):
    """What was asked cannot be done: ``code`` is stable, ``field`` names the input, the text gives bound and remedy.

    ``more`` are further values for whoever asked, such as the step that is open now. With them, pages tell the refusal
    in their own language (`games.refusing`); ``why`` among them names the case of a code that has several. ``note`` is
    what is wrong with a value; it becomes ``says``, the detail by language.
    """

    def __init__(self, code: str, message: str, field: str = "", note: Note | None = None, **more: Any) -> None:
        super().__init__(message)
        says = None if note is None else refusing.says(note)
        self.code, self.field, self.more = code, field, more if says is None else {**more, "says": says}
