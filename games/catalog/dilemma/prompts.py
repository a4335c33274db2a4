"""What a match is told to whoever sits in it: templates of ``texts/``, and here the facts for them.

The transcript shows the configured window and nothing beyond it. The same observation gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from games.catalog.dilemma.config import WORDS, DilemmaConfig, Fallback, Move
from games.catalog.dilemma.labels import LABELS, answered, relabelled
from games.catalog.dilemma.state import Action, Observation
from games.core.agents import Request
from games.core.answers import JSON
from games.core.game import Number
from games.core.prompts import Answered, GamePrompts, PromptContext, PromptFiles
from games.core.templates import Templates

TEXTS: Final = Templates(Path(__file__).parent / "texts")
FILES: Final = PromptFiles(Path(__file__).parent / "prompts")
MOVES: Final[tuple[Move, Move]] = ("C", "D")


def called(observation: Observation, language: str = "en") -> dict[Move, str]:
    """What C and D are called in the match and the language."""
    names, labels = WORDS.book(language)["names"], LABELS[observation.labels]
    return {move: names[labels[move]] for move in MOVES}


def facts(
    observation: Observation, language: str = "en", window: int | None = None, fallback: Fallback = "C"
) -> dict[str, Any]:
    """What an observation holds for the templates; ``window``: rounds of the transcript, by default the match's."""
    moves = called(observation, language)
    played = len(observation.mine)
    first = max(0, played - (observation.window if window is None else window))

    def row(own: Move, other: Move) -> tuple[str, str, str, str]:
        """Both moves as they are called, and what each pays."""
        mine, theirs = observation.payoffs.of(own, other), observation.payoffs.of(other, own)
        return moves[own], moves[other], _number(mine), _number(theirs)

    rows = [row(own, other) for own, other in observation.rounds_played()]
    own_slips, other_slips = observation.noise
    return {
        "c": moves["C"],
        "d": moves["D"],
        "labels": observation.labels,
        "outcomes": [row(own, other) for own in MOVES for other in MOVES],
        "rounds": observation.rounds,
        "stop_prob": observation.stop_prob,
        "own_slips": own_slips,
        "other_slips": other_slips,
        "talk_limit": observation.talk_limit,
        "is_talk": observation.stage == "talk",
        "round": observation.round,
        "shown": [(number + 1, *rows[number]) for number in range(first, played)],
        "totals": observation.totals and tuple(map(_number, observation.totals)),
        "said": observation.said,
        "fallback": fallback,
        "played": moves["D" if fallback == "D" else "C"],
    }


def _number(value: Number) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


class MatchPrompts(GamePrompts):
    """What this game says to any model in one of its seats.

    Option ``window``: the rounds of the transcript, -1 for those of the match. The form of the answer is asked for by
    whoever asks.
    """

    stages = frozenset({"talk", "choose"})
    options: Mapping[str, JSON] = {"window": -1, "include_totals": True}
    untold: Mapping[str, str] = {
        "declared_not_a_dilemma": "lets other payoffs be set, which are told",
        "max_rounds": "where a geometric match is cut; what seats know of its length is the chance",
        "collapse_k": "a parameter of a measure",
        "collapse_threshold": "a parameter of a measure",
    }
    output: Answered = "token"
    personas: Mapping[str, Mapping[str, str]] = FILES.personas()

    def render(self, config: DilemmaConfig, telling: PromptContext, /) -> Mapping[str, str]:
        language, options = telling.language, telling.options
        observation: Observation = telling.observation
        window = options["window"] if isinstance(options["window"], int) and options["window"] >= 0 else None
        persona = telling.persona
        if config.labels != "letters":
            persona = relabelled(persona, called(observation, language))
        told = {
            **facts(observation, language, window, config.fallback),
            "persona": persona,
            "memory": telling.memory,
        }
        if not options["include_totals"]:
            told["totals"] = None
        return {part: _without_gaps(TEXTS.say(language, part, told)) for part in ("system", "user")}

    def tokens(self, config: DilemmaConfig, request: Request[Any, Any], language: str, /) -> Mapping[str, JSON] | None:
        moves = called(request.observation, language)
        return None if request.turn.stage == "talk" else {text: {"move": move} for move, text in moves.items()}

    def as_answered(self, config: DilemmaConfig, raw: JSON, /) -> JSON:
        """A choice by its label, as the model wrote it."""
        return answered(config.labels, raw)

    def excess(self, config: DilemmaConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        """Both moves at once, or more words than the limit allows."""
        if request.turn.stage == "talk":
            return {"text": "so " * config.talk_limit}
        return {"move": "CD"}


def _without_gaps(text: str) -> str:
    """Lines that have something on them, paragraphs apart."""
    paragraphs = ("\n".join(line.strip() for line in part.splitlines() if line.strip()) for part in text.split("\n\n"))
    return "\n\n".join(part for part in paragraphs if part)
