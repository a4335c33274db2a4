"""A session's standing in words, as its template prints it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from games.site.models import Knock, MemberState
from games.site.record import clock
from games.site.studies.standing import GROUPS, Group, Match, Row, Standing
from games.site.web.sessionlog import named
from games.site.web.sessionwords import clocked, letter, money, said

BOARDS: Final = 6
"""Matches that are drawn; more stand in one line each."""
MEMBERS_SHOWN: Final = 500
ACTS: Final[Mapping[str, tuple[str, ...]]] = {
    "silent": ("nudge", "replace"),
    "missed": ("nudge", "replace"),
    "wrong": ("advance", "end"),
    "waiting": ("end",),
}
"""What stands beside a row at once; everything else is done to whoever is chosen."""


def lead(stand: Standing, lang: str, knocks: int = 0) -> tuple[str, str]:
    """What the page says first: who needs the operator, and how far it all is."""
    whys = Counter(row.why for row in stand.of("need"))
    if knocks:
        whys["knock"] = knocks
    causes = ("、" if lang == "zh" else ", ").join(said(lang, f"lead_{why}", n=n) for why, n in sorted(whys.items()))
    going = [one for one in stand.matches if not one.is_over]
    came = said(lang, "came_of" if stand.places else "came", n=len(stand.rows), of=stand.places)
    slow = min(going, key=lambda one: one.round, default=None)
    where = {"round": slow.round, "rounds": slow.told["rounds"]} if slow else {}
    key = "run" if not slow or slow.told["rounds"] else "run_open"
    runs = said(lang, key, n=len(going), **where)
    return said(lang, "need", n=whys.total(), why=causes), f"{came}{'；' if lang == 'zh' else '; '}{runs}"


def counted(stand: Standing, lang: str) -> str:
    over = sum(one.is_over for one in stand.matches)
    return said(lang, "matches", going=len(stand.matches) - over, over=over)


def filters(stand: Standing, shown: str) -> list[tuple[str, int, bool]]:
    """all, and each group that has somebody: its name, how many, whether it is chosen."""
    counted = [(group, len(stand.of(group))) for group in GROUPS]
    return [("all", len(stand.rows), shown == "all"), *((g, n, g == shown) for g, n in counted if n or g == shown)]


def groups(stand: Standing, shown: str, find: str, lang: str) -> list[tuple[Group, list[dict[str, Any]]]]:
    """The rows under their groups: those asked for, of whoever's number or label has what is looked for."""
    found = []
    for group in GROUPS:
        rows = [row for row in stand.of(group) if shown in ("all", group) and _is_found(row, find)]
        if rows:
            found.append((group, [row_out(row, lang) for row in rows[:MEMBERS_SHOWN]]))
    return found


def _is_found(row: Row, find: str) -> bool:
    return (
        find.lower() in row.member.label.lower()
        or find.lower() in row.member.name.lower()
        or find.removeprefix("#") == str(row.member.number)
    )


def row_out(row: Row, lang: str) -> dict[str, Any]:
    return {
        "row": row,
        "member": row.member,
        "name": named(row.member),
        "state": row.member.state,
        "match": row.match,
        "seat": said(lang, "seat_in", n=row.match.number, seat=row.seat) if _sits(row) and row.match else "",
        "since": clocked(row.since),
        "trouble": _trouble(row, lang),
        "late": [named(member) for member in row.late],
        "owed": money(row.owed),
        "acts": () if row.member.ended else ACTS.get(row.why or row.group, ()),
        "at": row.at,
    }


def _sits(row: Row) -> bool:
    return row.member.state == MemberState.PLAYING


def _trouble(row: Row, lang: str) -> str:
    return said(lang, row.why, n=row.times, time=clocked(row.times)) if row.why else ""


