"""What a game says to a model in one of its seats, and the files that it is said from.

A game declares its words as `Pack.prompts`; one that has none is shown to models as JSON. All of it is `str.format`
over files: the same request gives the same bytes.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar, Final, Literal, TypeAlias

from games.core.agents import Request
from games.core.answers import JSON, ActionSpec
from games.core.values import swift

LANGUAGES: Final = ("en", "zh")
UNSEEN: Final = {
    ord(letter): f"\\u{ord(letter):04x}"
    for letter in "\x7f\x85\u2028\u2029\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
}
"""Signs that JSON leaves alone although they break lines or turn the reading direction."""

Answered: TypeAlias = Literal["json", "token", "plan"]
ANY_PLAN: Final[ActionSpec[Any]] = ActionSpec({"type": ["object", "array", "string"]}, lambda raw: raw)


@swift
@dataclass(frozen=True, slots=True)
class PromptContext:
    """What one model is to be told, and how: ``persona`` and ``memory`` are texts, "" where there is none.

    ``has_answers``  whether its own last answers stand before it anyway, in ``memory`` or as turns of a talk
    """

    request: Request[Any, Any]
    language: str = "en"
    persona: str = ""
    memory: str = ""
    options: Mapping[str, JSON] = field(default_factory=dict)
    has_answers: bool = False

    @property
    def observation(self) -> Any:
        return self.request.observation


class GamePrompts(ABC):
    """A game's words for models. Only `stages` and `render` must be there.

    ``stages``    the stages (`Turn.stage`) that have words; at any other a model is shown its observation as JSON
    ``options``   the prompt options and their defaults. Advice on how to play well is ``hints`` in every game and
                  is off by default, so that what a model plays is its own
    ``choices``   by option, the texts that it may be, where not any
    ``renamed``   earlier names of options, with today's
    ``personas``  texts by name and language
    ``untold``    fields of the config on which no prompt depends, each with the reason
    ``output``    how the game is answered: "token" where the legal actions are listed, "plan" where it has plans; a
                  game whose stages differ overrides `output_at`
    ``memory``    what a model keeps between rounds where its profile does not say: a mode of profiles' ``memory``
    """

    stages: ClassVar[frozenset[str]]
    options: Mapping[str, JSON] = {}
    choices: Mapping[str, tuple[str, ...]] = {}
    renamed: Mapping[str, str] = {}
    personas: Mapping[str, Mapping[str, str]] = {}
    untold: Mapping[str, str] = {}
    output: Answered = "json"
    memory: str = "none"

    @abstractmethod
    def render(self, config: Any, telling: PromptContext, /) -> Mapping[str, str]:
        """``system`` and ``user``; and ``who``, where ``system`` is the same for all seats and who one is stands apart.
        How to answer is then told behind ``system``, and ``who`` last.

        Also when the run is over, for whoever is asked what it made of it. Words of other players stand in quotation
        marks (`quoted`).
        """

    def whole(self) -> dict[str, JSON]:
        """The options with which most is said: every one that is on or off, on."""
        return {name: True if isinstance(value, bool) else value for name, value in self.options.items()}

    def told_by(self, options: Mapping[str, JSON], /) -> GamePrompts:
        """The words of a seat with these options, where an option changes how is answered, too; these by default."""
        return self

    def output_at(self, stage: str, /) -> Answered:
        """How a stage is answered, where stages differ; `output` by default."""
        return self.output

    def tokens(self, config: Any, request: Request[Any, Any], language: str, /) -> Mapping[str, JSON] | None:
        """Raw answers by the token that stands for each in a language; None: the listed actions name themselves."""
        return None

    def as_answered(self, config: Any, raw: JSON, /) -> JSON:
        """An action's JSON in the words that a model answers in, for its memory; the JSON itself by default."""
        return raw

    def plan_spec(self, config: Any, request: Request[Any, Any], /) -> ActionSpec[Any] | None:
        """What a plan looks like at this moment, where the game has plans; None at a stage that has none."""
        return ANY_PLAN

    def objection(self, config: Any, request: Request[Any, Any], action: Any, language: str, /) -> str | None:
        """Why an answer that can be read leaves nothing to carry out, in a language; None where something is left."""
        return None

    def excess(self, config: Any, request: Request[Any, Any], action: Any, /) -> JSON:
        """A raw answer that asks for more than the seat has, for the mock; None: the action as it is."""
        return None

    def as_plan(self, config: Any, request: Request[Any, Any], action: Any, /) -> JSON:
        """A raw plan whose first action is this one, for the mock; None: the action as it is."""
        return None


@dataclass(frozen=True, slots=True, eq=False)
class PromptFiles:
    """A folder of prompts: ``LANGUAGE/NAME.md``, and ``personas/NAME.LANGUAGE.md``. Each file is read once."""

    folder: Path

    _texts: dict[tuple[str, str], str] = field(init=False, default_factory=dict)
    _lines: dict[tuple[str, str], Mapping[str, str]] = field(init=False, default_factory=dict)

    def text(self, language: str, name: str) -> str:
        key = language, name
        if key not in self._texts:
            self._texts[key] = (self.folder / language / f"{name}.md").read_text(encoding="utf-8")
        return self._texts[key]

    def lines(self, language: str, name: str = "lines") -> Mapping[str, str]:
        """The sentences of a file by name: ``name: sentence``, one a line."""
        key = language, name
        if key not in self._lines:
            split = (line.partition(": ") for line in self.text(language, name).splitlines())
            self._lines[key] = {name: text for name, _, text in split}
        return self._lines[key]

    def personas(self) -> Mapping[str, Mapping[str, str]]:
        """Each persona's text by language."""
        found: dict[str, dict[str, str]] = {}
        for path in sorted((self.folder / "personas").glob("*.md")):
            name, _, language = path.stem.rpartition(".")
            found.setdefault(name, {})[language] = path.read_text(encoding="utf-8").strip()
        return found


def quoted(text: str, length: int = 4000) -> str:
    """Untrusted words as one quoted line: nothing in them can end the quotation or begin a line of its own."""
    cut = text if len(text) <= length else text[:length] + "..."
    return json.dumps(cut, ensure_ascii=False).translate(UNSEEN)
