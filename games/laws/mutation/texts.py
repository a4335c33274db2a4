"""Numbers that are written into texts for players where a setting should stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from games.core.pack import Pack
from games.laws.mutation.source import Mutant
from games.laws.texts import FILLED, text_files

OTHER: Final = "2"
"""The number that is written in."""


def numbers_in_texts(pack: Pack) -> Iterator[Mutant]:
    """Each setting that an English text names by ``{name}``, once as a number."""
    numbers = {
        name
        for name, info in pack.game.config_type.model_fields.items()
        if isinstance(info.default, int | float) and not isinstance(info.default, bool)
    }
    for path in text_files(pack):
        if "zh" in path.parts:
            continue
        text, done = path.read_text("utf-8"), set[str]()
        for match in FILLED.finditer(text):
            if match[1] in numbers - done:
                done.add(match[1])
                line = text.count("\n", 0, match.start()) + 1
                changed = text[: match.start()] + OTHER + text[match.end() :]
                file = path.relative_to(str(pack.folder)).as_posix()
                yield Mutant("a number for a setting", file, line, match[0], re.sub(r"\s+", " ", OTHER), changed)
