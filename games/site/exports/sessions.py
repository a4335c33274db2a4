"""The tidy tables of a session: a row a member, visit, answer, match, seat, decision, message and payment, all typed.

People, models and policies have the same columns. A member is called by a pseudonym, in all tables the same; who that
is stands in one table of its own (`labels_of`), which is in none of the others and can be thrown away (`unlink`).
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from django.db.models import Max

from games.core.conduct import stand_in
from games.site.exports.chosen import Chosen
from games.site.exports.sessioncolumns import TABLES, Field, Kind, Row
from games.site.exports.tables import COLUMNS, pseudonym, rows_of
from games.site.models import Call, Decision, Member, Message, Participant, Run, Session, Step, Visit
from games.site.people.seat_page import counts_of_many
from games.site.record import selectors
from games.site.record.conduct import decided, is_missed, is_unsound
from games.site.studies.answering import failed_checks
from games.site.studies.earning import earned, gains_of
from games.site.studies.facts import order_of
from games.site.studies.loading import Study
from games.site.studies.questions import Question
from games.site.studies.values import part_texts
from games.site.studies.values import rows_of as rows_of_answer
from games.site.studies.walking import study_of

MOVE: Final = "action."
"""Before a part of an action that is one value, in a column of its own."""
MOVES_MAX: Final = 24


@dataclass(slots=True)
class Tables:
    """Every table of a session, rows in a fixed order, and the columns of each."""

    session: Session
    study: Study
    columns: dict[str, tuple[Field, ...]] = field(default_factory=dict)
    rows: dict[str, list[Row]] = field(default_factory=dict)


def tables_of(session: Session) -> Tables:
    """Every table. Labels are names and are in none of them."""
    study = study_of(session)
    members = list(Member.objects.filter(session=session).select_related("session").order_by("number"))
    runs = list(
        Run.objects.filter(session=session)
        .prefetch_related("seats")
        .order_by("study_step", "study_round", "silo", "pk")
    )
    people = list(
        Participant.objects.filter(run__session=session)
        .select_related("run", "member")
        .order_by("run", "seat", "joined")
    )
    visits = list(Visit.objects.filter(member__session=session).select_related("member__session").order_by("pk"))
    sat: dict[str, list[Participant]] = {}
    for one in people:
        sat.setdefault(one.run_id, []).append(one)
    matches = [Match(run, study, sat.get(run.pk, [])) for run in runs]
    counts = counts_of_many(people)
    told = Tables(session, study, {str(name): columns for name, columns in TABLES.items()})
    told.rows = {
        "members": [_member(one, study, [m for m in matches if one.pk in m.members], visits) for one in members],
        "visits": [visit_row(one) for one in visits],
        "answers": [row for one in visits for row in _answers(one, study)],
        "matches": [one.row() for one in matches],
        "seats": [one.seat(sitter, counts[sitter.pk]) for one in matches for sitter in one.people],
        "decisions": [row for one in matches for row in one.decisions()],
        "messages": [row for one in matches for row in one.messages()],
        "payments": [payment_row(one) for one in members if one.ended],
    }
    moves = _moves(told.rows["decisions"])
    told.columns["decisions"] += moves
    for row in told.rows["decisions"]:
        action = row["action"] if isinstance(row["action"], dict) else {}
        for part in moves:
            value = action.get(part.name.removeprefix(MOVE))
            row[part.name] = float(value) if part.kind == "number" and value is not None else value
    return told


def _moves(rows: Sequence[Row]) -> tuple[Field, ...]:
    """Columns for those parts of actions that are single values, of one kind throughout."""
    kinds: dict[str, set[Kind]] = {}
    for row in rows:
        for name, value in row["action"].items() if isinstance(row["action"], dict) else ():
            if value is not None:
                kinds.setdefault(name, set()).add(_kind(value))
    plain = {name: found - {"number"} if found == {"whole", "number"} else found for name, found in kinds.items()}
    told = [
        (name, "number" if {"whole", "number"} <= kinds[name] else next(iter(found)))
        for name, found in plain.items()
        if len(found) == 1 and "json" not in found
    ]
    about = "Part of the action: {}."
    return tuple(Field(f"{MOVE}{name}", kind, about.format(name)) for name, kind in sorted(told)[:MOVES_MAX])


def _kind(value: Any) -> Kind:
    if isinstance(value, bool):
        return "truth"
    if isinstance(value, int):
        return "whole"
    return "number" if isinstance(value, float) else "text" if isinstance(value, str) else "json"


# --- people -----------------------------------------------------------------------------------------


def alias(member: Member | None) -> str | None:
    """What a member is called in data: it leads back to nobody without the site's key."""
    return pseudonym(f"member/{member.pk}") if member is not None else None


def _who(one: Member) -> dict[str, Any]:
    return {"session": one.session.code, "member": alias(one), "number": one.number}


