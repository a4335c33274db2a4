"""Prompts from template files: deterministic, by `str.format`, showing the configured window and nothing beyond it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final, TypeAlias

from games.catalog.dilemma.config import DilemmaConfig, Move
from games.catalog.dilemma.labels import LABELS, answered, relabelled
from games.catalog.dilemma.state import Action, Observation
from games.core.agents import Request
from games.core.answers import JSON
from games.core.game import Number
from games.core.prompts import Answered, GamePrompts, PromptContext, PromptFiles, quoted

TEXTS: Final = PromptFiles(Path(__file__).parent / "prompts")
Lines: TypeAlias = Mapping[str, str]
ENGLISH: Final[Lines] = TEXTS.lines("en")


def payoff_table(observation: Observation, words: Lines = ENGLISH) -> str:
    outcomes: tuple[tuple[Move, Move], ...] = (("C", "C"), ("C", "D"), ("D", "C"), ("D", "D"))
    return "\n".join(words["pays"].format(**_paid(observation, own, other, words)) for own, other in outcomes)


def _paid(observation: Observation, own: Move, other: Move, words: Lines) -> dict[str, str]:
    mine, theirs = observation.payoffs.of(own, other), observation.payoffs.of(other, own)
    moves = called(observation, words)
    return {"own": moves[own], "other": moves[other], "mine": _number(mine), "theirs": _number(theirs)}


def called(observation: Observation, words: Lines = ENGLISH) -> dict[Move, str]:
    """What C and D are called in the match and the language."""
    moves: tuple[Move, Move] = ("C", "D")
    return {move: words.get(f"{observation.labels}_{move}", LABELS[observation.labels][move]) for move in moves}


def length(observation: Observation, words: Lines = ENGLISH) -> str:
    if observation.rounds is not None:
        return words["length_fixed"].format(rounds=observation.rounds)
    if observation.stop_prob is not None:
        return words["length_chance"].format(stop_prob=observation.stop_prob)
    return words["length_hidden"]


def noise(observation: Observation, words: Lines = ENGLISH) -> str:
    mine, theirs = observation.noise
    return words["noise"].format(mine=mine, theirs=theirs) if mine or theirs else ""


def silence(config: DilemmaConfig, moves: Mapping[Move, str], words: Lines) -> str:
    """What stands in where no answer can be used."""
    kind = config.fallback if config.fallback in ("repeat", "void") else "play"
    return words[f"silence_{kind}"].format(move=moves["D" if config.fallback == "D" else "C"], c=moves["C"])


def transcript(observation: Observation, window: int, words: Lines = ENGLISH) -> str:
    """The last ``window`` rounds, oldest first, a line each."""
    played = len(observation.mine)
    first = max(0, played - window)
    if first == played:
        return words["none_shown"] if played else words["first"]
    lines = []
    for number in range(first, played):
        own: Move = "C" if observation.mine[number] == "C" else "D"
        other: Move = "C" if observation.theirs[number] == "C" else "D"
        lines.append(words["played"].format(round=number + 1, **_paid(observation, own, other, words)))
    return "\n".join(lines)


def totals(observation: Observation, words: Lines = ENGLISH) -> str:
    if observation.totals is None:
        return ""
    mine, theirs = observation.totals
    return words["totals"].format(mine=_number(mine), theirs=_number(theirs))


def messages(observation: Observation, words: Lines = ENGLISH) -> str:
    if observation.said is None:
        return ""
    mine, theirs = observation.said
    return words["said"].format(mine=quoted(mine), theirs=quoted(theirs))


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
    personas: Mapping[str, Mapping[str, str]] = TEXTS.personas()

    def render(self, config: DilemmaConfig, telling: PromptContext, /) -> Mapping[str, str]:
        language, options = telling.language, telling.options
        observation: Observation = telling.observation
        words = TEXTS.lines(language)
        window = options["window"] if isinstance(options["window"], int) and options["window"] >= 0 else None
        talks, moves = config.talk, called(observation, words)
        persona = telling.persona if config.labels == "letters" else relabelled(telling.persona, moves)
        system = TEXTS.text(language, "system").format(
            c=moves["C"],
            d=moves["D"],
            payoff_table=payoff_table(observation, words),
            length=length(observation, words),
            noise=noise(observation, words),
            silence=silence(config, moves, words),
            talk=words["talk"].format(talk_limit=config.talk_limit) if talks else "",
            spelling=words.get(f"spelling_{config.labels}", ""),
            persona=persona,
        )
        user = TEXTS.text(language, "talk" if observation.stage == "talk" else "round").format(
            round=observation.round,
            transcript=transcript(observation, observation.window if window is None else window, words),
            totals=totals(observation, words) if options["include_totals"] else "",
            messages=messages(observation, words),
            memory=telling.memory,
            talk_limit=observation.talk_limit,
        )
        return {"system": _without_gaps(system), "user": _without_gaps(user)}

    def tokens(self, config: DilemmaConfig, request: Request[Any, Any], language: str, /) -> Mapping[str, JSON] | None:
        moves = called(request.observation, TEXTS.lines(language))
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
