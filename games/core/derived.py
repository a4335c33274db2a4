"""Instructions for people made from a game's prompts, for a game that brings none of its own.

The rules are the lines of the system prompt that begin with a dash, the aim its other sentences; how long a match lasts
and what silence does is said in words that all games share.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from games.core.agents import Request
from games.core.game import Game
from games.core.instructions import Instructions, Teller, system_prompt
from games.core.prompts import GamePrompts

WORDS: Final[Mapping[str, Mapping[str, str]]] = {
    "en": {
        "do": "When it is your turn, the page asks you for your answer. It is final for that turn.",
        "length": "The match lasts exactly {rounds} rounds.",
        "open": "Nobody is told beforehand when the match ends.",
        "silence": "Without an answer in time, the rules of the game answer for you, and your row says so.",
        "default": "the rules answer for you",
    },
    "zh": {
        "do": "轮到你时，页面会请你作答；一经提交，该轮不能更改。",
        "length": "对局恰好持续 {rounds} 轮。",
        "open": "对局何时结束，事先不告诉任何人。",
        "silence": "时间到了还没有作答，则由游戏规则代你作答，并在你的一行中注明。",
        "default": "由规则代你作答",
    },
}
"""What all games share, by language."""
COLONS: Final = (":", "：")
"""A line that ends so is the title of what follows it."""


def from_prompts(game: Game[Any, Any, Any, Any], prompts: GamePrompts) -> Teller:
    """What people are told of a game: the sentences that a model in their seat is told."""

    def tell(config: Any, request: Request[Any, Any], language: str) -> Instructions:
        lines = [line.strip() for line in system_prompt(prompts, config, request, language).splitlines()]
        words, rounds = WORDS[language], game.rounds(config)
        return Instructions(
            aim=tuple(line for line in lines if line and not line.startswith("- ") and not line.endswith(COLONS)),
            do=(words["do"],),
            rules=tuple(line.removeprefix("- ") for line in lines if line.startswith("- ")),
            length=(words["open"] if rounds is None else words["length"].format(rounds=rounds),),
            silence=(words["silence"],),
            default=words["default"],
            facts={"horizon": rounds, "default": words["default"]},
        )

    return tell
