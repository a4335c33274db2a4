"""What a model is told: its function and goal, the rules in force, what it owns, the news, messages, its summary.

Texts are the templates of ``texts/``; here are the facts for them. The same observation gives the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.catalog.nations.config import WORDS, NationsConfig, provided_by
from games.catalog.nations.money import shown
from games.catalog.nations.observation import Observation
from games.catalog.nations.state import Orders
from games.catalog.nations.terms import MONEY
from games.core.agents import Request
from games.core.answers import JSON, Note
from games.core.prompts import GamePrompts, PromptContext, PromptFiles
from games.core.templates import Templates
from games.core.words import Voice

TEXTS: Final = Templates(Path(__file__).parent / "texts")
NOTES_SHOWN: Final = 5
NEWS: Final = ("resource_granted", "promise_kept", "promise_broken", "round_scored")
OPTIONAL: Final = ("resources", "messages")


class NationsPrompts(GamePrompts):
    """The texts of one request, for orders and for the summary after the news alike."""

    stages = frozenset({"orders"})
    personas = PromptFiles(Path(__file__).parent / "prompts").personas()
    memory = "summary"

    def render(self, config: NationsConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen, language = telling.observation, telling.language
        system = {**rules_in_force(config, seen), "to_model": True, "persona": telling.persona}
        user = TEXTS.say(language, "round", {**_now(config, seen), **_news(config, seen, language)})
        return {
            "system": TEXTS.say(language, "system", system),
            "user": f"{user}\n{telling.memory}" if telling.memory else user,
        }

    def objection(
        self, config: NationsConfig, request: Request[Any, Any], orders: Orders, language: str, /
    ) -> str | None:
        """Why nothing is left of orders of which no part could be read; None where something is, or was not wanted."""
        if not orders.unread or orders != Orders(unread=orders.unread):
            return None
        first = orders.unread[0]
        note = Note(f"unread_{first.field}", {"what": first.text})
        return TEXTS.say(language, "objection", {"note": _noted(config, note, language)})

    def excess(self, config: NationsConfig, request: Request[Any, Any], orders: Orders, /) -> JSON:
        """Orders for more mils than there are and for more money than there is."""
        seen: Observation = request.observation
        others = [config.names[seat] for seat in seen.others]
        return {
            "buy": 1000,
            "attacks": [{"on": name, "mils": seen.army + 1} for name in others],
            "grants": [{"to": name, "amount": shown(seen.income + 100)} for name in others],
        }


def _noted(config: NationsConfig, note: Note, language: str) -> str:
    """A note in the words of the prompts: nations by name."""
    names = dict(enumerate(config.names))
    return WORDS.note(note, language, Voice(str, lambda seat: names.get(seat, str(seat))))


def rules_in_force(config: NationsConfig, seen: Observation) -> Mapping[str, Any]:
    """What the rules are told from: the settings, and those of the round in their place."""
    public, needs, goal = seen.public, config.resources, seen.goal
    rules = public.rules
    other = config.names[1 if seen.seat == 0 else 0]
    example: dict[str, JSON] = {"buy": 1, "attacks": [], "cede": [], "grants": [{"to": other, "amount": 12.5}]}
    if needs:
        example["resources"] = [{"to": other, "resource": "food", "amount": 2}]
    if config.messages:
        example["messages"] = [{"to": [other], "text": "..."}]
    return {
        **dict(config),
        "name": config.names[seen.seat],
        "names": config.names,
        "goal": goal,
        "rival": "" if goal is None or goal.rival is None else config.names[goal.rival],
        **{name: shown(getattr(rules, short)) for name, short in MONEY.items()},
        "penalised": bool(rules.penalty),
        "turns": public.turns,
        "rounds": public.rounds,
        "one_round": config.rounds == 1,
        "neighbours": [f"{one}-{other}" for one, other in config.borders],
        "needs": needs.each if needs else (),
        "fields": ["buy", "attacks", "cede", "grants", "disband", *(name for name in OPTIONAL if name in example)],
        "example": example,
    }


def _now(config: NationsConfig, seen: Observation) -> Mapping[str, Any]:
    public, rules = seen.public, seen.public.rules
    return {
        "seat": seen.seat,
        "name": config.names[seen.seat],
        "names": config.names,
        "shown": shown,
        "round": public.round,
        "turn": public.turn,
        "turns": public.turns,
        "over": public.is_over,
        "own": seen.own,
        "income": shown(seen.income),
        "army": seen.army,
        "upkeep": shown(seen.army * rules.upkeep),
        "welfare": shown(seen.welfare),
        "held": seen.held,
        "provided": provided_by(config, public.round) if seen.held else (),
        "owners": [
            {
                "name": config.names[seat],
                "own": own,
                "army": None if public.armies is None else public.armies[seat],
                "welfare": None if public.welfare is None else shown(public.welfare[seat]),
            }
            for seat, own in enumerate(public.holdings)
        ],
    }


def _news(config: NationsConfig, seen: Observation, language: str) -> Mapping[str, Any]:
    cut = (event for event in seen.news() if event.kind == "disbanding_cut" and event.data["by"] == seen.seat)
    made: Sequence[Note] = seen.past[-1].notes if seen.past else ()
    notes = [*made[:NOTES_SHOWN]]
    if len(made) > NOTES_SHOWN:
        notes.append(Note("and_more", {"count": len(made) - NOTES_SHOWN}))
    received: list[Any] = [event.data for event in seen.messages()]
    return {
        "account": seen.account,
        "battles": seen.battles,
        "payments": seen.payments,
        "cessions": seen.public.cessions,
        "events": [(event.kind, event.data) for event in seen.news() if event.kind in NEWS],
        "disbanding_wanted": next((event.data["wanted"] for event in cut), None),
        "accounts": [
            (config.names[seat], other) for seat, other in enumerate(seen.public.accounts or ()) if seat != seen.seat
        ],
        "vows": seen.vows,
        "received": [{**one, "names": [config.names[seat] for seat in one.get("to", ())]} for one in received],
        "struck": [_noted(config, note, language) for note in notes],
    }