def matches(stand: Standing, lang: str) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Those that are drawn, the slowest first and what is over last, and the rest."""
    found = sorted(stand.matches, key=lambda one: (one.is_over, one.round, one.number))
    rows = {row.member.pk: row for row in stand.rows}
    told = [_match_out(one, rows, lang) for one in found]
    return told[:BOARDS], told[BOARDS:]


def _match_out(one: Match, rows: Mapping[str, Row], lang: str) -> dict[str, Any]:
    slow = [rows[one.sitting[seat].pk] for seat in one.late]
    return {
        "match": one,
        "run": one.run,
        "round": said(lang, "not_begun" if one.run.head < 0 else "round_of" if one.told["rounds"] else "round_at",
                      n=one.round, of=one.told["rounds"]),
        "late": [(letter(seat), seat % 8 + 1, named(one.sitting[seat])) for seat in one.late],
        "late_since": said(lang, "late_since", time=clocked(one.late_s)),
        "slow": slow[0] if slow else None,
        "others": _others(one, lang),
        "sits": said(lang, "sits", n=one.people) + said(lang, "programs", n=one.programs),
        "lasted": said(lang, "lasted", n=one.round, time=clocked(one.lasted)) if one.lasted else "",
        "best": [(letter(seat), seat % 8 + 1, one.names[seat]) for seat in one.best],
        "members": [named(member) for _, member in sorted(one.sitting.items())],
    }  # fmt: skip


def knocks(waiting: Iterable[Knock]) -> list[dict[str, Any]]:
    """The browsers at the door of somebody's place."""
    now = clock.now()
    return [
        {"member": row.member, "name": named(row.member), "code": row.code, "since": clocked(now - row.at)}
        for row in waiting
    ]


def _others(one: Match, lang: str) -> str:
    """What is said first of a match of which too much was not its players' own."""
    told = one.told["not_own"]
    if told is None or not told["unsound"]:
        return ""
    worst = max(told["share"] or 0, *(share or 0 for share in told["seats"]))
    return said(lang, "not_own" if (told["share"] or 0) > told["most"] else "not_own_seat", share=f"{worst:.0%}")


def arms(stand: Standing) -> list[tuple[str, int, int, int, str]]:
    """Of each arm: who is under way, who is done, who ended early, and the share of these."""
    found: dict[str, Counter[str]] = {}
    for row in stand.rows:
        if row.member.arm:
            where = row.group if row.group in ("done", "gone") else "here"
            found.setdefault(row.member.arm, Counter())[where] += 1
    return [
        (arm, of["here"], of["done"], of["gone"], f"{of['gone'] / of.total():.0%}") for arm, of in sorted(found.items())
    ]


def filling(stand: Standing, lang: str) -> list[dict[str, str]]:
    return [
        {
            "step": one.step,
            "fills": said(lang, "fills", here=one.here, of=one.of),
            "then": said(lang, "fills_until", of=one.of, time=clocked(one.left))
            if one.left
            else said(lang, "fills_then", of=one.of),
        }
        for one in stand.filling
    ]


def money_out(stand: Standing, lang: str) -> dict[str, Any]:
    """What is due by group, in all, and at the most."""
    return {
        "sum": said(lang, "sum", total=money(stand.total), currency=stand.currency),
        "most": said(lang, "of_most", most=money(stand.most), currency=stand.currency) if stand.most else "",
        "due": [
            (one, money(one.total), said(lang, f"due_{one.group}" if one.group in ("done", "gone") else "so_far"))
            for one in stand.due
        ],
        "drawn": any(row.owed is None for row in stand.rows),
    }


def strip(stand: Standing, steps: Sequence[str]) -> list[tuple[str, int]]:
    """How many are where: at each page of the study, waiting, playing, and at an end."""
    walking = Counter(row.member.step for row in stand.rows if row.member.state == MemberState.WALKING)
    states = Counter("ended" if row.member.ended and row.group == "gone" else row.member.state for row in stand.rows)
    pages = [(step, walking[step]) for step in steps if walking[step]]
    return [*pages, *((one, states[one]) for one in ("waiting", "playing", "done", "ended") if states[one])]
