"""What players of the dilemma are told: payoffs, length and noise as a model is told them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from games.catalog.dilemma.config import DilemmaConfig, Move
from games.catalog.dilemma.prompts import TEXTS, called, length, noise, payoff_table
from games.catalog.dilemma.state import Observation
from games.core.agents import Request
from games.core.instructions import Act, Instructions, PayTable, Sentences
from games.core.prompts import PromptFiles

_MOVES: Final[tuple[Move, ...]] = get_args(Move)
FILES: Final = PromptFiles(Path(__file__).parent / "instructions")


def tell(config: DilemmaConfig, request: Request[Any, Any], language: str) -> Instructions:
    seen: Observation = request.observation
    words = TEXTS.lines(language)
    moves = called(seen, words)
    played = moves["D" if config.fallback == "D" else "C"]
    facts = {"talk_limit": config.talk_limit, "fallback": played, "c": moves["C"], "d": moves["D"]}
    told = Sentences.of(FILES, language, facts)
    silence = config.fallback if config.fallback in ("repeat", "void") else "play"
    table = [line.removeprefix("- ") for line in payoff_table(seen, words).splitlines()]
    slips = noise(seen, words)
    return Instructions(
        name=told.say(f"name_{config.labels}")[0] if config.labels == "neutral" else "",
        acts=tuple(_acts(told, config, seen, moves)),
        acts_title=told.say("acts_title")[0],
        together=told.say("together")[0],
        aim=told.say("aim"),
        do=told.say("do_move", "do_talk" if config.talk else None),
        rules=(*table, *((slips,) if slips else ())),
        length=(length(seen, words),),
        silence=told.say(f"silence_{silence}", "silence_talk" if config.talk else None),
        default=told.say(f"default_{silence}")[0],
        facts={
            "horizon": seen.rounds if seen.rounds is not None else seen.stop_prob,
            "payoffs": [[seen.payoffs.of(own, other) for other in _MOVES] for own in _MOVES],
            "default": config.fallback,
        },
        table=_table(seen, told, moves),
    )


def _table(seen: Observation, told: Sentences, moves: Mapping[Move, str]) -> PayTable:
    own, other = told.lines["table_own"], told.lines["table_other"]
    return PayTable(
        title=told.lines["table"],
        columns=tuple(other.format(move=moves[move]) for move in _MOVES),
        rows=tuple(own.format(move=moves[move]) for move in _MOVES),
        cells=tuple(tuple((seen.payoffs.of(a, b), seen.payoffs.of(b, a)) for b in _MOVES) for a in _MOVES),
    )


def _acts(told: Sentences, config: DilemmaConfig, seen: Observation, moves: Mapping[Move, str]) -> Iterator[Act]:
    """What two choices pay, by own choice and the other's."""
    for own in _MOVES:
        for other in _MOVES:
            mine, theirs = seen.payoffs.of(own, other), seen.payoffs.of(other, own)
            price = told.say("points_one" if mine == 1 else "points", you=f"{mine:g}")[0]
            words = {"price": price, "own": moves[own], "other": moves[other]}
            line = "outcome_one" if theirs == 1 else "outcome"
            yield told.act("outcome", line, words, moves=own + other, mine=mine, theirs=theirs, labels=seen.labels)
    if config.talk:
        yield told.act("talk")
