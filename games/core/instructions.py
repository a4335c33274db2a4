"""What a player is told of a game: what one earns, may do, how it is settled, how long it lasts, what silence means.

A game declares it as `Pack.instructions`. The rules are the very sentences that a model in the seat is told, taken from
its prompt, so that people and models know the same; beside them stand sentences for whoever plays on a page. All of it
is made from the configuration in force, and nothing of it is the researcher's note on a treatment.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import dropwhile, islice, takewhile
from typing import Any, Final, TypeAlias

from games.core.agents import Request
from games.core.answers import JSON
from games.core.engine import START, start
from games.core.game import Game, Seat, Turn
from games.core.prompts import GamePrompts, PromptContext, PromptFiles
from games.core.rng import Rng
from games.core.templates import Templates

SECTIONS: Final = ("aim", "do", "rules", "length", "silence")
NO_WORDS: Final[Mapping[str, str]] = {}
NO_FACTS: Final[Mapping[str, Mapping[str, JSON]]] = {}
ROW: Final = " | "
"""Between name, price and text in the line of an act."""
TITLES: Final = {"en": "The rules:", "zh": "规则："}
FOR_MODELS: Final = ("If no answer of yours", "回答都无法使用")
"""What stands in for an answer that cannot be used; people are told of one that does not come."""


@dataclass(frozen=True, slots=True)
class Act:
    """One thing that a player may do, or that may come about: a row of the instructions.

    ``picture`` is its name among the pictures that the game's ``board/pictures.ts`` draws, and ``facts`` what that one
    is drawn from. ``price`` is what it costs or brings, "" where that is nothing.
    """

    picture: str
    name: str
    price: str
    text: str
    facts: Mapping[str, JSON]

    def plain(self) -> dict[str, Any]:
        return {one: getattr(self, one) for one in ("picture", "name", "price", "text")} | {"facts": dict(self.facts)}


@dataclass(frozen=True, slots=True)
class Worked:
    """A worked example, as a small table: what each seat does, and what it is paid. Cells are words of the language."""

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def plain(self) -> dict[str, Any]:
        return {"title": self.title, "columns": list(self.columns), "rows": [list(row) for row in self.rows]}


@dataclass(frozen=True, slots=True)
class PayTable:
    """What each of two players earns by what both choose, for a page that has room for no more.

    ``columns`` and ``rows`` say what the other and what oneself chooses; ``cells`` by row and column: one's own points
    and the other's.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    cells: tuple[tuple[tuple[float, float], ...], ...]


@dataclass(frozen=True, slots=True)
class Instructions:
    """Sentences by section, and ``default``: what is played without an answer, as a clause ("your army stays").

    ``name`` is what players are told that the game is called; "" where that is its own name, which may say too much.
    ``facts`` are the numbers and names behind horizon, payoffs and default: what all three kinds of player go by.
    ``table`` stands for all of it where there is little room, in a game that fits into one.
    ``acts`` are what a player may do under these settings, in a line each with a picture; they say nothing that the
    rules do not say. ``together`` says how they go together, ``acts_title`` what they are where they are no choices.
    ``examples`` are moves with what they pay, as the rules in force have it.
    """

    aim: tuple[str, ...]
    do: tuple[str, ...]
    rules: tuple[str, ...]
    length: tuple[str, ...]
    silence: tuple[str, ...]
    default: str
    facts: Mapping[str, JSON]
    name: str = ""
    table: PayTable | None = None
    acts: tuple[Act, ...] = ()
    together: str = ""
    acts_title: str = ""
    examples: tuple[Worked, ...] = ()

    def plain(self) -> dict[str, Any]:
        said = {name: getattr(self, name) for name in ("default", "name", "together", "acts_title")}
        return {
            **{name: list(getattr(self, name)) for name in SECTIONS},
            **said,
            "acts": [act.plain() for act in self.acts],
            "examples": [one.plain() for one in self.examples],
        }


Teller: TypeAlias = Callable[[Any, Request[Any, Any], str], Instructions]
"""``(config, request, language)``: what whoever sits where the request was made is told."""


