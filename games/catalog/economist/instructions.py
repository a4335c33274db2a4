"""What workers and the planner are told: the rules in force as a model is told them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from games.catalog.economist.config import EconomistConfig
from games.catalog.economist.observation import PlannerSeen
from games.catalog.economist.prompts import EconomistPrompts
from games.core.agents import Request
from games.core.answers import JSON
from games.core.instructions import Act, Instructions, Sentences, rule_lines
from games.core.prompts import PromptFiles

FILES: Final = PromptFiles(Path(__file__).parent / "instructions")
PROMPTS: Final = PromptFiles(Path(__file__).parent / "prompts")


def tell(config: EconomistConfig, request: Request[Any, Any], language: str) -> Instructions:
    role = "planner" if isinstance(request.observation, PlannerSeen) else "worker"
    facts = {
        "workers": config.workers,
        "epochs": config.epochs,
        "steps": config.steps_per_epoch,
        "coin": config.starting_coin,
        "energy": config.energy_per_step,
    }
    told = Sentences.of(FILES, language, facts)
    return Instructions(
        acts=tuple(_planned(told, config) if role == "planner" else _worked(told, config)),
        together=told.say(f"together_{role}_{config.energy_refill}" if role == "worker" else "together_planner")[0],
        aim=told.say(f"aim_{role}"),
        do=told.say(f"do_{role}"),
        rules=tuple(rule_lines(EconomistPrompts(), config, request, language, _answering(language))),
        length=told.say("length"),
        silence=told.say(f"silence_{role}"),
        default=told.say(f"default_{role}")[0],
        facts={
            "horizon": [config.epochs, config.steps_per_epoch],
            "payoffs": config.build.income_per_house_per_step,
            "default": "noop" if role == "worker" else "keep",
        },
    )


def _worked(told: Sentences, config: EconomistConfig) -> Iterator[Act]:
    build, gaming, hiding = config.build, config.gaming, config.misreporting
    steps = _brackets(config)
    yield told.act("move", energy=config.energy_cost_move)
    yield told.act("gather", energy=config.energy_cost_gather)
    yield told.act(
        "build", energy=config.energy_cost_build, wood=build.wood_cost, stone=build.stone_cost,
        rent=build.income_per_house_per_step,
    )  # fmt: skip
    if config.market.enabled:
        fee, life = config.market.transaction_fee_rate, config.market.order_lifetime_steps
        named = "trade_standing" if life > 1 else "trade_fee" if fee else "trade"
        yield told.act("trade", named, energy=config.energy_cost_trade, fee=_percent(fee), lifetime=life)
    yield told.act("tax", f"tax_{config.taxation.redistribution}", brackets=steps)
    if gaming.income_shifting_enabled:
        most, lost = gaming.max_shift_fraction_per_epoch, gaming.gaming_cost_fraction
        yield told.act("defer", most=_percent(most), lost=_percent(lost), share=most)
    if hiding.enabled:
        most, chance = hiding.max_underreport_fraction, hiding.audit_probability
        yield told.act(
            "hide", most=_percent(most), chance=_percent(chance), fine=hiding.fine_multiplier, brackets=steps
        )


def _planned(told: Sentences, config: EconomistConfig) -> Iterator[Act]:
    every, steps = config.planner.update_interval_epochs, _brackets(config)
    yield told.act("rates", "rates_each" if every == 1 else "rates", every=every, brackets=steps)
    yield told.act("collected", f"collected_{config.taxation.redistribution}", brackets=steps)
    if config.misreporting.enabled:
        yield told.act("audit", chance=_percent(config.misreporting.audit_probability), brackets=steps)


def _brackets(config: EconomistConfig) -> JSON:
    """Threshold in coin and rate of each bracket at the start."""
    return [[low, rate] for low, rate in config.taxation.brackets]


def _percent(share: float) -> str:
    return f"{100 * share:.4g}"


def _answering(language: str) -> tuple[str, str]:
    """With what a model's prompt goes on after the rules: how its answer is written."""
    return PROMPTS.lines(language)["plans"][:12], {"en": "Answer with one JSON", "zh": "用一个 JSON"}[language]