def _member(one: Member, study: Study, matches: Sequence[Match], visits: Sequence[Visit]) -> Row:
    paid = [match for match in matches if not match.is_practice]
    sat = [(match, who) for match in matches for who in match.people if who.member_id == one.pk]
    looked = [visit for visit in visits if visit.member_id == one.pk]
    return {
        **member_row(one),
        "matches": len(paid),
        "missed": sum(is_missed(match.run, who.seat) for match, who in sat if not match.is_practice),
        "attention_failed": failed_checks(one, study),
        "unfocused": sum(who.unfocused for _, who in sat) + sum(visit.unfocused for visit in looked),
        "unfocused_s": round(sum(who.unfocused_s for _, who in sat) + sum(v.unfocused_s for v in looked), 1),
    }


def member_row(one: Member) -> dict[str, Any]:
    """What their own row says of a member."""
    paid = {name: _amount(one.pay.get(name)) for name in ("points", "show_up", "bonus", "total")}
    return {
        **_who(one), "language": one.language, "arm": one.arm, "silo": one.silo, "place": one.place,
        "state": str(one.state), "step": one.step, "came": one.created, "ended": one.ended,
        "seconds": round((one.ended - one.created).total_seconds(), 3) if one.ended else None,
        "away": one.away is not None, **paid, "paid_match": one.pay.get("paid_run"),
        "paid_round": one.pay.get("paid_round"), "erased": one.erased is not None,
    }  # fmt: skip


def _amount(value: Any) -> Any:
    """A number, or money as it was reckoned: a text of exact decimals, as it is paid out."""
    return None if value == "" else value


def payment_row(one: Member) -> Row:
    currency = one.pay.get("currency")
    return {**_who(one), "amount": _amount(one.pay.get("total")), "currency": currency, "end": str(one.state)}


def visit_row(one: Visit) -> Row:
    return {
        **_who(one.member), "arm": one.member.arm, "step": one.step, "round": one.round, "attempt": one.attempt,
        "entered": one.entered, "left": one.left, "seconds": round((one.left - one.entered).total_seconds(), 3),
        "why": one.why, "unfocused": one.unfocused, "unfocused_s": round(one.unfocused_s, 1),
    }  # fmt: skip


def _answers(one: Visit, study: Study) -> Iterator[Row]:
    step = study.form.steps.get(one.step) if not one.member.arm else study.arms[one.member.arm].get(one.step)
    asked = step.ask if step is not None else {}
    positions = order_of(one.member, one.step, step) if step is not None else []
    for name, value in one.data.items():
        for part, each in rows_of_answer(asked[name], value) if name in asked else ():
            yield {
                **_who(one.member), "arm": one.member.arm, "step": one.step, "attempt": one.attempt, "question": name,
                "position": positions.index(name) + 1, "part": part,
                "value": each if isinstance(each, str) else json.dumps(each),
                "number_value": float(each) if isinstance(each, int | float) else None,
                "right": asked[name].is_right(value), "at": one.left,
            }  # fmt: skip
        if step is not None and name in step.stores:
            yield {
                **_who(one.member), "arm": one.member.arm, "step": one.step, "attempt": one.attempt, "question": name,
                "position": None, "part": "", "value": value if value in (None, str(value)) else json.dumps(value),
                "number_value": float(value) if isinstance(value, int | float) else None, "right": None, "at": one.left,
            }  # fmt: skip


def labels_of(session: Session) -> list[Row]:
    """Who the pseudonyms are: label, and what the panel's address said. The key to the tables; kept apart from them."""
    members = list(Member.objects.filter(session=session).select_related("session").order_by("number"))
    more = sorted({name for one in members for name in one.extra})
    return [
        {**_who(one), "label": one.label, **{name: one.extra.get(name, "") for name in more}} for one in members
    ]  # fmt: skip


# --- matches ----------------------------------------------------------------------------------------