def instructions(
    game: Game[Any, Any, Any, Any], teller: Teller, config: Any, seat: Seat, language: str
) -> Instructions:
    """What a seat is told before a match of these settings, whatever its seed: a start of seed 0 stands for all."""
    return teller(config, opening(game, config, seat), language)


def opening(game: Game[Any, Any, Any, Any], config: Any, seat: Seat, seed: int = 0) -> Request[Any, Any]:
    """A request to a seat at the start of a match, whether or not it is asked first."""
    first = start(game, config, seed)
    turn = game.turn(config, first.state) or Turn((), START.stage, (seat,))
    observation = game.observe(config, first.state, seat, ())
    return Request(1, turn, seat, observation, None, None, None, Rng.root(seed))


def system_prompt(prompts: GamePrompts, config: Any, request: Request[Any, Any], language: str) -> str:
    """What a model in the seat is told of the rules: without advice, persona or memory."""
    options: dict[str, JSON] = {name: False if value is True else value for name, value in prompts.options.items()}
    return prompts.render(config, PromptContext(request, language, options=options))["system"]


def rule_lines(
    prompts: GamePrompts, config: Any, request: Request[Any, Any], language: str, ends: tuple[str, ...] = ()
) -> list[str]:
    """The rules that people are told too, of those in a model's prompt: the sentences below their title, to the next
    empty line or to one that begins with one of ``ends``.
    """
    prompt = system_prompt(prompts, config, request, language)
    below = dropwhile(lambda line: not line.strip().endswith(TITLES[language]), prompt.splitlines())
    lines = (line.strip().removeprefix("- ") for line in islice(below, 1, None))
    told = takewhile(lambda line: line and not line.startswith(ends), lines)
    return [line for line in told if not any(part in line for part in FOR_MODELS)]


@dataclass(frozen=True, slots=True)
class Sentences:
    """The sentences for players of one game and language: ``NAME: sentence`` a line in ``LANGUAGE/player.md``."""

    lines: Mapping[str, str]
    facts: Mapping[str, Any]

    @classmethod
    def of(cls, files: PromptFiles, language: str, facts: Mapping[str, Any]) -> Sentences:
        return cls(files.lines(language, "player"), facts)

    def say(self, *names: str | None, **more: JSON) -> tuple[str, ...]:
        """Each named sentence with its facts; None is skipped, so that a condition can stand in its place."""
        return tuple(self.lines[name].format(**{**self.facts, **more}) for name in names if name)

    def act(self, picture: str, line: str = "", words: Mapping[str, str] = NO_WORDS, **facts: JSON) -> Act:
        """The act of the line ``act_LINE: name | price | text``, by default the line of its picture's name.

        ``facts`` fill its sentences beside those that all share, and are what its picture is drawn from; ``words`` only
        fill its sentences.
        """
        said = self.lines[f"act_{line or picture}"].format(**{**self.facts, **facts, **words})
        name, price, text = (part.strip() for part in said.split(ROW.strip(), 2))
        return Act(picture, name, price, text, facts)


def from_texts(
    texts: Templates, language: str, told: Mapping[str, Any], *, pictures: Mapping[str, Mapping[str, JSON]] = NO_FACTS,
    facts: Mapping[str, JSON], **more: Any,
) -> Instructions:  # fmt: skip
    """Instructions from a game's templates: blocks ``aim``, ``do``, ``rules``, ``length``, ``silence``, ``default``,
    ``together`` and ``acts``, of which each line is ``picture | name | price | text``.

    Rules are the very block of a model's prompt, where ``to_model`` is false. ``told`` fills the texts, ``pictures``
    are the facts of each act's picture, ``facts`` those of `Instructions`.
    """
    known = {**told, "to_model": False}
    sections: dict[str, Any] = {name: texts.lines(language, name, known) for name in SECTIONS}
    acts = []
    for line in texts.lines(language, "acts", known):
        picture, name, price, text = (part.strip() for part in line.split(ROW.strip(), 3))
        acts.append(Act(picture, name, price, text, pictures.get(picture, {})))
    default, together = (texts.say(language, name, known) for name in ("default", "together"))
    return Instructions(**sections, default=default, facts=facts, acts=tuple(acts), together=together, **more)
