"""What a model is told: the rules in force for it, and what its seat knows now, in words of the folder ``prompts/``.

Nothing here looks at the world: all comes from the seat's observation and from settings that are told to everybody.
Source: AdaSociety paper, appendix D.2 (what the language model agents are told); the words are ours.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, get_args

from games.catalog.adasociety import listings
from games.catalog.adasociety.events import Teller, place
from games.catalog.adasociety.play import planning
from games.catalog.adasociety.play.plans import EXPLORE_STEPS, GATHER_MAX, OFFERS
from games.catalog.adasociety.rules.knowledge import full_kit
from games.catalog.adasociety.rules.state import KEPT, PASSED_MOST, SHARES, WEIGHTS, Action
from games.catalog.adasociety.setup.config import AdaSocietyConfig
from games.catalog.adasociety.setup.settings import SocialAct
from games.catalog.adasociety.setup.synthesis import UNLIMITED
from games.catalog.adasociety.setup.task import task_of
from games.core.agents import Request
from games.core.answers import JSON, ActionSpec
from games.core.prompts import GamePrompts, PromptContext, PromptFiles

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")
EXAMPLE: Final = 2
SOCIAL_ACTS: Final = get_args(SocialAct)
PAGES: Final = {"contract": "contract", "negotiation": "negotiation", "physical": "map", "exploration": "map"}
GUIDE: Final = ("guide_title", "guide_tools", "guide_near", "guide_group")
OVER: Final = "map"
"""Shown when the run is over, to whoever is asked what it made of it."""


class AdaSocietyPrompts(GamePrompts):
    """Option ``hints``: whether advice is given that holds for the game at large. Option ``form``: ``rules``, where a
    plan is JSON, or ``listing``, the form of the paper's, where it is a line of text beside worked examples.
    """

    stages = frozenset(PAGES)
    options: Mapping[str, JSON] = {"hints": False, "form": "rules"}
    choices: Mapping[str, tuple[str, ...]] = {"form": ("rules", "listing")}
    renamed: Mapping[str, str] = {"guidance": "hints"}
    personas = FILES.personas()
    output = "plan"

    def render(self, config: AdaSocietyConfig, telling: PromptContext, /) -> Mapping[str, str]:
        language, teller = telling.language, _teller(config, telling)
        seen = teller.seen
        page = FILES.text(language, PAGES.get(seen.stage, OVER)).format(memory=telling.memory, **_facts(config, teller))
        return {
            "system": _system(config, teller, language, telling.persona, bool(telling.options["hints"])),
            "user": "\n".join(line.rstrip() for line in page.splitlines() if line.strip()),
        }

    def plan_spec(self, config: AdaSocietyConfig, request: Request[Any, Any], /) -> ActionSpec[Any]:
        return planning.plan_spec(request)

    def as_plan(self, config: AdaSocietyConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        return planning.as_plan(request, action)

    def excess(self, config: AdaSocietyConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        return planning.excess(request.observation)

    def told_by(self, options: Mapping[str, JSON], /) -> GamePrompts:
        return ListingPrompts() if options.get("form") == "listing" else self


class ListingPrompts(AdaSocietyPrompts):
    """In the form of the paper's listings."""

    def render(self, config: AdaSocietyConfig, telling: PromptContext, /) -> Mapping[str, str]:
        teller = _teller(config, telling)
        advice = [teller.words[name] for name in GUIDE] if telling.options["hints"] else []
        return listings.page(config, teller, telling, FILES, [*_common(config, teller), *advice])

    def plan_spec(self, config: AdaSocietyConfig, request: Request[Any, Any], /) -> ActionSpec[Any]:
        if is_unknown(config):
            return listings.text_spec(request)
        kit = full_kit(task_of(config), request.seat)
        told = [event for event in kit.events if event is not None]
        return listings.text_spec(request, {name: event.name for event in told for name, _ in event.outputs})

    def as_plan(self, config: AdaSocietyConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        return listings.as_text(request, action)

    def excess(self, config: AdaSocietyConfig, request: Request[Any, Any], action: Action, /) -> JSON:
        return f"Plan: GATHER {10 * GATHER_MAX} WOOD."


def _teller(config: AdaSocietyConfig, telling: PromptContext) -> Teller:
    seen = telling.observation
    if not is_unknown(config):
        seen = seen._replace(kit=full_kit(task_of(config), seen.seat))
    return Teller(seen, FILES.lines(telling.language))


def _system(config: AdaSocietyConfig, teller: Teller, language: str, persona: str, guided: bool) -> str:
    seen, words = teller.seen, teller.words
    kit = seen.kit
    count = len(kit.names)
    facts = {
        **config.model_dump(include={"height", "width", "sight", "steps", "social_steps", "contract_rounds"}),
        **config.model_dump(include={"message_chars", "message_numbers"}),
        "social_steps": config.social_steps,
        "last_row": kit.height - 1,
        "last_col": kit.width - 1,
        "groups": config.group_count,
        "passed_most": PASSED_MOST,
        "kept_least": KEPT[0],
        "kept_most": KEPT[-1],
        "weight_least": WEIGHTS[0],
        "weight_most": WEIGHTS[-1],
        "first_group": 0,
        "last_group": config.group_count - 1,
        "least": SHARES[0],
        "most": SHARES[-1],
        "gather_least": 1,
        "gather_most": GATHER_MAX,
        "explore": EXPLORE_STEPS,
        "offers": OFFERS,
        "example": EXAMPLE,
        "first": kit.resources[0],
    }
    guidance = GUIDE if guided else ()
    text = FILES.text(language, "system").format(
        name=kit.name,
        seat=seen.seat,
        count=count,
        first=0,
        last=count - 1,
        role=kit.role,
        persona=persona,
        agents=", ".join(f"{number} {name}" for number, name in enumerate(kit.names)),
        rules="\n".join((*(words[name].format(**facts) for name in _rules(config)), *_common(config, teller))),
        guidance="\n".join(["", *(words[name] for name in guidance), ""]) if guided else "",
        plans="\n".join(words[name].format(**facts) for name in _ways(config, seen.stage)),
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


def _rules(config: AdaSocietyConfig) -> Iterator[str]:
    """The names of the sentences that say what is in force."""
    unknown = "rule_unknown" if is_unknown(config) else "rule_seen"
    yield from ("rule_map", "rule_sight", unknown, "rule_cell", "rule_value", "rule_shared", "rule_physical")
    if config.social_control != "free":
        yield "rule_forced"
    elif config.mini_game == "social_structure":
        yield "rule_given"
    else:
        yield f"rule_{config.mini_game}"
        yield from (f"rule_{act}" for act in SOCIAL_ACTS if act in config.social_actions)
        if config.group_norm != "none":
            yield f"rule_norm_{config.group_norm}"
    if config.social_control == "free" and config.mini_game in ("contract", "negotiation") and config.social_steps:
        yield f"rule_silent_{config.mini_game}"
    yield "rule_silent"


def is_unknown(config: AdaSocietyConfig) -> bool:
    """Whether what exists is to be found out: in Exploration (2.1.1). The other mini-games tell it (D.2, listings)."""
    return config.mini_game == "exploration"


def _common(config: AdaSocietyConfig, teller: Teller) -> Iterator[str]:
    """What everybody is told of what exists: the tree, what shows itself to whom, and each role's worth and load."""
    yield from teller.pressure()
    if is_unknown(config):
        return
    task, words = task_of(config), teller.words
    recipes = list(teller.recipes())
    if recipes:
        yield words["rule_tree"]
        yield from recipes
    for name, requires in zip(task.resources, task.requires, strict=True):
        if requires:
            held = teller.units((task.resources[kind], count) for kind, count in requires)
            yield words["rule_gated"].format(name=name, requires=held)
    yield words["rule_roles"]
    bodies = list(zip(task.roles, task.values, task.capacities, strict=True))
    for body in dict.fromkeys(bodies):
        role, seats = body[0], [seat for seat, one in enumerate(bodies) if one == body]
        kit = full_kit(task, seats[0])
        things = ", ".join(
            words["role_thing"].format(
                name=name,
                value=f"{value:g}",
                capacity=words["any_number"] if most >= UNLIMITED else most,
            )
            for name, value, most in zip(kit.resources, kit.values, kit.capacity, strict=True)
        )
        yield words["rule_role"].format(role=role, names=teller.names(seats), things=things)


def _ways(config: AdaSocietyConfig, stage: str) -> Iterator[str]:
    """The names of the sentences that say how to answer."""
    if stage in ("contract", "negotiation"):
        yield f"plans_{stage}"
        return
    yield from ("plans_map", "plan_gather", "plan_craft", "plan_dump", "plan_explore", "plan_go")
    if stage == "exploration":
        yield "plans_social"
    if not is_unknown(config):
        yield "plan_example"


def _facts(config: AdaSocietyConfig, teller: Teller) -> dict[str, Any]:
    """What fills the page of a stage."""
    seen, words = teller.seen, teller.words
    common = {
        "step": seen.step + 1,
        "horizon": seen.horizon,
        "things": "\n".join(teller.things()),
        "society": "\n".join(teller.society()),
    }
    if seen.stage == "contract":
        at, count = seen.step, len(seen.order)
        turns = {"turn": at // count + 1, "turns": config.contract_rounds}
        free = [str(number) for number in teller.free_groups()]
        order = teller.names(seen.order)
        return {**common, **turns, "order": order, "free": ", ".join(free) or words["none"]}
    if seen.stage == "negotiation":
        left = config.social_steps - seen.step
        bargain, offers = "\n".join(teller.bargain()), teller.offers()
        return {**common, "left": left, "bargain": bargain, "offers": offers}
    recipes = list(teller.recipes())
    return {
        **common,
        "place": place(seen.kit, seen.cell),
        "here": teller.here(),
        "bag": teller.bag(),
        "recipes_title": words["recipes_title"] if recipes else "",
        "recipes": "\n".join(recipes),
        "sights": "\n".join(teller.sights()) or words["sight_none"],
        "messages": "\n".join(teller.messages()),
        "hints": "\n".join(teller.hints()),
    }
