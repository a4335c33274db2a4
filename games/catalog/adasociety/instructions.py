"""What players of AdaSociety are told: the rules in force as a model is told them, and everybody's role."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.catalog.adasociety.prompts import AdaSocietyPrompts, is_unknown
from games.catalog.adasociety.rules.norms import ACTS
from games.catalog.adasociety.rules.state import KEPT, PASSED_MOST, SHARES, WEIGHTS
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.task import task_of
from games.core.agents import Request
from games.core.answers import JSON
from games.core.instructions import Act, Instructions, Sentences, rule_lines
from games.core.prompts import PromptFiles

FILES: Final = PromptFiles(Path(__file__).parent / "instructions")
SPOKEN: Final = ("contract", "negotiation", "exploration")
"""Kinds of the game in which people act on groups themselves."""


def tell(config: AdaSocietyConfig, request: Request[Any, Any], language: str) -> Instructions:
    seen = request.observation
    kit = seen.kit
    kind = config.mini_game if config.mini_game in SPOKEN and config.social_control == "free" else ""
    opened = (*config.social_actions, *ACTS[config.group_norm])
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
    return Instructions(
        acts=tuple(_acts(told, config, kind, opened)),
        together=told.say(f"together_{kind}" if social else "together")[0],
        aim=told.say("aim"),
        do=told.say(
            f"do_{kind}" if kind else None,
            *(f"do_{act}" for act in opened if kind),
            "do_map",
        ),
        rules=tuple(rule_lines(AdaSocietyPrompts(), config, request, language)),
        length=told.say("length"),
        silence=told.say(f"silence_{kind}" if social else None, "silence_map"),
        default=told.say("default")[0],
        facts={"horizon": seen.horizon, "payoffs": "change of the bag's worth", "default": "stay"},
    )


def _acts(told: Sentences, config: AdaSocietyConfig, kind: str, opened: tuple[str, ...]) -> Iterator[Act]:
    """What is done with groups, then what is done on the map. A picture shows no thing that is not told of."""
    if kind == "contract" and config.social_steps:
        yield told.act("group")
    if kind == "negotiation" and config.social_steps:
        for act in ("ask", "propose", "accept", "end"):
            yield told.act(act, least=SHARES[0], most=SHARES[-1])
    task = task_of(config)
    open_things = [name for name, requires in zip(task.resources, task.requires, strict=True) if not requires]
    thing = next((pile.resource for pile in config.piles if pile.resource in open_things), open_things[0])
    first = None if is_unknown(config) else next(iter(task.recipes), None)
    inputs: list[JSON] = [] if first is None else [task.resources[kind] for kind, _ in first.inputs]
    yield told.act("move")
    yield told.act("gather", thing=thing)
    yield told.act("craft", event="" if first is None else first.name, inputs=inputs)
    yield told.act("drop", thing=thing)
    if kind == "exploration":
        yield told.act("join", most=config.group_count)
        yield told.act("message")
        yield told.act("show")
        for act in opened:
            yield told.act(
                act, least=WEIGHTS[0], most=WEIGHTS[-1], passed=PASSED_MOST, kept_least=KEPT[0], kept_most=KEPT[-1]
            )
