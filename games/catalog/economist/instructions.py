"""What workers and the planner are told: the rules in force as a model is told them."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.observation import PlannerSeen
from games.catalog.economist.prompts import EconomistPrompts
from games.core.agents import Request
from games.core.instructions import Instructions, Sentences, rule_lines, system_prompt, without
from games.core.prompts import PromptFiles

FILES: Final = PromptFiles(Path(__file__).parent / "instructions")
PROMPTS: Final = PromptFiles(Path(__file__).parent / "prompts")
FOR_MODELS: Final = ("If no answer of yours", "回答都无法使用")
"""What stands in for an answer that cannot be used; people are told of one that does not come."""
TITLES: Final = {"en": "The rules:", "zh": "规则："}


def tell(config: EconomistConfig, request: Request[Any, Any], language: str) -> Instructions:
    role = "planner" if isinstance(request.observation, PlannerSeen) else "worker"
    facts = {
        "workers": config.workers,
        "epochs": config.epochs,
        "steps": config.steps_per_epoch,
        "coin": config.starting_coin,
    }
    told = Sentences.of(FILES, language, facts)
    prompt = system_prompt(EconomistPrompts(), config, request, language)
    return Instructions(
        aim=told.say(f"aim_{role}"),
        do=told.say(f"do_{role}"),
        rules=_rules(prompt, language),
        length=told.say("length"),
        silence=told.say(f"silence_{role}"),
        default=told.say(f"default_{role}")[0],
        facts={
            "horizon": [config.epochs, config.steps_per_epoch],
            "payoffs": config.build.income_per_house_per_step,
            "default": "noop" if role == "worker" else "keep",
        },
    )


def _rules(prompt: str, language: str) -> tuple[str, ...]:
    """A model's prompt goes on after the rules with how its answer is written."""
    ends = [PROMPTS.lines(language)["plans"][:12], {"en": "Answer with one JSON", "zh": "用一个 JSON"}[language]]
    lines = rule_lines(prompt, TITLES[language])
    cut = next((i for i, line in enumerate(lines) if any(line.startswith(end) for end in ends)), len(lines))
    return without(lines[:cut], *FOR_MODELS)
