"""The data of a session, one zip: people, visits, decisions, payments, a codebook, the study itself."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from typing import Any, Final

from games.site.models import Decision, Member, Message, Participant, Run, Session, Visit
from games.site.people.seat_page import counts_of
from games.site.record.conduct import decided, is_unsound
from games.site.record.deciders import decider
from games.site.record.decisions import flags_of
from games.site.studies.earning import earned
from games.site.studies.form import Question
from games.site.studies.walking import study_of

Row = Mapping[str, Any]
BOOK: Final[Mapping[str, Mapping[str, str]]] = {
    "": {
        "member": "pseudonym of a person, of this session alone; empty where none sat",
        "number": "of a person, in the order of their coming, from 0",
        "run": "a match",
        "seat": "in its match, from 0",
        "round": "of the play step, from 0",
        "step": "of the study",
        "silo": "among whom they were matched: the cluster of their observations",
        "points": "of the steps that the person played themselves",
        "state": "how it ended, or where it stands",
    },
    "members": {
        "language": "of the pages",
        "arm": "treatment",
        "place": "among the places of the silo, from 0",
        "seconds": "from coming in to the end",
        "points": "of all paid runs, of the steps that they played themselves",
        "show_up": "part of the pay for coming",
        "bonus": "the rest of the pay",
        "total": "what they get, in units of the currency, rounded",
    },
    "visits": {
        "attempt": "from 0; more where an answer was wrong",
        "entered": "when the stay at the step began, ISO 8601",
        "seconds": "that it lasted",
        "why": "how it ended: answered, wrong, failed, timed_out, played, sat_out, gone, left, removed, or by the lead",
        "answers": "JSON: the answer to each question, and which were wrong",
    },
    "matches": {
        "game": "what was played",
        "status": "finished, stopped or failed",
        "steps": "number of the last step",
        "hash": "head of the run's chained hashes, as polity verify checks it",
        "config_hash": "of the game's settings",
        "not_own": "share of decisions that were not their seats' own: of substitutes, clock, default, fallbacks",
        "unsound": "True: above the site's bound, in all or in one seat; left out of the session's screen",
    },
    "seats": {
        "moves": "answers of their own",
        "passed": "of turns that they passed",
        "timed_out": "turns whose time ran out",
        "substituted": "turns that the substitute played",
        "not_own": "share of the seat's decisions that were not its own",
        "unfocused": "how often they looked away from the page",
        "unfocused_s": "seconds in which the page was open and not looked at",
    },
    "decisions": {
        "step": "of the match",
        "action": "JSON: what was decided",
        "own": "True: by the person themselves",
        "decided_by": "person, or plan (their own, under way); not their own: substitute, clock, default",
        "flags": "timed_out, substitute and others; a row with substitute was not played by the person",
        "think_ms": "from the turn's opening to the decision; empty where it is not known",
    },
    "messages": {
        "step": "of the match",
        "to": "JSON: seats; null: everyone",
        "text": "as it was written",
    },
    "payments": {
        "amount": "in units of the currency",
        "currency": "ISO 4217",
        "end": "how their walk ended",
    },
}
"""What each column means, by table; under "" what columns of that name mean in all of them."""


def tables_of(session: Session) -> dict[str, list[Row]]:
    """Every table by name, rows in a fixed order. Labels are names and are in none of them."""
    members = list(Member.objects.filter(session=session).order_by("number"))
    runs = list(Run.objects.filter(session=session).order_by("study_step", "study_round", "silo", "pk"))
    seats = list(Participant.objects.filter(run__session=session).select_related("run").order_by("run", "seat"))
    numbers = {one.pk: one.number for one in members}
    tables: dict[str, list[Row]] = {
        "members": [member_row(one) for one in members],
        "visits": [visit_row(one, numbers) for one in Visit.objects.filter(member__session=session).order_by("pk")],
        "matches": [_match(one) for one in runs],
        "seats": [_seat(one, numbers) for one in seats],
        "decisions": [row for run in runs for row in _decisions(run, seats, numbers)],
        "messages": _messages(runs, seats, numbers),
        "payments": [payment_row(one) for one in members if one.ended],
    }
    return {**tables, "codebook": codebook(session, tables)}


def codebook(session: Session, tables: Mapping[str, Sequence[Row]]) -> list[Row]:
    """Each column of each table and each question of the study, with what it means and what it can be."""
    rows: list[Row] = [
        {"table": table, "column": name, "meaning": BOOK[table].get(name) or BOOK[""][name], "values": ""}
        for table, found in tables.items()
        for name in (found[0] if found else ())
    ]
    study = study_of(session)
    for step, one in study.form.steps.items():
        for name, question in one.ask.items():
            rows.append(
                {
                    "table": "visits",
                    "column": f"answers.{name} ({step})",
                    "meaning": question.title.get("en") or next(iter(question.title.values())),
                    "values": _values(question),
                }
            )
    return rows


def _values(question: Question) -> str:
    if question.choices is not None:
        return " | ".join(map(str, question.values))
    bounds = ["" if one is None else f"{one:g}" for one in (question.minimum, question.maximum)]
    return question.type + (f" {bounds[0]}..{bounds[1]}" if any(bounds) else "")


def _messages(runs: Sequence[Run], seats: Sequence[Participant], numbers: Mapping[str, int]) -> list[Row]:
    """What people and models wrote to each other."""
    rounds = {run.pk: run.study_round for run in runs}
    mine = {(one.run_id, one.seat): one.member_id or "" for one in seats}
    return [
        {
            "run": one.run_id,
            "round": rounds[one.run_id],
            "step": one.step,
            "seat": one.sender,
            "member": mine.get((one.run_id, one.sender), ""),
            "number": numbers.get(mine.get((one.run_id, one.sender), "")),
            "to": one.to,
            "text": one.text,
        }
        for one in Message.objects.filter(run__in=list(rounds)).order_by("run", "step", "order")
    ]


def data_zip(session: Session) -> bytes:
    """The tables as CSV, and the study's file with its hash."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, rows in tables_of(session).items():
            file.writestr(f"{name}.csv", csv_of(rows))
        about = {"study": session.study.document, "hash": session.study.document_hash, "seed": str(session.seed)}
        file.writestr("study.json", json.dumps(about, ensure_ascii=False, indent=1))
    return packed.getvalue()


