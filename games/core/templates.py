"""What a game says to whoever sits in it, as one template a language, in which the conditions stand.

``texts/LANGUAGE.md`` is Jinja2: ``{{ rounds }}`` puts a fact in, a line that begins with ``%`` is a condition, a loop
or the bounds of a block. Each block is a text of its own; a name that nobody gave is an error. Nothing in it draws,
asks the clock or keeps anything: the same facts give the same bytes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from pathlib import Path
from typing import Any, Final

from games.core.prompts import quoted

STATEMENT: Final = re.compile(r"^% (.*)$", re.MULTILINE)
"""A line that is a statement. Jinja's own form of it takes the empty lines after it away."""


@dataclass(frozen=True, slots=True)
class Templates:
    """The texts of a game, from its folder ``texts``; compiled when they are first asked for."""

    folder: Path

    def say(self, language: str, block: str, facts: Mapping[str, Any]) -> str:
        """A block with its facts, without blanks at the ends of lines and at its own end."""
        template = _template(self.folder, language)
        context = template.new_context({**template.environment.globals, **facts}, shared=True)
        return "\n".join(map(str.rstrip, "".join(template.blocks[block](context)).splitlines()))

    def lines(self, language: str, block: str, facts: Mapping[str, Any]) -> tuple[str, ...]:
        """The sentences of a block: its lines that are not empty, without the dash of a list."""
        lines = (line.strip().removeprefix("- ") for line in self.say(language, block, facts).splitlines())
        return tuple(line for line in lines if line)


@lru_cache(maxsize=64)
def _template(folder: Path, language: str) -> Any:
    text = (folder / f"{language}.md").read_text("utf-8")
    return _environment().from_string(STATEMENT.sub(r"{% \1 %}", text))


@lru_cache(maxsize=1)
def _environment() -> Any:
    from jinja2 import Environment, StrictUndefined

    environment = Environment(  # plain text for models and people; pages escape what they are given
        undefined=StrictUndefined, autoescape=False, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["json"] = partial(json.dumps, ensure_ascii=False)
    environment.filters["quoted"] = quoted
    environment.filters["general"] = "{:g}".format
    return environment
