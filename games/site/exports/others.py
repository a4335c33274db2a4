"""The tables that are no level of runs: studies and their people, positions, who sat where and when, the trail."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from django.db.models import Model, QuerySet

from games.site.accounts.roles import Role
from games.site.exports.sessions import member_row, payment_row, visit_row
from games.site.models import AuditEntry, Member, Run, Session, Snapshot, Step, Study, Visit
from games.site.record import selectors
from games.site.record.deciders import seatings

Name: TypeAlias = Literal["studies", "sessions", "members", "visits", "payments", "snapshots", "seats", "audit"]
Rows: TypeAlias = Iterator[dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Other:
    """``found`` the things of which rows are told, in the order of their keys; ``narrowed`` by which filters; ``rows``
    of one of them; ``role`` who may read it.
    """

    found: Callable[[], QuerySet[Any]]
    rows: Callable[[Any], Rows]
    role: Role
    narrowed: Mapping[str, str]


def _study(one: Study) -> Rows:
    yield {"study": one.slug, "title": one.title, "hash": one.document_hash, "created": one.created}


def _session(one: Session) -> Rows:
    yield {
        "session": one.code, "study": one.study.slug, "hash": one.study.document_hash, "seed": str(one.seed),
        "open": one.is_open, "public": one.is_public, "created": one.created, "members": one.members.count(),
    }  # fmt: skip


def _of(row: Callable[[Any], Mapping[str, Any]]) -> Callable[[Any], Rows]:
    return lambda one: iter([dict(row(one))])


def _snapshot(one: Snapshot) -> Rows:
    """The whole position: state, memories and plans of all seats."""
    row = Step.objects.get(run_id=one.run_id, index=one.index)
    held = selectors.base_of(one.run_id, one.index).unpack(row.position)
    yield {"run": one.run_id, "step": one.index, "stage": row.stage, "hash": row.hash, **held}


def _seats(run: Run) -> Rows:
    """Each sitting: from the step after ``after`` on."""
    for seat, sat in sorted(seatings(run).items()):
        for after, kind, name in sat:
            yield {"run": run.pk, "seat": seat, "after": after, "kind": kind, "name": name}


def _audit(one: AuditEntry) -> Rows:
    yield {"at": one.at, "who": one.who, "what": one.what, "on": one.on, "data": one.data}


SESSION: Final = {"session": "session__code"}
TABLES: Final[Mapping[Name, Other]] = {
    "studies": Other(lambda: Study.objects.all(), _study, Role.OPERATOR, {}),
    "sessions": Other(lambda: Session.objects.select_related("study"), _session, Role.OPERATOR, {"session": "code"}),
    "members": Other(lambda: Member.objects.select_related("session"), _of(member_row), Role.OPERATOR, SESSION),
    "visits": Other(
        lambda: Visit.objects.select_related("member__session"),
        _of(visit_row),
        Role.OPERATOR,
        {"session": "member__session__code"},
    ),
    "payments": Other(
        lambda: Member.objects.exclude(ended=None).select_related("session"),
        _of(payment_row),
        Role.OPERATOR,
        SESSION,
    ),
    "snapshots": Other(lambda: Snapshot.objects.all(), _snapshot, Role.EXPERIMENTER, {"run": "run"}),
    "seats": Other(lambda: Run.objects.all(), _seats, Role.EXPERIMENTER, {"run": "pk"}),
    "audit": Other(lambda: AuditEntry.objects.all(), _audit, Role.OPERATOR, {}),
}
"""Labels of people stand in none of them; payments with labels are the file for a panel (`payments_csv`)."""


def page_of(name: Name, narrow: Mapping[str, str], cursor: str, limit: int) -> tuple[list[dict[str, Any]], str]:
    """The rows of at most so many things after a key, and the key to go on from; "" at the end.

    Raises ValueError where the cursor is none, and KeyError for a filter that the table has not.
    """
    other = TABLES[name]
    found = other.found().filter(**{other.narrowed[one]: value for one, value in narrow.items()}).order_by("pk")
    if cursor:
        found = found.filter(pk__gt=found.model._meta.pk.to_python(cursor))
    things: list[Model] = list(found[: limit + 1])
    rows = [row for one in things[:limit] for row in other.rows(one)]
    return rows, str(things[limit - 1].pk) if len(things) > limit else ""
