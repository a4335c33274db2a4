"""What a model is told: its function and goal, the rules in force, what it owns, the news, messages, its summary.

Texts are the files of ``prompts/``; here they are only filled. The same observation gives the same bytes.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from games.catalog.nations.config import WORDS, NationsConfig, provided_by
from games.catalog.nations.money import shown
from games.catalog.nations.observation import Observation
from games.catalog.nations.settings import RESOURCES
from games.catalog.nations.state import Account, Orders, Vow
from games.core.agents import Request
from games.core.answers import JSON, Note
from games.core.game import Seat
from games.core.prompts import GamePrompts, PromptContext, PromptFiles, quoted
from games.core.words import Voice

FILES: Final = PromptFiles(Path(__file__).parent / "prompts")
NOTES_SHOWN: Final = 5
Lines = Mapping[str, str]


class NationsPrompts(GamePrompts):
    """The texts of one request, for orders and for the summary after the news alike."""

    stages = frozenset({"orders"})
    personas = FILES.personas()
    memory = "summary"

    def render(self, config: NationsConfig, telling: PromptContext, /) -> Mapping[str, str]:
        seen, words = telling.observation, FILES.lines(telling.language)
        system = FILES.text(telling.language, "system").format(
            name=config.names[seen.seat],
            count=config.nations,
            nations=", ".join(config.names),
            persona=telling.persona,
            goal=_goal(config, seen, words),
            rules="\n".join(_rules(config, seen, words)),
            fields=", ".join(_fields(config)),
            example=json.dumps(_example(config, seen.seat), ensure_ascii=False),
        )
        user = [*_now(config, seen, words), *_news(config, seen, words), *_struck(config, seen, telling.language)]
        if telling.memory:
            user.append(telling.memory)
        return {"system": "\n".join(line.rstrip() for line in system.splitlines()), "user": "\n".join(user)}

    def objection(
        self, config: NationsConfig, request: Request[Any, Any], orders: Orders, language: str, /
    ) -> str | None:
        """Why nothing is left of orders of which no part could be read; None where something is, or was not wanted."""
        if not orders.unread or orders != Orders(unread=orders.unread):
            return None
        first = orders.unread[0]
        note = Note(f"unread_{first.field}", {"what": first.text})
        return FILES.lines(language)["objection"].format(note=_noted(config, note, language))

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
    return WORDS.note(note, language, Voice(str, lambda seat: _name(config, seat)))


def _name(config: NationsConfig, seat: Seat) -> str:
    return config.names[seat] if 0 <= seat < config.nations else str(seat)


# --- function, goal, rules ------------------------------------------------------------------------


def _goal(config: NationsConfig, seen: Observation, words: Lines) -> str:
    goal = seen.goal
    if goal is None:
        return words["goal_welfare"]
    rival = "" if goal.rival is None else config.names[goal.rival]
    line = words[f"goal_{goal.creed if goal.kind == 'ideology' else goal.kind}"]
    return f"{line.format(rival=rival, heritage=_list(goal.heritage))} {goal.text}".strip()


def _rules(config: NationsConfig, seen: Observation, words: Lines) -> Iterator[str]:
    public, needs = seen.public, config.resources
    rules = public.rules
    facts: dict[str, Any] = {
        "income": shown(rules.income),
        "price": shown(rules.price),
        "upkeep": shown(rules.upkeep),
        "damage": shown(rules.damage),
        "defence": shown(rules.defence),
        "penalty": shown(rules.penalty),
        "trade": shown(rules.trade),
        "messages": config.messages,
        "length": config.message_length,
        "turns": public.turns,
        "rounds": public.rounds,
        "borders": "; ".join(f"{one}-{other}" for one, other in config.borders),
        **(dict(zip(RESOURCES, needs.each, strict=True)) if needs else {}),
    }
    for name in _rule_names(config):
        yield words[name].format(**facts)


def _rule_names(config: NationsConfig) -> Iterator[str]:
    """The sentences that say what is in force."""
    yield "rule_income" if config.income_at == "start" else "rule_income_end"
    yield "rule_order"
    yield "rule_upkeep"
    yield "rule_attack"
    yield f"rule_losses_{config.losses}"
    yield f"rule_cut_{config.cut_off}"
    yield f"rule_penalty_{config.penalty}"
    yield "rule_disband"
    yield "rule_cede"
    if config.borders:
        yield "rule_borders"
    yield "rule_grant"
    if config.resources:
        yield "rule_resources"
    if config.messages:
        yield "rule_talk"
        if config.messages_seen == "all":
            yield "rule_overheard"
        yield "rule_quoted"
    else:
        yield "rule_silent"
    yield "rule_no_answer"
    yield f"rule_end{'_one' if config.rounds == 1 else ''}" if config.end_known else "rule_no_end"


def _fields(config: NationsConfig) -> Iterator[str]:
    yield from ("buy", "attacks", "cede", "grants", "disband")
    if config.resources:
        yield "resources"
    if config.messages:
        yield "messages"


def _example(config: NationsConfig, seat: Seat) -> JSON:
    other = config.names[1 if seat == 0 else 0]
    example: dict[str, JSON] = {"buy": 1, "attacks": [], "cede": [], "grants": [{"to": other, "amount": 12.5}]}
    if config.resources:
        example["resources"] = [{"to": other, "resource": "food", "amount": 2}]
    if config.messages:
        example["messages"] = [{"to": [other], "text": "..."}]
    return example


# --- what is the case -----------------------------------------------------------------------------


def _now(config: NationsConfig, seen: Observation, words: Lines) -> Iterator[str]:
    public, rules = seen.public, seen.public.rules
    of = "" if public.turns is None else words["of"].format(blank="", turns=public.turns)
    now = words["now" if public.turn <= rules.turns else "over"]
    yield now.format(round=public.round, turn=public.turn, of=of, name=config.names[seen.seat])
    yield words["own"].format(
        count=len(seen.own),
        territories=_list(seen.own) or words["nothing"],
        income=shown(seen.income),
        army=seen.army,
        upkeep=shown(seen.army * rules.upkeep),
        welfare=shown(seen.welfare),
    )
    if seen.held:
        yield words["held"].format(**dict(zip(RESOURCES, seen.held, strict=True)))
        each = enumerate(provided_by(config, public.round), 1)
        provided = "; ".join(f"{number}: {'/'.join(map(str, amounts))}" for number, amounts in each)
        yield words["provided"].format(provided=provided)
    yield words["owners_title"]
    for seat, own in enumerate(public.holdings):
        army = "" if public.armies is None else words["owners_army"].format(army=public.armies[seat])
        points = "" if public.welfare is None else words["owners_welfare"].format(welfare=shown(public.welfare[seat]))
        territories = _list(own) or words["nothing"]
        yield words["owners"].format(name=config.names[seat], territories=territories, army=army, welfare=points)


def _news(config: NationsConfig, seen: Observation, words: Lines) -> Iterator[str]:
    if seen.account is not None:
        yield words["news_title"]
        told = [*_happened(config, seen, words)]
        yield from told or [words["quiet"]]
        yield from _budgets(config, seen, words)
    for vow in seen.vows:
        yield _vow(config, seen, vow, words)
    received = seen.messages()
    if received:
        yield words["messages_title"]
    for event in received:
        data: Any = event.data
        by, text = config.names[data["by"]], quoted(data["text"])
        if event.kind == "message_announced":
            yield words["message_all"].format(by=by, text=text)
        else:
            to = ", ".join(config.names[seat] for seat in data["to"])
            yield words["message_some"].format(by=by, to=to, text=text)


def _happened(config: NationsConfig, seen: Observation, words: Lines) -> Iterator[str]:
    names = config.names
    for battle in seen.battles:
        yield words["attacked"].format(
            by=names[battle.by],
            on=names[battle.on],
            mils=battle.mils,
            lost=battle.lost,
            damage=shown(battle.damage),
        )
    for payment in seen.payments:
        line = words["granted_cut" if payment.paid < payment.wanted else "granted"]
        amounts = {"amount": shown(payment.paid), "wanted": shown(payment.wanted)}
        yield line.format(by=names[payment.by], to=names[payment.to], **amounts)
    for by, territory, to in seen.public.cessions:
        yield words["ceded"].format(by=names[by], territory=territory, to=names[to])
    for event in seen.news():
        told: Any = event.data
        if event.kind == "resource_granted":
            pair = {"by": names[told["by"]], "to": names[told["to"]]}
            yield words["resource_granted"].format(amount=told["amount"], resource=told["resource"], **pair)
        elif event.kind in ("promise_kept", "promise_broken"):
            what = words[f"vow_{told['what']}"].format(amount=told["amount"])
            yield words[event.kind].format(by=names[told["by"]], to=names[told["to"]], what=what)
        elif event.kind == "round_scored":
            yield words["round_scored"].format(name=names[told["by"]], welfare=told["welfare"], score=told["score"])


def _budgets(config: NationsConfig, seen: Observation, words: Lines) -> Iterator[str]:
    """The own turn's money and mils, and the money of others where it is seen."""
    own = seen.account
    assert own is not None
    yield words["budget"].format(money=_money(own, words))
    if own.deserted:
        yield words["deserted"].format(mils=own.deserted)
    cut = next(
        (event for event in seen.news() if event.kind == "disbanding_cut" and event.data["by"] == seen.seat), None
    )
    if own.disbanded or cut:
        yield words["disbanded"].format(mils=own.disbanded, wanted=cut.data["wanted"] if cut else own.disbanded)
    for seat, other in enumerate(seen.public.accounts or ()):
        if seat != seen.seat:
            yield words["budget_of"].format(name=config.names[seat], money=_money(other, words))


