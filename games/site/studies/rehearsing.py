"""A study walked by nobody, by a clock of its own: what it takes, what it pays, who left, and who got stuck.

Everything is played in the process that asks for it, on rows of its own sessions, by the very services that pages and
workers call; so the tables of a rehearsal are those of a real session. Time goes from one happening to the next.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any, Final

from django.db.models import QuerySet

from games.core.rng import Rng
from games.errors.requests import BadRequest
from games.site.drive.conductor import conduct
from games.site.models import (
    ACTIVE,
    ENDED,
    HOLDING,
    UNDER_WAY,
    Decision,
    Member,
    MemberState,
    Participant,
    ParticipantState,
    Run,
    RunStatus,
    Session,
)
from games.site.people.joining import participant_leave
from games.site.people.moves import move_submit
from games.site.people.open_turn import open_requests, plain
from games.site.people.presence import Beat, beats_keep, presence_sweep
from games.site.record import clock, selectors
from games.site.studies.answering import page_submit
from games.site.studies.gathering import session_continue
from games.site.studies.leading import match_start, next_match
from games.site.studies.loading import Study
from games.site.studies.rehearsal import Rehearsal
from games.site.studies.rehearsed import IDEAL, STOPS, Mix, Walker
from games.site.studies.walking import Place, advance, member_join, session_open

START: Final = datetime(2030, 1, 7, 9, tzinfo=UTC)
LONGEST: Final = timedelta(days=2)
LOOK: Final = timedelta(seconds=5)
"""So often it is looked who is gone for how long, while anybody is."""
SETTLES: Final = 200
GRID_S: Final = 2.0
"""What happens within so many seconds happens together."""


def rehearse(
    study: Study, *, members: int, drop: float = 0.0, seed: int = 1, mix: Mix = IDEAL
) -> tuple[Session, Rehearsal]:
    """A session walked by so many; ``drop`` is the share that leaves for good, beside what ``mix`` says."""
    told = Rehearsal()
    mix = replace(mix, leaving=drop) if drop else mix
    return session_walk(study, told, members=members, seed=seed, mix=mix), told


def session_walk(study: Study, told: Rehearsal, *, members: int, seed: int, mix: Mix) -> Session:
    """One session from its opening to its end; what came of it is added to ``told``."""
    with clock.driven(START) as time:
        session = session_open(study, seed=seed, name=f"rehearsal {seed}")
        rng = Rng.root(seed).at("studies.rehearsal")
        walk = _Walk(session, study, time, [Walker.drawn(number, mix, rng) for number in range(members)])
        walk.whole()
    told.add(session, study, walk.walkers, walk.faults)
    return session


class _Walk:
    """One session under way."""

    def __init__(self, session: Session, study: Study, time: clock.Driven, walkers: Sequence[Walker]) -> None:
        self.session, self.study, self.time = session, study, time
        self.walkers, self.faults, self.has_late = list(walkers), list[str](), False
        self.is_due = True
        """Whether the site has something to do: who goes from one page to the next asks nothing of it."""
        self.settled: tuple[list[Any], list[Any]] = [], []
        """Where the session stood when it was last gone on with."""
        self.going: dict[str, Member] = {}
        """Who is under way, as they were seen last."""

    def whole(self) -> None:
        while self.time.at < START + LONGEST:
            for walker in self.walkers:
                self._come_or_go(walker)
            if self.is_due:
                self._settle()
            self._plan()
            on_site = min((at for at in self._site_times() if at > self.time.at), default=None)
            after = min(
                (at for at in (on_site, *self._own_times()) if at is not None and at > self.time.at), default=None
            )
            if after is None:
                return
            self.time.at = _on_grid(after)
            self.is_due = on_site is not None and on_site <= self.time.at
            for walker in self.walkers:
                if walker.due is not None and walker.due <= self.time.at and walker.is_here:
                    walker.due = None
                    self.is_due |= self._act(walker)

    # --- the people ---

    def _come_or_go(self, walker: Walker) -> None:
        if not walker.pk and START + timedelta(seconds=walker.comes) <= self.time.at:
            walker.pk = member_join(self.session, label=f"rehearsal-{walker.number}").pk
            self.is_due = True
        if walker.back is not None and walker.back <= self.time.at:
            walker.back = None
            if walker.due is not None and walker.due <= self.time.at:  # their match went on without them
                walker.due = self.time.at + timedelta(seconds=GRID_S)
            self.is_due = True

    def _own_times(self) -> Iterator[datetime]:
        """When somebody comes, goes on or comes back; who is at an end has nothing more to do."""
        for walker in self.walkers:
            if not walker.pk:
                yield START + timedelta(seconds=walker.comes)
            else:
                yield from (one for one in (walker.due if walker.is_here else None, walker.back) if one is not None)

    def _site_times(self) -> Iterator[datetime]:
        """When a time of the site's is over."""
        if self._is_watched():
            yield self.time.at + LOOK
        yield from (one.until for one in self.going.values() if one.until is not None)
        for turn in Run.objects.filter(session=self.session, status__in=ACTIVE).values_list("open_turn", flat=True):
            if turn and turn.get("deadline"):
                yield datetime.fromisoformat(turn["deadline"]) + timedelta(milliseconds=1)

    def _is_watched(self) -> bool:
        """Whether the absence of anybody has consequences by the clock: pages without a limit wait for ever."""
        away = [self.going[one.pk] for one in self.walkers if one.pk in self.going and not one.is_here]
        return any(one.state != MemberState.WALKING for one in away)

    def _plan(self) -> None:
        """When each does next what is open for them."""
        self.going = {one.pk: one for one in Member.objects.filter(session=self.session, state__in=UNDER_WAY)}
        asked = self._asked()
        for walker in self.walkers:
            member = self.going.get(walker.pk)
            if member is None:
                walker.due = walker.back = None
                continue
            at = _at(member, asked.get(walker.pk))
            if not at or at == walker.at:
                continue
            walker.at, walker.acts = at, walker.acts + 1
            is_move = member.state == MemberState.PLAYING
            words, questions = (0, 0) if is_move else self._length(member)
            walker.due = self.time.at + timedelta(seconds=walker.seconds(words, questions, is_move))
            if "resting" in walker.habits and walker.does("rests", 1 / STOPS):
                walker.back = walker.due + timedelta(seconds=walker.away_s())
                walker.due = walker.back + timedelta(seconds=walker.seconds(words, questions, is_move))
                self._seen([walker.pk])

    def _length(self, member: Member) -> tuple[int, int]:
        """Words and questions of a page; of instructions about as many as they usually have."""
        step = self.study.step(member.arm, member.step)
        told = " ".join(
            [*(step.text or {}).values()][:1] + [next(iter(one.title.values())) for one in step.ask.values()]
        )
        return len(told.split()) + (180 if step.rules else 0), len(step.ask)

    def _asked(self, **whose: str) -> dict[str, tuple[Run, Participant]]:
        """Whose move is awaited: by member, the match and the seat."""
        sitting = Participant.objects.filter(
            run__session=self.session, run__status__in=ACTIVE, state=ParticipantState.PLAYING, member__isnull=False,
            run__open_turn__isnull=False, **whose,
        ).select_related("run")  # fmt: skip
        asked = [one for one in sitting if _is_asked(one)]
        if not asked:
            return {}
        acts = Decision.objects.filter(run__in={one.run_id for one in asked}, purpose="act")
        moved = set(acts.values_list("run", "step", "seat"))
        return {
            str(one.member_id): (one.run, one) for one in asked if (one.run_id, one.run.head + 1, one.seat) not in moved
        }

    def _act(self, walker: Walker) -> bool:
        """Whether the site has something to do then."""
        member = Member.objects.select_related("session").get(pk=walker.pk)
        seat = Participant.objects.filter(member=member, state__in=HOLDING, run__status__in=ACTIVE)
        if "leaving" in walker.habits and walker.does("leaves", 1 / STOPS):
            walker.is_gone = True
            self._seen([walker.pk])
            if walker.does("says so", 0.5):
                if member.state == MemberState.PLAYING and (one := seat.select_related("run").first()) is not None:
                    participant_leave(participant=one)
                elif member.state == MemberState.WALKING:
                    advance(member, Place.of(member), "left", end=MemberState.LEFT)
        elif member.state == MemberState.WALKING:
            self._answer(walker, member)
            return not Member.objects.filter(pk=walker.pk, state=MemberState.WALKING).exists()
        elif member.state == MemberState.PLAYING and (held := self._asked(member=walker.pk).get(walker.pk)) is not None:
            self._move(walker, *held)
        return True

    def _answer(self, walker: Walker, member: Member) -> None:
        at = Place.of(member)
        if "twice" in walker.habits and walker.old is not None:  # back in the browser, and sent once more
            page_submit(member, *walker.old)
        sent = walker.answers(self.study.step(member.arm, member.step).ask)
        wrong = page_submit(member, at, sent)
        if "twice" in walker.habits:  # the same page in a second tab
            page_submit(Member.objects.select_related("session").get(pk=member.pk), at, sent)
        walker.old = at, sent
        if any(fault != "wrong" for fault in wrong.values()):
            self.faults.append(f"step {at.step}: {wrong}")
            advance(member, at, "rehearsed")

    def _move(self, walker: Walker, run: Run, one: Participant) -> None:
        play = selectors.playing(run)
        found = open_requests(play, [one]).get(one.seat)
        if found is None:
            return
        action = walker.action(found)
        left, _ = found.cleaned(action)
        raw = {"action": plain(play, left)}
        for tab in range(1 + ("twice" in walker.habits)):
            client_id = f"rehearsal-{found.step}-{tab}"
            try:
                move_submit(participant=one, tab="", client_id=client_id, step=found.step, raw=raw)
            except BadRequest as error:
                if error.code not in ("already_moved", "late", "not_asked", "not_playing"):
                    self.faults.append(f"step {run.study_step}: {error}")
                    return

    # --- the site ---

    def _settle(self) -> None:
        """What pages, clock and workers do at this moment, until nothing changes any more."""
        now, busy = self.time.at, (MemberState.WAITING, MemberState.PLAYING)
        mine = Member.objects.filter(session=self.session)
        if not (mine.filter(state__in=busy) | mine.filter(until__lte=now)).exists():
            return
        here = [one.pk for one in self.walkers if one.is_here]
        held = self._seen(here)
        is_left = any(walker.pk in self.going and not walker.is_here for walker in self.walkers)
        absent = held.exclude(gone_at=None) | held.filter(state=ParticipantState.SUBSTITUTED)
        beats_keep([Beat(pk, "", True, now) for pk in absent.values_list("pk", flat=True)])
        if is_left or self.has_late:
            presence_sweep()
        by_clock = is_left or mine.filter(until__lte=now).exists()
        before: list[tuple[str, str, int]] = []
        for _ in range(SETTLES):
            standing = self._standing()
            is_waiting = any(state == MemberState.WAITING for *_, state in standing[0])
            if by_clock or is_waiting or standing != self.settled:
                session_continue(self.session)
                if any(step.is_led for step in self.study.form.steps.values()):
                    reading = mine.filter(pk__in=here, state=MemberState.WALKING).exists()  # who leads waits for them
                    coming = None if reading else next_match(self.session, self.study)
                    if coming is not None and coming.can_start:
                        match_start(self.session)
                self.settled = self._standing()
            due = self._due()
            self.has_late = any(status == RunStatus.WAITING for _, status, _ in due)
            for run_id, *_ in due:
                conduct(run_id, "live")
            if due == before and self.settled == standing:
                return
            before = due

    def _seen(self, here: Sequence[str]) -> QuerySet[Participant]:
        """The seats of those members, who have given a sign of life at this moment."""
        now = self.time.at
        Member.objects.filter(pk__in=here, state__in=UNDER_WAY).update(seen=now, away=None)
        held = Participant.objects.filter(member__in=here, state__in=HOLDING).exclude(run__status__in=ENDED)
        held.update(seen=now, active=now)
        return held

    def _due(self) -> list[tuple[str, str, int]]:
        """The matches that go on now; those that still wait do so because a time is over."""
        runs = Run.objects.filter(session=self.session, status__in=ACTIVE).order_by("created", "pk")
        rows = runs.values_list("pk", "status", "head", "wake_at")
        return [
            (pk, status, head)
            for pk, status, head, wake in rows
            if status != RunStatus.WAITING or (wake and wake <= self.time.at)
        ]

    def _standing(self) -> tuple[list[Any], list[Any]]:
        """Where everybody is, and which matches are over: a move within a match is nothing to a session."""
        members = Member.objects.filter(session=self.session).order_by("number")
        over = Run.objects.filter(session=self.session, status__in=ENDED).order_by("pk")
        return list(members.values_list("step", "round", "attempt", "state")), list(over.values_list("pk", flat=True))


def _is_asked(one: Participant) -> bool:
    """Whether the open turn of a match waits for that seat, as far as the match says so."""
    turn = one.run.open_turn
    return turn is not None and turn["step"] == one.run.head + 1 and one.seat in turn["seats"]


def _on_grid(at: datetime) -> datetime:
    """The next moment at which it is looked what has happened by then."""
    passed = (at - START).total_seconds()
    return START + timedelta(seconds=GRID_S * ceil(passed / GRID_S))


def _at(member: Member, asked: tuple[Run, Participant] | None) -> str:
    """What is open for a member: a page, or a turn of their match; "" where they wait."""
    if member.state == MemberState.WALKING:
        return str(Place.of(member))
    return f"{asked[0].pk}/{asked[0].head}" if member.state == MemberState.PLAYING and asked is not None else ""
