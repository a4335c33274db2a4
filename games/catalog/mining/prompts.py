"""What a model is told: rules in force, objective, map, own plots, conflicts, messages, and the source's guidance.

Texts are the templates of ``texts/``; here are the facts for them. The same observation gives the same bytes.
Source: "agent_interface_io_template_bilingual", "public_information_and_summaries" and
"thought_constraints_and_policy_guidance".
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from games.catalog.mining.cleaning import clean_plan
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.observation import Observation
from games.catalog.mining.policies import border, by_core, enough_plots, plots_for
from games.catalog.mining.shared import Shared
from games.catalog.mining.state import LAND, NOBODY, Item, MiningState, Plan
from games.core.agents import Request
from games.core.answers import JSON, Note
from games.core.game import Seat
from games.core.prompts import GamePrompts, PromptContext, PromptFiles
from games.core.rng import Rng
from games.core.templates import Templates
from games.core.values import Same
from games.core.words import Voice, Words

TEXTS: Final = Templates(Path(__file__).parent / "texts")
WORDS: Final = Words(Path(__file__).parent / "words")
PUBLIC_CONFLICTS: Final = (
    "claim_drawn",
    "plot_taken",
    "raid_drawn",
    "raid_repelled",
    "raid_void",
    "plot_restored",
    "capture_upheld",
    "levy_paid",
    "treasury_shared",
)
NEAREST_SHOWN: Final = 8
NOTES_SHOWN: Final = 5


def _noted(note: Note, language: str) -> str:
    """A note in the words of the prompts: actions by the names of their types, plots as they stand in the map."""
    voice = Voice(str, lambda seat: TEXTS.say(language, "miner", {"seat": seat}), "[{}, {}]".format)
    return WORDS.note(note, language, voice)


class MiningPrompts(GamePrompts):
    """The texts of one request. Option ``hints``: whether the source's guidance is given, with its facts."""

    stages = frozenset({"act"})
    options: Mapping[str, JSON] = {"hints": False}
    renamed: Mapping[str, str] = {"heuristics": "hints"}
    personas = PromptFiles(Path(__file__).parent / "prompts").personas()

    def render(self, config: MiningConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen, guided = telling.observation, bool(telling.options["hints"])
        world = seen.shared
        lasting = config, seen.seat, tuple(world.stamina), tuple(world.alpha)
        facts = _round(config, seen, telling.language, telling.memory, guided)
        if telling.has_answers:
            facts = {**facts, "own_plans": ()}
        return {
            "system": _system(*lasting, telling.language, telling.persona, guided),
            "user": _without_gaps(TEXTS.say(telling.language, "round", facts)),
        }

    def objection(self, config: MiningConfig, request: Request[Any, Any], plan: Plan, language: str, /) -> str | None:
        """Why nothing of a plan that has items is legal; None where something is."""
        if not plan.items:
            return None
        seen: Shared = request.observation.shared
        world = MiningState(seen.round - 1, *LAND(seen), (), ())
        plain = config.model_copy(update={"rationalisation": "off"})
        left, notes = clean_plan(plain, world, request.seat, plan, Rng(0))
        if left.items:
            return None
        facts = {"count": len(plan.items), "note": _noted(notes[0], language)}
        return TEXTS.say(language, "objection", facts)

    def as_answered(self, config: MiningConfig, raw: JSON, /) -> JSON:
        """Without the parts that could not be read."""
        told: Any = raw
        return {**told, **{name: [one for one in told[name] if "part" not in one] for name in ("items", "messages")}}

    def excess(self, config: MiningConfig, request: Request[Any, Any], plan: Plan, /) -> JSON:
        """A plan's items, and after them a claim or raid of every plot that is open to one."""
        seen: Shared = request.observation.shared
        own: list[JSON] = [asdict(item) for item in plan.items if isinstance(item, Item)]
        more = [("claim", plot) for plot in seen.free]
        more += [("raid", plot) for plot in seen.raidable if seen.owners[plot] not in (NOBODY, request.seat)]
        return {"items": [*own, *({"type": kind, "cell": list(seen.grid.cells[plot])} for kind, plot in more)]}


# --- the rules in force ---------------------------------------------------------------------------


@lru_cache(maxsize=2048)
def _system(
    config: MiningConfig, seat: Seat, stamina: tuple[int, ...], alpha: tuple[int, ...], language: str, persona: str,
    guided: bool,
) -> str:  # fmt: skip
    return TEXTS.say(
        language,
        "system",
        {**rules_in_force(config, seat, stamina, alpha), "to_model": True, "persona": persona, "guided": guided},
    )


def rules_in_force(
    config: MiningConfig, seat: Seat, stamina: Sequence[int], alpha: Sequence[int]
) -> Mapping[str, object]:
    """What the rules are told from: the settings, and what a match has drawn once."""
    own = [0, config.cols - 1]
    return {
        **dict(config),
        "seat": seat,
        "stamina": stamina[seat],
        "by_miner": stamina if _is_uneven(stamina) else (),
        "alpha": _usual(alpha),
        "lowest": min(alpha),
        "uneven": _is_uneven(alpha),
        "enough": plots_for(stamina[seat], config.mine_cap),
        "example": {
            "items": [
                {"type": "defend", "cell": own},
                {"type": "mine", "cell": own, "s": config.mine_cap},
                {"type": "claim", "cell": [config.rows - 1, 0]},
            ]
        },
    }


def _is_uneven(values: Sequence[int]) -> bool:
    return len(set(values)) > 1


def _usual(values: Sequence[int]) -> int:
    """The most frequent value, the lowest of several."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))


# --- the round ------------------------------------------------------------------------------------


def _round(config: MiningConfig, seen: Observation, language: str, memory: str, guided: bool) -> Mapping[str, object]:
    world, seat = seen.shared, seen.seat
    public = _public_of(_SameWorld(seen), language)
    plans = seen.own_plans()
    return {
        **public,
        **(_guidance(seen) if guided else {}),
        "guided": guided,
        "memory": memory,
        "round": seen.round,
        "rounds": config.rounds,
        "seat": seat,
        "gold": seen.gold,
        "stamina": seen.stamina,
        "plots": [(_cell(world, plot), seen.age(plot), world.alpha[plot]) for plot in seen.plots],
        "immune": [cell for cell, owner in public["immune"] if owner != seat],
        "raid_tax": config.raid_tax,
        "capture_fine": config.capture_fine,
        "treasury": world.treasury,
        "own_plans": [
            (n, [f"{item.type} {[*item.cell]} {item.s}" for item in plan.items if isinstance(item, Item)])
            for n, plan in plans
        ],
        "struck": [_noted(note, language) for note in seen.past[-1].notes[:NOTES_SHOWN]] if plans else (),
        "received": [event.data for event in seen.messages()],
    }


def _guidance(seen: Observation) -> Mapping[str, object]:
    """What the source's guidance refers to: plots to claim, to raid and to defend."""
    world, seat = seen.shared, seen.seat
    enough = enough_plots(world, seat)
    few = len(seen.plots) < enough
    near = world.grid.nearest(seen.plots, world.is_free, NEAREST_SHOWN) if few else ()
    rival = world.largest_beside(seat) if few and not near and not world.free else NOBODY
    return {
        "enough": enough,
        "near": _cells(world, near),
        "rival": rival,
        "targets": _cells(world, filter(world.is_raidable, border(world, rival))) if rival != NOBODY else (),
        "challenged": world.challenged[seat],
        "core": _cells(world, by_core(world, seat)) if world.challenged[seat] and seen.plots else (),
    }


class _SameWorld(Same):
    """A key that is equal for the seats of one state only."""

    __slots__ = ("seen",)

    def __init__(self, seen: Observation) -> None:
        super().__init__(seen.shared)
        self.seen = seen


@lru_cache(maxsize=4)
def _public_of(key: _SameWorld, language: str) -> Mapping[str, Any]:
    """What is told alike to every seat of one state: worded once. ``immune``: with their owners, who are not told."""
    seen, world = key.seen, key.seen.shared
    largest = world.largest_beside(NOBODY)
    uneven, usual = _is_uneven(world.alpha), _usual(world.alpha)
    immune = [plot for plot, until in enumerate(world.immune_until) if until >= world.round]
    runs = seen.occupancy()
    conflicts = [
        (n, event.kind, event.data)
        for n, events in seen.rounds_seen()
        for event in events
        if event.kind in PUBLIC_CONFLICTS
    ]
    return {
        "uneven": uneven,
        "free": len(world.free),
        "largest": None if largest == NOBODY else largest,
        "largest_count": 0 if largest == NOBODY else len(world.holdings[largest]),
        "usual": usual,
        "rich": [(_cell(world, plot), alpha) for plot, alpha in enumerate(world.alpha) if uneven and alpha != usual],
        "immune": [(_cell(world, plot), owner) for plot in immune if (owner := world.owners[plot]) != NOBODY],
        "defended": _cells(world, world.last.defended),
        "map": TEXTS.say(language, "map", {"in_runs": bool(runs), "map_rows": runs or _whole_map(world)}),
        "history": TEXTS.say(language, "history", {"totals": seen.summary(), "conflicts": conflicts}),
    }


def _without_gaps(text: str) -> str:
    while "\n\n" in text:
        text = text.replace("\n\n", "\n")
    return text.strip("\n")


def _whole_map(world: Shared) -> list[str]:
    cols = world.grid.cols
    owners = ["." if owner == NOBODY else str(owner) for owner in world.owners]
    return [" ".join(owners[start : start + cols]) for start in range(0, len(owners), cols)]


def _cell(world: Shared, plot: int) -> str:
    row, col = world.grid.cells[plot]
    return f"[{row}, {col}]"


def _cells(world: Shared, plots: Iterable[int]) -> list[str]:
    return [_cell(world, plot) for plot in plots]