def _money(one: Account, words: Lines) -> str:
    return words["money"].format(
        gross=shown(one.gross),
        damage=shown(one.damage),
        penalty=shown(one.penalty),
        upkeep=shown(one.upkeep),
        bought=one.bought,
        wanted=one.wanted,
        spent=shown(one.spent),
        given=shown(one.granted),
        left=shown(one.left),
        received=shown(one.received),
        welfare=shown(one.welfare),
    )


def _vow(config: NationsConfig, seen: Observation, vow: Vow, words: Lines) -> str:
    what = words[f"vow_{vow.kind}"].format(amount=vow.amount)
    line = words["vow_mine" if vow.by == seen.seat else "vow_theirs"]
    return line.format(by=config.names[vow.by], to=config.names[vow.to], what=what, until=vow.until)


def _struck(config: NationsConfig, seen: Observation, language: str) -> Iterator[str]:
    """Why parts of the seat's last orders were not carried out as sent."""
    made: Sequence[Note] = seen.past[-1].notes if seen.past else ()
    notes = made[:NOTES_SHOWN]
    if len(made) > NOTES_SHOWN:
        notes = [*notes, Note("and_more", {"count": len(made) - NOTES_SHOWN})]
    words = FILES.lines(language)
    if notes:
        yield words["struck"]
    for note in notes:
        yield words["struck_one"].format(note=_noted(config, note, language))


def _list(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers))