@dataclass(slots=True)
class Match:
    """A match of a session, and who sat in it."""

    run: Run
    study: Study
    people: list[Participant]
    code: str = ""

    def __post_init__(self) -> None:
        self.code = self.run.session.code if self.run.session else ""

    @property
    def members(self) -> set[str]:
        return {one.member_id for one in self.people if one.member_id}

    @property
    def arm(self) -> str:
        return next((one.member.arm for one in self.people if one.member), "")

    @property
    def is_practice(self) -> bool:
        return self.study.step(self.arm, self.run.study_step).practice

    def _at(self) -> dict[str, Any]:
        return {
            "session": self.code, "run": self.run.pk, "study_step": self.run.study_step,
            "round": self.run.study_round, "arm": self.arm, "silo": self.run.silo,
        }  # fmt: skip

    def row(self) -> Row:
        run, seats = self.run, len(selectors.seats_of(self.run))
        people = len({one.seat for one in self.people})
        return {
            **self._at(), "practice": self.is_practice, "game": run.game, "status": str(run.status), "steps": run.head,
            "began": run.created, "ended": run.ended, "people": people, "programs": seats - people,
            "hash": run.head_hash, "config_hash": run.config_hash, "not_own": decided(run).share(),
            "unsound": is_unsound(run),
        }  # fmt: skip

    def seat(self, one: Participant, counts: Mapping[str, int]) -> Row:
        return {
            **self._at(), "seat": one.seat, **self._sitter(one.seat), "state": str(one.state),
            "points": earned(self.run, one), **counts, "not_own": decided(self.run).of(one.seat),
            "missed": is_missed(self.run, one.seat), "unfocused": one.unfocused,
            "unfocused_s": round(one.unfocused_s, 1),
        }  # fmt: skip

    def _sitter(self, seat: int) -> dict[str, Any]:
        member = next((one.member for one in reversed(self.people) if one.seat == seat), None)
        return {"member": alias(member), "number": member.number if member else None}

    def decisions(self) -> Iterator[Row]:
        """Every seat's decision at every step, whoever made it."""
        run, names = self.run, [one.name for one in COLUMNS["decisions"]]
        last = {kind: kind.objects.filter(run=run).aggregate(n=Max("pk"))["n"] or 0 for kind in (Call, Message)}
        chosen = Chosen(run.pk, run.head, last[Call], last[Message])
        rows = [dict(zip(names, row, strict=True)) for row in rows_of("decisions", chosen)]
        stored = dict(Step.objects.filter(run=run).values_list("index", "created"))
        answers = Decision.objects.filter(run=run, purpose="act").values_list("step", "seat", "created")
        came = {(step, seat): created for step, seat, created in answers}
        counted = selectors.playing(run).game.counted
        together: dict[int, dict[int, Any]] = {}
        for row in rows:
            together.setdefault(row["step"], {})[row["seat"]] = row["action"]
        totals = _totals(run)
        for row in rows:
            step, seat, flags = row["step"], row["seat"], list(row["flags"])
            clock = dict(row["clock"])
            yield {
                **self._at(), "practice": self.is_practice, "step": step,
                "game_round": int(clock.get(counted, next(iter(clock.values()), 0))), "stage": row["stage"],
                "seat": seat, "role": row["role"], **self._sitter(seat), "kind": row["kind"], "agent": row["agent"],
                "action": row["action"],
                "others": {str(other): done for other, done in sorted(together[step].items()) if other != seat},
                "payoff": _amount(row["payoff"]), "cumulated": totals[step].get(seat, 0.0),
                "seconds": row["think_s"], "own": stand_in(flags) is None,
                "timed_out": not {"timed_out", "idle"}.isdisjoint(flags), "substituted": "substitute" in flags,
                "decided_by": row["decided_by"], "flags": " ".join(flags), "opened": stored.get(step - 1),
                "decided": came.get((step, seat)) or stored.get(step),
            }  # fmt: skip

    def messages(self) -> Iterator[Row]:
        for one in Message.objects.filter(run=self.run).order_by("step", "order"):
            at = self._at()
            del at["silo"]
            yield {
                **at, "step": one.step, "seat": one.sender, **self._sitter(one.sender), "to": one.to, "text": one.text
            }  # fmt: skip


def _totals(run: Run) -> list[dict[int, float]]:
    """What each seat has got by each step."""
    held: dict[int, float] = {}
    found = []
    for gains in gains_of(run.pk, run.head):
        for seat, gained in gains.items():
            held[seat] = held.get(seat, 0.0) + gained
        found.append(dict(held))
    return found


# --- the codebook -----------------------------------------------------------------------------------


def codebook(told: Tables) -> list[Row]:
    """Each column of each table and each question of the study, with what it means and what it can be."""
    rows: list[Row] = [
        {"table": table, "column": one.name, "kind": one.kind, "meaning": one.about, "values": one.values}
        for table, columns in told.columns.items()
        for one in columns
    ]
    for step, page in told.study.form.steps.items():
        for name, means in page.stores.items():
            at = {"table": "answers", "column": f"question = {name}, step = {step}", "kind": "json"}
            rows.append(
                {**at, "meaning": f"{means} ({page.plug} of {page.plugged and page.plugged.package})", "values": ""}
            )
        for name, question in page.ask.items():
            title = question.title.get("en") or next(iter(question.title.values()))
            at = {"table": "answers", "column": f"question = {name}, step = {step}", "kind": question.type}
            rows.append({**at, "meaning": title, "values": _values(question)})
            for part, text in part_texts(question, "en"):
                rows.append({**at, "column": f"{at['column']}, part = {part}", "meaning": text, "values": ""})
    return rows


def _values(question: Question) -> str:
    match question.shape:
        case "several":
            return "true | false of each part"
        case "ranking":
            return f"1..{len(question.parts)}, the rank of each part"
        case "allocation":
            return f"numbers that add up to {question.total:g}"
        case "prices":
            return "a | b in each part"
    if question.choices is not None:
        return " | ".join(map(str, question.values))
    bounds = ["" if one is None else f"{one:g}" for one in (question.minimum, question.maximum)]
    return "..".join(bounds) if any(bounds) else ""


def plain(value: Any) -> Any:
    """A cell as text has it: times in ISO 8601 with their zone, nothing as nothing, JSON as JSON."""
    if isinstance(value, datetime):
        return value.isoformat(timespec="milliseconds")
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return "" if value is None else value
