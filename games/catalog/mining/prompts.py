"""What a model is told: rules in force, objective, map, own plots, conflicts, messages, and the source's guidance.

Texts are the files of ``prompts/``; here they are only filled. The same observation gives the same bytes.
Source: "agent_interface_io_template_bilingual", "public_information_and_summaries" and
"thought_constraints_and_policy_guidance".
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from games.catalog.mining.cleaning import clean_plan
from games.catalog.mining.config import MiningConfig
from games.catalog.mining.observation import Observation
from games.catalog.mining.policies import border, by_core, enough_plots, plots_for
from games.catalog.mining.shared import Shared
from games.catalog.mining.state import NOBODY, Item, MiningState, Plan
from games.core.agents import Request
from games.core.answers import JSON, Note
from games.core.game import Event, Seat
from games.core.prompts import GamePrompts, PromptContext, PromptFiles, quoted
from games.core.rng import Rng
from games.core.words import Voice, Words

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")
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
Lines = Mapping[str, str]


def _noted(note: Note, language: str) -> str:
    """A note in the words of the prompts: actions by the names of their types, plots as they stand in the map."""
    voice = Voice(str, lambda seat: lines(language)["miner"].format(seat=seat), "[{}, {}]".format)
    return WORDS.note(note, language, voice)


def lines(language: str) -> Lines:
    """The sentences of one language by name."""
    return FILES.lines(language)


class MiningPrompts(GamePrompts):
    """The texts of one request. Option ``heuristics``: whether the source's guidance is given, with its facts."""

    stages = frozenset({"act"})
    options: Mapping[str, JSON] = {"heuristics": True}
    personas = FILES.personas()

    def render(self, config: MiningConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen, guided = telling.observation, bool(telling.options["heuristics"])
        return {
            "system": _system(config, *_lasting(seen), telling.language, telling.persona, guided),
            "user": _round(config, seen, telling.language, telling.memory, guided),
        }

    def objection(self, config: MiningConfig, request: Request[Any, Any], plan: Plan, language: str, /) -> str | None:
        """Why nothing of a plan that has items is legal; None where something is."""
        if not plan.items:
            return None
        seen: Shared = request.observation.shared
        world = MiningState(
            seen.round - 1, seen.owners, seen.since, seen.first, seen.immune_until, seen.alpha, seen.stamina, (), ()
        )
        plain = config.model_copy(update={"rationalisation": "off"})
        left, notes = clean_plan(plain, world, request.seat, plan, Rng(0))
        if left.items:
            return None
        return lines(language)["objection"].format(count=len(plan.items), note=_noted(notes[0], language))

    def excess(self, config: MiningConfig, request: Request[Any, Any], plan: Plan, /) -> JSON:
        """A plan's items, and after them a claim or raid of every plot that is open to one."""
        seen: Shared = request.observation.shared
        own: list[JSON] = [_raw(item) for item in plan.items if isinstance(item, Item)]
        more = [("claim", plot) for plot in seen.free]
        more += [("raid", plot) for plot in seen.raidable if seen.owners[plot] not in (NOBODY, request.seat)]
        return {"items": [*own, *({"type": kind, "cell": list(seen.grid.cells[plot])} for kind, plot in more)]}


def _raw(item: Item) -> dict[str, JSON]:
    return {"type": item.type, "cell": list(item.cell), "s": item.s}


# --- the rules in force ---------------------------------------------------------------------------


def _lasting(seen: Observation) -> tuple[Seat, tuple[int, ...], tuple[int, ...]]:
    """What a match has drawn once: whose eyes these are, the stamina of all, what each plot yields."""
    return seen.seat, tuple(seen.shared.stamina), tuple(seen.shared.alpha)


@lru_cache(maxsize=2048)
def _system(
    config: MiningConfig,
    seat: Seat,
    stamina: tuple[int, ...],
    alpha: tuple[int, ...],
    language: str,
    persona: str,
    guided: bool,
) -> str:
    words = lines(language)
    names = [*_rules(config, _is_uneven(stamina), _is_uneven(alpha))]
    facts = {
        **config.model_dump(include=set(_FACTS)),
        "last_row": config.rows - 1,
        "last_col": config.cols - 1,
        "stamina": stamina[seat],
        "alpha": _usual(alpha),
        "by_miner": ", ".join(f"{seat}: {budget}" for seat, budget in enumerate(stamina)),
        "adjudication": f"{config.adjudication:g}",
        "enough": plots_for(stamina[seat], config.mine_cap),
    }
    guide = ("guide_title", "guide_claim", "guide_raid", "guide_mine", "guide_defend") if guided else ()
    text = FILES.text(language, "system").format(
        seat=seat,
        last_miner=config.miners - 1,
        rows=config.rows,
        cols=config.cols,
        rounds=config.rounds,
        persona=persona,
        rules="\n".join(words[name].format(**facts) for name in names),
        heuristics="\n".join(["", *(words[name].format(**facts) for name in guide), ""]) if guide else "",
        defend_too=f" {words['defend_too']}" if config.defence == "per_point" else "",
        example=json.dumps(_example(config)),
    )
    return "\n".join(line.rstrip() for line in text.splitlines())


_FACTS: Final = (
    "messages",
    "message_length",
    "mine_cap",
    "immunity_window",
    "raid_tax",
    "capture_fine",
    "history_k",
)


def _rules(config: MiningConfig, stamina_differs: bool, land_differs: bool) -> Iterable[str]:
    """The names of the sentences that say what is in force."""
    yield "rule_cells"
    yield "rule_same_time"
    yield "rule_talk" if config.messages else "rule_no_talk"
    yield "rule_stamina"
    if stamina_differs:
        yield "rule_stamina_by_miner"
    yield "rule_claim"
    yield "rule_raid"
    yield "rule_defend_block" if config.defence == "block_all" else "rule_defend_point"
    yield "rule_mine_uneven" if land_differs else "rule_mine"
    yield "rule_order"
    yield "rule_immunity" if config.immunity_window else "rule_no_immunity"
    if config.raid_tax:
        yield "rule_raid_tax"
    if config.capture_fine:
        yield "rule_capture_fine"
    if config.raid_tax or config.capture_fine:
        yield "rule_shared" if config.share_out else "rule_kept"
    if config.adjudication:
        yield "rule_adjudication"
    yield "rule_priority"
    yield "rule_nothing" if config.rationalisation == "off" else "rule_drawn"
    yield f"rule_history_{config.history}"


def _example(config: MiningConfig) -> JSON:
    own = [0, config.cols - 1]
    items: list[JSON] = [
        {"type": "defend", "cell": own},
        {"type": "mine", "cell": own, "s": config.mine_cap},
        {"type": "claim", "cell": [config.rows - 1, 0]},
    ]
    return {"items": items}


def _is_uneven(values: Sequence[int]) -> bool:
    return len(set(values)) > 1


def _usual(values: Sequence[int]) -> int:
    """The most frequent value, the lowest of several."""
    counts = Counter(values)
    return min(counts, key=lambda value: (-counts[value], value))


# --- the round ------------------------------------------------------------------------------------


def _round(config: MiningConfig, seen: Observation, language: str, memory: str, guided: bool) -> str:
    words, world = lines(language), seen.shared
    uneven = _is_uneven(world.alpha)
    plots = [
        words["plot_rich" if uneven else "plot"].format(
            cell=_cell(world, plot), age=seen.age(plot), alpha=world.alpha[plot]
        )
        for plot in seen.plots
    ]
    public = _public(seen, language)
    holder = words["largest_none"]
    if (largest := world.largest_beside(NOBODY)) != NOBODY:
        holder = words["largest"].format(largest=largest, count=len(world.holdings[largest]))
    text = FILES.text(language, "round").format(
        round=seen.round,
        rounds=config.rounds,
        seat=seen.seat,
        gold=seen.gold,
        stamina=seen.stamina,
        count=len(seen.plots),
        plots="; ".join(plots) or words["none"],
        map_title=words["map_runs" if config.occupancy_summary else "map_whole"],
        map=public["map"],
        free=len(world.free),
        largest=holder,
        facts="\n".join(_facts(config, seen, words, guided)),
        summary=public["summary"],
        history_title=words["history_title"],
        history=public["history"],
        own="\n".join(_own(config, seen, language)),
        messages="\n".join(_messages(seen, words)),
        memory=memory,
    )
    return "\n".join(line for line in text.splitlines() if line.strip())


class _SameWorld:
    """A key that is equal for the seats of one state only."""

    __slots__ = ("seen",)

    def __init__(self, seen: Observation) -> None:
        self.seen = seen

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _SameWorld) and self.seen.shared is other.seen.shared

    def __hash__(self) -> int:
        return id(self.seen.shared)


