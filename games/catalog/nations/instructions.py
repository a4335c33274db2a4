"""What players of the nations game are told: goal and rules in force as a model is told them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.catalog.nations.config import NationsConfig
from games.catalog.nations.money import shown
from games.catalog.nations.prompts import FILES as PROMPTS
from games.catalog.nations.prompts import NationsPrompts
from games.catalog.nations.terms import RoundRules
from games.core.agents import Request
from games.core.instructions import Act, Instructions, Sentences, rule_lines, system_prompt, without
from games.core.prompts import PromptFiles

FILES: Final = PromptFiles(Path(__file__).parent / "instructions")
TITLES: Final = {"en": "The rules in force:", "zh": "现行规则："}
FOR_MODELS: Final = ('"promise"', "quotation marks", "引号", "If no answer of yours", "回答都无法使用")
"""How a message is written as JSON, which a page writes for people, what others' words are to a prompt, and what
stands in for an answer that cannot be used."""


def tell(config: NationsConfig, request: Request[Any, Any], language: str) -> Instructions:
    seen = request.observation
    public = seen.public
    facts = {
        "name": config.names[seen.seat],
        "count": config.nations,
        "nations": ", ".join(config.names),
        "messages": config.messages,
        "length": config.message_length,
        "turns": public.turns,
        "rounds": public.rounds,
    }
    told = Sentences.of(FILES, language, facts)
    prompt = system_prompt(NationsPrompts(), config, request, language)
    ends = ("rule_end", "rule_end_one", "rule_no_end")
    rules = public.rules
    said_of_the_end = [PROMPTS.lines(language)[name].format(**facts).removeprefix("- ") for name in ends]
    return Instructions(
        acts=tuple(_acts(told, config, rules, "" if language == "zh" else " ")),
        together=told.say("together")[0],
        aim=(_goal(prompt),),
        do=told.say("do_orders", "do_money", "do_talk" if config.messages else None),
        rules=without(rule_lines(prompt, TITLES[language]), *FOR_MODELS, *said_of_the_end),
        length=told.say(f"length_known{'_one' if public.rounds == 1 else ''}" if config.end_known else "length_hidden"),
        silence=told.say("silence"),
        default=told.say("default")[0],
        facts={"horizon": public.turns, "payoffs": str(public.rules.income), "default": "no orders"},
    )


def _goal(prompt: str) -> str:
    """The second paragraph of what a model is told."""
    return prompt.split("\n\n")[1].strip()


def _acts(told: Sentences, config: NationsConfig, rules: RoundRules, gap: str) -> Iterator[Act]:
    """``gap``: what stands between two sentences."""
    damage, price, upkeep = shown(rules.damage), shown(rules.price), shown(rules.upkeep)
    penalty = told.say(f"penalty_{config.penalty}" if rules.penalty else None, penalty=shown(rules.penalty))
    yield told.act("attack", words={"penalty": "".join(gap + line for line in penalty)}, damage=damage)
    yield told.act("grant", trade=shown(rules.trade))
    yield told.act("arms", price=price, upkeep=upkeep)
    yield told.act("disband")
    yield told.act("cede", "cede_borders" if config.borders else "cede")
    if config.resources:
        yield told.act("resources")
    if config.messages:
        yield told.act("talk", "talk_one" if config.messages == 1 else "talk")
