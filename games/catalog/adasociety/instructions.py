"""What players of AdaSociety are told: the rules in force as a model is told them, and everybody's role."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from games.catalog.adasociety.prompts import AdaSocietyPrompts
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.core.agents import Request
from games.core.instructions import Instructions, Sentences, rule_lines, system_prompt, without
from games.core.prompts import PromptFiles

FILES: Final = PromptFiles(Path(__file__).parent / "instructions")
TITLES: Final = {"en": "The rules:", "zh": "规则："}
FOR_MODELS: Final = ("If no answer of yours", "回答都无法使用")
"""What stands in for an answer that cannot be used; people are told of one that does not come."""
SPOKEN: Final = ("contract", "negotiation", "exploration")
"""Kinds of the game in which people act on groups themselves."""


def tell(config: AdaSocietyConfig, request: Request[Any, Any], language: str) -> Instructions:
    seen = request.observation
    kit = seen.kit
    kind = config.mini_game if config.mini_game in SPOKEN and config.social_control == "free" else ""
    social = config.social_steps if kind in ("contract", "negotiation") else 0
    facts = {
        "name": kit.name,
        "role": kit.role,
        "count": len(kit.names),
        "agents": ", ".join(kit.names),
        "message_chars": config.message_chars,
        "horizon": seen.horizon,
        "social": social,
    }
    of_which = FILES.lines(language, "player")["of_which"].format(**facts) if social else ""
    told = Sentences.of(FILES, language, {**facts, "of_which": of_which})
    prompt = system_prompt(AdaSocietyPrompts(), config, request, language)
    return Instructions(
        aim=told.say("aim"),
        do=told.say(f"do_{kind}" if kind else None, *(f"do_{act}" for act in config.social_actions if kind), "do_map"),
        rules=without(rule_lines(prompt, TITLES[language]), *FOR_MODELS),
        length=told.say("length"),
        silence=told.say(f"silence_{kind}" if social else None, "silence_map"),
        default=told.say("default")[0],
        facts={"horizon": seen.horizon, "payoffs": "change of the bag's worth", "default": "stay"},
    )