def payments_csv(session: Session) -> str:
    """``label,amount`` of everybody whose walk has ended, as panels' bulk payments take it. Labels are names."""
    rows = Member.objects.filter(session=session).exclude(ended=None).order_by("number")
    return csv_of([{"label": one.label or one.pk, "amount": one.pay.get("bonus", "0")} for one in rows])


def csv_of(rows: Sequence[Row]) -> str:
    """Rows as CSV; none where there are none. A text that a spreadsheet would take for a formula is marked."""
    text = io.StringIO()
    if rows:
        writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
        writer.writeheader()
        writer.writerows({key: _plain(value) for key, value in row.items()} for row in rows)
    return text.getvalue()


def _plain(value: Any) -> Any:
    if isinstance(value, dict | list):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    return f"'{value}" if isinstance(value, str) and value.startswith(("=", "+", "-", "@")) else value


def member_row(one: Member) -> Row:
    return {
        "member": one.pk,
        "number": one.number,
        "language": one.language,
        "arm": one.arm,
        "silo": one.silo,
        "place": one.place,
        "state": one.state,
        "step": one.step,
        "seconds": round((one.ended - one.created).total_seconds(), 3) if one.ended else "",
        "points": one.pay.get("points", ""),
        "show_up": one.pay.get("show_up", ""),
        "bonus": one.pay.get("bonus", ""),
        "total": one.pay.get("total", ""),
    }


def payment_row(one: Member) -> Row:
    return {
        "member": one.pk,
        "amount": one.pay.get("total", ""),
        "currency": one.pay.get("currency"),
        "end": one.state,
    }


def visit_row(one: Visit, numbers: Mapping[str, int]) -> Row:
    return {
        "member": one.member_id,
        "number": numbers[one.member_id],
        "step": one.step,
        "round": one.round,
        "attempt": one.attempt,
        "entered": one.entered.isoformat(),
        "seconds": round((one.left - one.entered).total_seconds(), 3),
        "why": one.why,
        "answers": one.data,
    }


def _match(run: Run) -> Row:
    return {
        "run": run.pk,
        "step": run.study_step,
        "round": run.study_round,
        "silo": run.silo,
        "game": run.game,
        "status": run.status,
        "steps": run.head,
        "hash": run.head_hash,
        "config_hash": run.config_hash,
        "not_own": decided(run).share(),
        "unsound": is_unsound(run),
    }


def _seat(one: Participant, numbers: Mapping[str, int]) -> Row:
    return {
        "run": one.run_id,
        "seat": one.seat,
        "member": one.member_id,
        "number": numbers.get(one.member_id or ""),
        "state": one.state,
        "points": earned(one.run, one),
        **counts_of(one.run, [one])[one.pk],
        "not_own": decided(one.run).of(one.seat),
        "unfocused": one.unfocused,
        "unfocused_s": round(one.unfocused_s, 1),
    }


def _decisions(run: Run, seats: Sequence[Participant], numbers: Mapping[str, int]) -> list[Row]:
    mine = {one.seat: one for one in seats if one.run_id == run.pk}
    rows = Decision.objects.filter(run=run, seat__in=list(mine), purpose="act").order_by("step", "seat")
    opened = dict(run.steps.values_list("index", "created"))
    found: list[Row] = []
    for row in rows:
        before, flags = opened.get(row.step - 1), flags_of(row.answer)
        member = mine[row.seat].member_id or ""
        found.append(
            {
                "run": run.pk,
                "round": run.study_round,
                "silo": run.silo,
                "step": row.step,
                "seat": row.seat,
                "member": member,
                "number": numbers.get(member),
                "action": json.loads(row.answer).get("action"),
                "own": bool(row.client_id),
                "flags": " ".join(flags),
                "decided_by": decider(run, "person", row.step, flags, bool(row.client_id)),
                "think_ms": round(1000 * (row.created - before).total_seconds()) if before and row.client_id else "",
            }
        )
    return found