def _public(seen: Observation, language: str) -> Mapping[str, str]:
    """What is told alike to every seat of one state: worded once."""
    return _public_of(_SameWorld(seen), language)


@lru_cache(maxsize=4)
def _public_of(key: _SameWorld, language: str) -> Mapping[str, str]:
    seen, words = key.seen, lines(language)
    totals = seen.summary()
    rows = seen.occupancy() or _whole_map(seen.shared)
    conflicts = [
        words[event.kind].format(n=n, **_told(event))
        for n, events in seen.rounds_seen()
        for event in events
        if event.kind in PUBLIC_CONFLICTS
    ]
    return {
        "map": "\n".join(words["map_row"].format(row=row, owners=owners) for row, owners in enumerate(rows)),
        "summary": words["summary"].format(**totals) if totals["rounds"] else "",
        "history": "\n".join(conflicts or [words["history_none"]]),
    }


def _whole_map(world: Shared) -> list[str]:
    cols = world.grid.cols
    owners = ["." if owner == NOBODY else str(owner) for owner in world.owners]
    return [" ".join(owners[start : start + cols]) for start in range(0, len(owners), cols)]


def _facts(config: MiningConfig, seen: Observation, words: Lines, guided: bool) -> Iterable[str]:
    world, seat = seen.shared, seen.seat
    if _is_uneven(world.alpha):
        usual = _usual(world.alpha)
        rich = [
            words["rich"].format(cell=_cell(world, plot), alpha=alpha)
            for plot, alpha in enumerate(world.alpha)
            if alpha != usual
        ]
        yield words["fact_rich"].format(alpha=usual, plots="; ".join(rich))
    immune = [
        plot
        for plot, until in enumerate(world.immune_until)
        if until >= world.round and world.owners[plot] not in (NOBODY, seat)
    ]
    if immune:
        yield words["fact_immune"].format(plots=_cells(world, immune))
    if config.raid_tax or config.capture_fine:
        yield words["fact_treasury"].format(treasury=world.treasury)
    if not guided:
        return
    enough = enough_plots(world, seat)
    yield words["fact_enough"].format(enough=enough, count=len(seen.plots))
    if len(seen.plots) < enough:
        near = world.grid.nearest(seen.plots, world.is_free, NEAREST_SHOWN)
        if near:
            yield words["fact_nearest"].format(plots=_cells(world, near))
        elif not world.free and (largest := world.largest_beside(seat)) != NOBODY:
            targets = [plot for plot in border(world, largest) if world.is_raidable(plot)]
            if targets:
                yield words["fact_border"].format(largest=largest, plots=_cells(world, targets))
    if world.challenged[seat] and seen.plots:
        yield words["fact_core"].format(round=world.challenged[seat], plots=_cells(world, by_core(world, seat)))


