"""What a model is told: the rules in force, and what its seat knows now, in words of the folder ``prompts/``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from games.catalog.economist.acting import shiftable
from games.catalog.economist.config import WORDS, EconomistConfig
from games.catalog.economist.market import standing
from games.catalog.economist.money import Micro, decimal
from games.catalog.economist.observation import PlannerSeen, WorkerSeen
from games.catalog.economist.plans import STEPS_MAX, TRIES, read_plan, write_plan
from games.catalog.economist.state import NONE, RESOURCES, WOOD, Action, Book
from games.catalog.economist.statistics import welfare
from games.catalog.economist.tax import Schedule, tax_due
from games.core.agents import Request
from games.core.answers import JSON, ActionSpec
from games.core.prompts import Answered, GamePrompts, PromptContext, PromptFiles
from games.core.schema import option

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")


class EconomistPrompts(GamePrompts):
    """Workers answer with plans, the planner with brackets. Option ``hints``: whether advice is given."""

    stages = frozenset({"work", "plan"})
    options: Mapping[str, JSON] = {"hints": False}
    renamed: Mapping[str, str] = {"guidance": "hints"}
    untold: Mapping[str, str] = {}
    output: Answered = "plan"

    def output_at(self, stage: str, /) -> Answered:
        return "json" if stage == "plan" else "plan"

    def render(self, config: EconomistConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen, language = telling.observation, telling.language
        words = FILES.lines(language)
        role = "planner" if isinstance(seen, PlannerSeen) else "worker"
        guidance = words[f"guide_{role}"] if telling.options.get("hints") else ""
        facts = _rule_facts(config)
        rules = "\n".join(words[name].format(**facts) for name in _rules(config, role))
        stands = config.terms.order_lifetime > 1
        span = words["span_standing" if stands else "span"].format(**facts)
        plans = words["plans"].format(span=span, withdraw=words["withdraw"].format() if stands else "", **facts)
        system = FILES.text(language, f"{role}_system").format(
            persona=telling.persona, rules=rules, guidance=guidance, plans=plans, **facts
        )
        page = (_planner_page if role == "planner" else _worker_page)(config, seen, words)
        replan = telling.request.replan
        user = FILES.text(language, role).format(memory=telling.memory, **page)
        if replan is not None:
            user = f"{user}\n{words['replan'].format(reason=WORDS.note(replan, language, WORDS.exact(language)))}"
        return {"system": _tidy(system), "user": _tidy(user)}

    def plan_spec(self, config: EconomistConfig, request: Request[Any, Any], /) -> ActionSpec[Any] | None:
        if request.turn.stage != "work":
            return None
        assert request.actions is not None
        planned = partial(option, "plan")
        resource, price = {"enum": list(RESOURCES)}, {"type": "number", "exclusiveMinimum": 0}
        units = {"type": "number", "exclusiveMinimum": 0, "maximum": 1000}
        options = [planned("gather", resource=resource, n=units), planned("build")]
        if config.market.enabled:
            options += [planned(name, resource=resource, n=units, price=price) for name in ("sell", "buy")]
        row, column = (
            {"type": "integer", "minimum": 0, "maximum": size - 1} for size in (config.map.height, config.map.width)
        )
        options += [planned("go", row=row, column=column)]
        options.append(planned("wait", steps={"type": "integer", "minimum": 1, "maximum": STEPS_MAX}))
        offered: Any = request.actions.schema["oneOf"]
        return ActionSpec({"type": "object", "oneOf": [*options, *offered]}, lambda raw: write_plan(read_plan(raw)))

    def as_plan(self, config: EconomistConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        raw: JSON = {name: getattr(action, name) for name in action.__dataclass_fields__}
        return raw

    def excess(self, config: EconomistConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        if request.turn.stage == "plan":
            return {"brackets": [[0, 1.5], [10, -1]]}
        return {"plan": "gather", "resource": "wood", "n": 99_999}


def _tidy(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.splitlines() if line.strip())


def _amount(value: Micro) -> str:
    return f"{decimal(value):.6g}"


def brackets(schedule: Schedule, words: Mapping[str, str]) -> str:
    """The schedule as one line."""
    parts = [words["bracket"].format(threshold=_amount(low), rate=f"{rate / 10_000:.4g}") for low, rate in schedule]
    return "; ".join(parts)


def _rule_facts(config: EconomistConfig) -> dict[str, Any]:
    return {
        "workers": config.workers, "epochs": config.epochs, "steps": config.steps_per_epoch,
        "rows": config.map.height, "cols": config.map.width, "last_row": config.map.height - 1,
        "last_col": config.map.width - 1, "left": config.map.width // 2 - 1, "right": config.map.width // 2,
        "stock_max": config.map.resource_max_amount,
        "regrowth": config.map.resource_regen_rate, "wood": config.build.wood_cost, "stone": config.build.stone_cost,
        "rent": config.build.income_per_house_per_step, "houses_max": config.build.max_houses_per_agent,
        "skills": ", ".join(f"{skill:g}" for skill in config.skill_build),
        "upkeep": config.build.upkeep_per_house_per_step,
        "energy": config.energy_per_step, "move": config.energy_cost_move, "gather": config.energy_cost_gather,
        "order": config.energy_cost_trade, "build": config.energy_cost_build, "sight": config.sight,
        "fee": f"{100 * config.market.transaction_fee_rate:.4g}", "lowest": config.market.price_floor,
        "highest": config.market.price_ceiling, "lifetime": config.market.order_lifetime_steps,
        "shift_max": f"{100 * config.gaming.max_shift_fraction_per_epoch:.4g}",
        "friction": f"{100 * config.gaming.gaming_cost_fraction:.4g}",
        "hidden_max": f"{100 * config.misreporting.max_underreport_fraction:.4g}",
        "audit": f"{100 * config.misreporting.audit_probability:.4g}", "fine": config.misreporting.fine_multiplier,
        "catches": config.misreporting.freeze_after_n_catches, "freeze": config.misreporting.freeze_duration_epochs,
        "damping": f"{100 * (1 - config.taxation.damping):.4g}", "interval": config.planner.update_interval_epochs,
        "prod_weight": config.planner.prod_weight, "ineq_weight": config.planner.ineq_weight, "tries": TRIES,
        "smoothing": config.taxation.smoothing, "ban": config.collusion.response_trade_restriction_epochs,
    }  # fmt: skip


def _rules(config: EconomistConfig, role: str) -> Iterator[str]:
    """The names of the sentences that are in force."""
    market = "rule_market_standing" if config.terms.order_lifetime > 1 else "rule_market"
    gaming, hiding, collusion, plans = config.gaming, config.misreporting, config.collusion, role == "planner"
    sentences = (
        ("rule_map", True), ("rule_halves", config.map.layout == "halves"), ("rule_house", True),
        ("rule_build_skills", config.skill_build), ("rule_upkeep", config.build.upkeep_per_house_per_step),
        ("rule_income", True), (f"rule_energy_{config.energy_refill}", True),
        (market if config.market.enabled else "rule_no_market", True), ("rule_tax", True),
        ("rule_smooth", config.taxation.smoothing), (f"rule_{config.taxation.redistribution}", True),
        ("rule_shift", gaming.income_shifting_enabled),
        ("rule_shift_end", gaming.income_shifting_enabled and gaming.taxed_at_the_end),
        ("rule_hide", hiding.enabled), ("rule_freeze", hiding.enabled and hiding.freeze_on_repeat),
        ("rule_collusion" if collusion.evidence == "acts" else "rule_collusion_offers", collusion.enabled),
        ("rule_collusion_once", collusion.enabled and collusion.counted_once),
        ("rule_falling" if config.taxation.allow_non_monotone else "rule_rising", plans),
        ("rule_damping", plans), ("rule_goal", plans), (f"silent_{role}", True),
    )  # fmt: skip
    return (name for name, is_in_force in sentences if is_in_force)


def _worker_page(config: EconomistConfig, seen: WorkerSeen, words: Mapping[str, str]) -> dict[str, Any]:
    shared = seen.shared
    row, col = divmod(seen.cell, shared.grid.cols)
    reported = seen.gross * (1_000_000 - seen.stance) // 1_000_000
    last = seen.last
    return {
        "epoch": shared.epoch + 1, "step": shared.step + 1, "epochs": config.epochs, "steps": config.steps_per_epoch,
        "seat": seen.seat, "row": row, "col": col, "energy": _amount(seen.energy), "coin": _amount(seen.coin),
        "wood": _amount(seen.wood), "stone": _amount(seen.stone), "houses": seen.houses, "skill": _amount(seen.skill),
        "gross": _amount(seen.gross), "deferred": _amount(seen.deferred),
        "shiftable": _amount(shiftable(seen.gross, seen.shifted, config.terms.shift_max)),
        "stance": _amount(100 * seen.stance),
        "due": _amount(tax_due(shared.schedule, reported, config.terms.smoothing)),
        "schedule": brackets(shared.schedule, words), "catches": seen.catches,
        "fines": _amount(seen.fines), "banned": words["banned"] if seen.is_banned else "",
        "coalition": words["coalition"].format(name=seen.coalition, allies=", ".join(map(str, seen.allies)))
        if seen.coalition else "",
        "sights": "\n".join(_sights(seen, words)) or words["sight_none"],
        "market": "\n".join((*_market(shared.books, words), *_own_orders(config, seen, words))),
        "last": "" if last is None else words["last"].format(
            gross=_amount(last.gross), reported=_amount(last.reported), paid=_amount(last.paid),
            fined=_amount(last.fined), shared=_amount(last.shared),
            audit=words[f"last_{last.outcome}"].format(chance=f"{100 * last.chance:.4g}"),
        ),
    }  # fmt: skip


def _sights(seen: WorkerSeen, words: Mapping[str, str]) -> Iterator[str]:
    """What lies, stands and works in sight, row by row."""
    cols = seen.shared.grid.cols
    for place, cell in enumerate(seen.shared.grid.sights[seen.cell]):
        parts = []
        if seen.bears[place] != NONE and seen.stock[place]:
            kind = words["wood"] if seen.bears[place] == WOOD else words["stone"]
            parts.append(f"{_amount(seen.stock[place])} {kind}")
        if seen.owners[place] >= 0:
            own = seen.owners[place] == seen.seat
            parts.append(words["own_house" if own else "house"].format(seat=seen.owners[place]))
        parts += [words["worker"].format(seat=other) for other in seen.around[place] if other != seen.seat]
        if parts:
            yield f"({cell // cols}, {cell % cols}): {', '.join(parts)}"


def _market(books: tuple[Book, Book], words: Mapping[str, str]) -> Iterator[str]:
    for resource, book in zip(RESOURCES, books, strict=True):
        bids = ", ".join(f"{_amount(o.left)} @ {_amount(o.price)}" for o in book.bids[:4] if o.left) or words["none"]
        asks = ", ".join(f"{_amount(o.left)} @ {_amount(o.price)}" for o in book.asks[:4] if o.left) or words["none"]
        price = _amount(book.price) if book.price else words["none"]
        yield words["book"].format(resource=words[resource], price=price, bids=bids, asks=asks)


def _own_orders(config: EconomistConfig, seen: WorkerSeen, words: Mapping[str, str]) -> Iterator[str]:
    """One line of the own orders that stand, with the steps in which each may still be filled."""
    now, steps = seen.shared.step, config.steps_per_epoch
    told = [
        words[f"own_{side}"].format(
            left=_amount(order.left), resource=words[resource], price=_amount(order.price),
            steps=min(order.since + config.terms.order_lifetime, steps) - now,
        )
        for resource, book in zip(RESOURCES, seen.shared.books, strict=True)
        for side, orders in (("buy", book.bids), ("sell", book.asks))
        for order in standing(orders) if order.by == seen.seat
    ]  # fmt: skip
    if told:
        yield words["own_orders"].format(orders="; ".join(told))


def _planner_page(config: EconomistConfig, seen: PlannerSeen, words: Mapping[str, str]) -> dict[str, Any]:
    told = seen.statistics
    rows = [
        words["report"].format(seat=seat, reported=_amount(reported), paid=_amount(paid))
        for seat, (reported, paid) in enumerate(zip(seen.reported, seen.paid, strict=True))
    ]
    return {
        **{name: f"{value:.6g}" for name, value in told._asdict().items()},
        "epoch": seen.shared.epoch + 1, "epochs": config.epochs, "catches": seen.catches, "flags": seen.flags,
        "welfare": f"{welfare(config, told):.6g}",
        "schedule": brackets(seen.shared.schedule, words), "reports": "\n".join(rows),
    }  # fmt: skip
