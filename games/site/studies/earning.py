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
    if is_missed(run, one.seat):
        return 0.0
    rows = Decision.objects.filter(run=run, seat=one.seat, purpose="act")
    foreign = {step for step, answer in rows.values_list("step", "answer") if SUBSTITUTE in flags_of(answer)}
    is_out = one.state in (ParticipantState.LEFT, ParticipantState.REMOVED)
    last = (
        max((step for step in rows.filter(created__lte=one.ended).values_list("step", flat=True)), default=0)
        if (is_out and one.ended)
        else run.head
    )
    own = (
        gains.get(one.seat, 0.0) for n, gains in enumerate(gains_of(run.pk, run.head)) if n <= last and n not in foreign
    )
    return sum(own, 0.0)


@lru_cache(maxsize=256)
def gains_of(run_id: str, head: int) -> tuple[Mapping[int, float], ...]:
    """What each seat gained in each step until the head, in order: read once for all who sit in a match."""
    play = selectors.playing(selectors.run_get(run_id))
    found: list[Mapping[int, float]] = []
    for after in range(-1, head, FRAMES_MAX):
        for brief in selectors.briefs(play, Sight(All()), after):
            gains: dict[int, float] = defaultdict(float)
            for seat, gained in brief["payoffs"]:
                gains[seat] += gained
            found.append(gains)
    return tuple(found[: head + 1])
