"""What a member earned: the payoffs of the steps that they played themselves, a number for each paid run."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from games.core.game import All
from games.lab.wire.frames import FRAMES_MAX
from games.site.audience import Sight
from games.site.drive.person_seats import SUBSTITUTE
from games.site.models import Decision, Member, Participant, ParticipantState, Run
from games.site.record import selectors
from games.site.record.conduct import is_missed
from games.site.record.decisions import flags_of
from games.site.studies.loading import Study


def points_of(member: Member, study: Study) -> list[float]:
    """The points of each of their runs that is no practice, in the order of the steps and rounds."""
    seats = Participant.objects.filter(member=member).select_related("run")
    return [earned(one.run, one) for one in _paid(seats, member, study)]


@dataclass(frozen=True, slots=True)
class Round:
    """A round of a paid match, numbered from 0, and what it brought: one that could be drawn for pay."""

    match: int
    round: int
    points: float


def rounds_of(member: Member, study: Study) -> list[Round]:
    """The rounds of each of their runs that is no practice, in order, as the game counts them."""
    found: list[Round] = []
    for match, one in enumerate(_paid(Participant.objects.filter(member=member).select_related("run"), member, study)):
        points: dict[int, float] = {}
        for number, gained in _own_gains(one.run, one):
            points[number] = points.get(number, 0.0) + gained
        found += [Round(match, number, gained) for number, gained in points.items()]
    return found


def points_so_far(seats: Iterable[Participant], member: Member, study: Study) -> list[float]:
    """As `points_of`, of whoever is looked at again and again: a run is read anew only where it has gone on.

    ``seats``: all that the member ever held, with their runs.
    """
    return [earned_until(one, one.run) for one in _paid(seats, member, study)]


def earned_until(one: Participant, run: Run) -> float:
    """What a seat has gained by the step that the run has come to; read anew only where that has changed."""
    return _earned_until(_Until(one.pk, run.head, one.state, one, run))


def _paid(seats: Iterable[Participant], member: Member, study: Study) -> list[Participant]:
    names = study.names()
    found = sorted(seats, key=lambda one: (names.index(one.run.study_step), one.run.study_round))
    return [one for one in found if not study.step(member.arm, one.run.study_step).practice]


@dataclass(frozen=True, slots=True)
class _Until:
    """Whose gains, until which step, in which state: what these were, they stay."""

    participant: str
    head: int
    state: str
    one: Participant = field(compare=False)
    run: Run = field(compare=False)


@lru_cache(maxsize=4096)
def _earned_until(until: _Until) -> float:
    return earned(until.run, until.one)


def earned(run: Run, one: Participant) -> float:
    """What the seat gained in the steps that no substitute played, and none after its holder was gone for good; nothing
    in a match in which its holder decided nothing.
    """
    return sum((gained for _, gained in _own_gains(run, one)), 0.0)


def _own_gains(run: Run, one: Participant) -> list[tuple[int, float]]:
    """By step, in order: the round in which it was, and what it counts for."""
    is_lost = is_missed(run, one.seat)
    rows = Decision.objects.filter(run=run, seat=one.seat, purpose="act")
    foreign = {step for step, answer in rows.values_list("step", "answer") if SUBSTITUTE in flags_of(answer)}
    is_out = one.state in (ParticipantState.LEFT, ParticipantState.REMOVED)
    last = (
        max((step for step in rows.filter(created__lte=one.ended).values_list("step", flat=True)), default=0)
        if (is_out and one.ended)
        else run.head
    )
    return [
        (number, 0.0 if is_lost or n > last or n in foreign else gains.get(one.seat, 0.0))
        for n, (number, gains) in enumerate(_steps_of(run.pk, run.head))
        if n  # nobody has done anything at the start
    ]


def gains_of(run_id: str, head: int) -> tuple[Mapping[int, float], ...]:
    """What each seat gained in each step until the head, in order."""
    return tuple(gains for _, gains in _steps_of(run_id, head))


@lru_cache(maxsize=256)
def _steps_of(run_id: str, head: int) -> tuple[tuple[int, Mapping[int, float]], ...]:
    """Of each step until the head its round, and what each seat gained: read once for all who sit in a match."""
    play = selectors.playing(selectors.run_get(run_id))
    found: list[tuple[int, Mapping[int, float]]] = []
    for after in range(-1, head, FRAMES_MAX):
        for brief in selectors.briefs(play, Sight(All()), after):
            gains: dict[int, float] = defaultdict(float)
            for seat, gained in brief["payoffs"]:
                gains[seat] += gained
            clock = dict(brief["clock"])
            found.append((int(clock.get(play.game.counted, next(iter(clock.values()), 0))), gains))
    return tuple(found[: head + 1])