def _own(config: MiningConfig, seen: Observation, language: str) -> Iterable[str]:
    """The seat's own last plans, and what was struck out of the last of them."""
    words = lines(language)
    plans = list(seen.own_plans())[-config.history_k :]
    if not plans:
        return
    yield words["own_title"]
    for n, plan in plans:
        items = "; ".join(
            words["own_item"].format(type=item.type, cell=f"[{item.cell[0]}, {item.cell[1]}]", s=item.s)
            for item in plan.items
            if isinstance(item, Item)
        )
        yield words["own_plan"].format(n=n, items=items or words["own_nothing"])
    notes = seen.past[-1].notes[:NOTES_SHOWN]
    if notes:
        yield words["struck"]
        for note in notes:
            yield words["struck_one"].format(note=_noted(note, language))


def _messages(seen: Observation, words: Lines) -> Iterable[str]:
    """What others wrote, each as one quoted line."""
    received = seen.messages()
    if not received:
        return
    yield words["messages_title"]
    for event in received:
        data: Any = event.data
        text = quoted(data["text"])
        if event.kind == "message_announced":
            yield words["message_all"].format(by=data["by"], text=text)
        else:
            yield words["message_some"].format(by=data["by"], to=_seats(data["to"]), text=text)


def _told(event: Event) -> dict[str, Any]:
    """An event's data as words: cells and lists of seats written out."""
    told: dict[str, Any] = dict(event.data)
    for name in ("claimants", "raiders"):
        if name in told:
            told[name] = _seats(told[name])
    if "plot" in told:
        told["plot"] = f"[{told['plot'][0]}, {told['plot'][1]}]"
    return told


def _seats(seats: Sequence[int]) -> str:
    return ", ".join(str(seat) for seat in seats)


def _cell(world: Shared, plot: int) -> str:
    row, col = world.grid.cells[plot]
    return f"[{row}, {col}]"


def _cells(world: Shared, plots: Iterable[int]) -> str:
    return ", ".join(_cell(world, plot) for plot in plots)
