"""What players of the mining game are told: the rules in force as a model is told them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.prompts import MiningPrompts
from games.core.agents import Request
from games.core.instructions import Instructions, Sentences, rule_lines, system_prompt, without
from games.core.prompts import PromptFiles

FILES: Final = PromptFiles(Path(__file__).parent / "instructions")
TITLES: Final = {"en": "The rules:", "zh": "规则："}
FOR_MODELS: Final = ('"messages"', "no answer of yours", "If no answer", "无一可读", "Plots are written", "地块写作")
"""Parts of sentences that are said otherwise to people: how plots and messages are written, what an unreadable
answer does."""


def tell(config: MiningConfig, request: Request[Any, Any], language: str) -> Instructions:
    facts = {**config.model_dump(include={"miners", "rows", "cols", "rounds", "messages", "message_length"})}
    told = Sentences.of(FILES, language, facts)
    silence = "nothing" if config.rationalisation == "off" else "drawn"
    prompt = system_prompt(MiningPrompts(), config, request, language)
    return Instructions(
        aim=told.say("aim"),
        do=told.say("do_plan", "do_talk" if config.messages else None),
        rules=without(rule_lines(prompt, TITLES[language]), *FOR_MODELS),
        length=told.say("length"),
        silence=told.say(f"silence_{silence}"),
        default=told.say(f"default_{silence}")[0],
        facts={"horizon": config.rounds, "payoffs": request.observation.shared.alpha[0], "default": silence},
    )
