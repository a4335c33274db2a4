"""What players of the mining game are told: the rules in force as a model is told them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.catalog.mining.config import MiningConfig
from games.catalog.mining.prompts import MiningPrompts
from games.catalog.mining.shared import Shared
from games.core.agents import Request
from games.core.instructions import Act, Instructions, Sentences, rule_lines, system_prompt, without
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
    world = request.observation.shared
    prompt = system_prompt(MiningPrompts(), config, request, language)
    return Instructions(
        acts=tuple(_acts(told, config, world, "" if language == "zh" else " ")),
        together=told.say("together", stamina=world.stamina[request.seat])[0],
        aim=told.say("aim"),
        do=told.say("do_plan", "do_talk" if config.messages else None),
        rules=without(rule_lines(prompt, TITLES[language]), *FOR_MODELS),
        length=told.say("length"),
        silence=told.say(f"silence_{silence}"),
        default=told.say(f"default_{silence}")[0],
        facts={"horizon": config.rounds, "payoffs": world.alpha[0], "default": silence},
    )


def _acts(told: Sentences, config: MiningConfig, world: Shared, gap: str) -> Iterator[Act]:
    """``gap``: what stands between two sentences."""
    safe = config.immunity_window
    levies = {"raid_tax": config.raid_tax, "fine": config.capture_fine}
    yield told.act("claim", f"claim_{'open' if safe == 0 else 'safe' if safe == 1 else 'safe_long'}", safe=safe)
    most, alpha = config.mine_cap, min(world.alpha)
    rich = "_rich" if max(world.alpha) > alpha else ""
    price = told.say("price_mine_one" if most == 1 else "price_mine", cap=most)[0]
    yield told.act("mine", f"mine{rich}", words={"price": price}, cap=most, alpha=alpha)
    yield told.act("defend", "defend" if config.defence == "block_all" else "defend_each", defence=config.defence)
    levy = "".join(
        gap + line for line in told.say(*(f"levy_{name}" for name, gold in levies.items() if gold), **levies)
    )
    yield told.act("raid", words={"levy": levy}, defence=config.defence)
    if config.messages:
        yield told.act("talk", "talk_one" if config.messages == 1 else "talk")
