"""How a session stands, for whoever leads it: who needs help, where everybody is, its matches, its money."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from decimal import Decimal
from typing import Final, Literal

from games.core.game import All
from games.lab.wire.run import RunSummary
from games.site.audience import Sight
from games.site.models import ENDED, HOLDING, Member, MemberState, Participant, Run, Session
from games.site.people.seat_page import counts_of_many
from games.site.record import clock, summary
from games.site.record.conduct import is_unsound
from games.site.studies.earning import points_so_far
from games.site.studies.loading import Study
from games.site.studies.paying import amount
from games.site.studies.playing import silo_of
from games.site.studies.walking import Place, arm_at, study_of

SILENT: Final = timedelta(seconds=60)
"""Whoever gave no sign of life for so long is counted among those who need help."""
WRONG: Final = 2
"""So many wrong tries on a page, and they are counted among them too."""
Group = Literal["need", "waiting", "playing", "walking", "done", "gone"]
GROUPS: Final[tuple[Group, ...]] = ("need", "waiting", "playing", "walking", "done", "gone")


@dataclass(frozen=True, slots=True)
class Row:
    """A member as the page shows them.

    ``why``    what they need help for: silent, missed or wrong, with ``times``; "" where nothing is wrong
    ``waits``  what holds them up: an_answer (their own), others, a_group, their_silo, the_start; "": they read
    ``late``   the other members whom they wait for
    ``owed``   what they get if it ends now as done, or what they got; None: it is drawn at the end
    """

    member: Member
    group: Group
    why: str
    times: int
    since: timedelta
    silent: timedelta
    match: Match | None
    seat: str
    waits: str
    late: tuple[Member, ...]
    looked_away: tuple[int, float] | None
    owed: Decimal | None
    at: str


@dataclass(frozen=True, slots=True)
class Match:
    """A match of the session, numbered in the order in which they began, from 1.

    ``sitting``  members by seat; ``late`` those seats that are waited for, ``late_s`` since when
    """

    number: int
    run: Run
    told: RunSummary
    round: int
    names: Mapping[int, str]
    sitting: Mapping[int, Member]
    late: tuple[int, ...]
    late_s: float
    best: tuple[int, ...]

    @property
    def is_over(self) -> bool:
        return self.run.status in ENDED

    @property
    def people(self) -> int:
        return sum(1 for seat in self.told["seats"] if seat["kind"] == "person")

    @property
    def programs(self) -> int:
        return len(self.told["seats"]) - self.people

    @property
    def lasted(self) -> timedelta | None:
        return self.run.ended - self.run.created if self.run.ended else None


@dataclass(frozen=True, slots=True)
class Filling:
    """A group that is not full: ``here`` of ``of``, and when the first of them may choose or is let go."""

    step: str
    here: int
    of: int
    left: timedelta | None


@dataclass(frozen=True, slots=True)
class Due:
    """What the members of one kind get, or would get now."""

    group: Group
    members: int
    total: Decimal


@dataclass(frozen=True, slots=True)
class Standing:
    rows: Sequence[Row]
    matches: Sequence[Match]
    filling: Sequence[Filling]
    due: Sequence[Due]
    currency: str
    most: Decimal | None
    places: int | None

    def of(self, group: Group) -> list[Row]:
        return [row for row in self.rows if row.group == group]

    @property
    def total(self) -> Decimal:
        return sum((one.total for one in self.due), Decimal(0))


def standing(session: Session) -> Standing:
    """Everything that the page of a session shows, read once."""
    study = study_of(session)
    members = list(Member.objects.filter(session=session).select_related("session").order_by("number"))
    seats = list(Participant.objects.filter(run__session=session).select_related("run", "member").order_by("joined"))
    matches = matches_of(session, seats)
    by_run = {one.run.pk: one for one in matches}
    held: dict[str | None, list[Participant]] = defaultdict(list)
    for seat in seats:
        held[seat.member_id].append(seat)
    playing = [own[-1] for own in held.values() if own[-1].run.status not in ENDED]
    counts = counts_of_many(playing)
    rows = [_row(one, study, held[one.pk], by_run, counts) for one in members]
    return Standing(
        rows=sorted(rows, key=_urgency),
        matches=matches,
        filling=_filling(members, study),
        due=_due(rows),
        currency=study.form.pay.currency,
        most=_most(study),
        places=study.form.places,
    )


def _urgency(row: Row) -> tuple[int, float]:
    """Groups in their order, and in each whoever is there longest first."""
    return GROUPS.index(row.group), -row.since.total_seconds()


# --- members ----------------------------------------------------------------------------------------


def _row(
    one: Member,
    study: Study,
    seats: Sequence[Participant],
    matches: Mapping[str, Match],
    counts: Mapping[str, Mapping[str, int]],
) -> Row:
    now, seat = clock.now(), seats[-1] if seats else None
    match = matches.get(seat.run_id) if seat else None
    silent = now - one.seen
    plays = one.state == MemberState.PLAYING and match is not None and not match.is_over
    why, times = ("", 0) if one.ended else _why(one, counts.get(seat.pk) if plays and seat else None, silent)
    late = [match.sitting[n] for n in match.late] if plays and match else []
    return Row(
        member=one,
        group=_group(one, why),
        why=why,
        times=times,
        since=now - one.since,
        silent=silent,
        match=match if one.state == MemberState.PLAYING or one.ended else None,
        seat=match.names.get(seat.seat, "") if match and seat else "",
        waits=_waits(one, study, seat, match) if not one.ended else "",
        late=tuple(other for other in late if other.pk != one.pk),
        looked_away=(seat.unfocused, seat.unfocused_s) if seat and seat.unfocused else None,
        owed=_owed(one, seats, study),
        at=str(Place.of(one)),
    )


def _why(one: Member, told: Mapping[str, int] | None, silent: timedelta) -> tuple[str, int]:
    if told is not None and (missed := told["timed_out"] + told["substituted"]):
        return "missed", missed
    if silent >= SILENT:
        return "silent", int(silent.total_seconds())
    if one.state == MemberState.WALKING and one.attempt >= WRONG:
        return "wrong", one.attempt
    return "", 0


def _group(one: Member, why: str) -> Group:
    if one.ended:
        return "done" if one.state == MemberState.DONE else "gone"
    if why:
        return "need"
    return "waiting" if one.state == MemberState.WAITING else "playing" if one.state == "playing" else "walking"


def _waits(one: Member, study: Study, seat: Participant | None, match: Match | None) -> str:
    if one.state == MemberState.WAITING:
        if study.step(one.arm, one.step).is_led:
            return "the_start"
        return "a_group" if one.silo is None else "their_silo"
    if one.state == MemberState.PLAYING and seat is not None and match is not None and match.late:
        return "an_answer" if seat.seat in match.late else "others"
    return ""


def _owed(one: Member, seats: Sequence[Participant], study: Study) -> Decimal | None:
    if one.ended:
        return Decimal(one.pay.get("total") or 0)
    pay = study.form.pay
    if pay.play != "all":
        return None
    points = points_so_far(seats, one, study)
    return amount(pay, study.form.ends.get("done"), True, points, (one.session.seed, one.number)).total


# --- matches ----------------------------------------------------------------------------------------


def matches_of(session: Session, seats: Sequence[Participant]) -> list[Match]:
    """All of them in the order in which they began."""
    runs = list(
        Run.objects.filter(session=session)
        .select_related("scenario")
        .prefetch_related("seats")
        .order_by("created", "pk")
    )
    company = summary.Company.of_all(runs)
    return [_match(n, run, company[run.pk], seats) for n, run in enumerate(runs, 1)]


def _match(number: int, run: Run, company: summary.Company, seats: Sequence[Participant]) -> Match:
    told = summary.run_summary(run, Sight(All()), control=True, company=company)
    labels = dict(run.clock or [])
    waited = {one["seat"]: one["since_s"] for one in told["waiting_for"]}
    sitting = {one.seat: one.member for one in seats if one.run_id == run.pk and one.member and one.state in HOLDING}
    late = tuple(seat for seat in waited if seat in sitting)
    return Match(
        number=number,
        run=run,
        told=told,
        round=int(labels.get(told["counted"]) or next(iter(labels.values()), 0)),
        names={seat["seat"]: seat["name"] for seat in told["seats"]},
        sitting=sitting,
        late=late,
        late_s=max((waited[seat] for seat in late), default=0.0),
        best=_best(run),
    )


def _best(run: Run) -> tuple[int, ...]:
    """The seats with the most points, once it is over; none where all have as many, or where it is unsound."""
    if run.status not in ENDED or is_unsound(run):
        return ()
    points = (run.tally or {}).get("payoffs") or []
    most = max(points, default=0)
    best = tuple(seat for seat, gained in enumerate(points) if gained == most)
    return best if len(best) < len(points) else ()


def _filling(members: Sequence[Member], study: Study) -> list[Filling]:
    waiting = [one for one in members if one.state == MemberState.WAITING and one.silo is None]
    found = []
    for step, arm in Counter((one.step, one.arm) for one in waiting):
        if study.step(arm, step).is_led:
            continue  # its matches are begun, not filled
        here = [one for one in waiting if (one.step, one.arm) == (step, arm)]
        until = min((one.until for one in here if one.until), default=None)
        first = min(here, key=lambda one: (one.since, one.number))
        of = silo_of(study.step(arm_at(first.session, study, first, step), step))
        found.append(Filling(step, len(here), of, until - clock.now() if until else None))
    return found


# --- money ------------------------------------------------------------------------------------------


def _due(rows: Sequence[Row]) -> list[Due]:
    """By group, in the order in which it becomes certain; who needs help stands where they are."""
    found = []
    for group in ("done", "gone", "playing", "waiting", "walking"):
        owed = [row.owed for row in rows if _walks_in(row) == group and row.owed is not None]
        if owed:
            found.append(Due(group, len(owed), sum(owed, Decimal(0))))
    return found


def _walks_in(row: Row) -> Group:
    return _group(row.member, "")


def _most(study: Study) -> Decimal | None:
    """The most that all places can cost; None where the file sets no such bound."""
    pay, places = study.form.pay, study.form.places
    return None if pay.most is None or places is None else Decimal(repr(pay.most)) * places
