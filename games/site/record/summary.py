"""A run in words and figures beside its frames: who sits in it, how it stands, who is waited for, what befell it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import cast

from agents_app.pricing import is_unpriced
from games.core.game import All
from games.lab.scenarios.naming import agent_label
from games.lab.story import plain_text
from games.lab.wire.run import PeopleSummary, RunNotice, RunStatus, RunSummary, SeatSummary, said_of, seed_out
from games.lab.wire.run import SeatKind as KindName
from games.site.audience import Sight, Viewer, sees, sees_costs, sight
from games.site.models import (
    ACTIVE,
    ENDED,
    JOINED,
    Decision,
    Notice,
    Participant,
    ParticipantState,
    Run,
    Seat,
    SeatKind,
)
from games.site.models import RunStatus as StoredStatus
from games.site.record import clock, pulse
from games.site.record.conduct import not_own_of
from games.site.record.notices import LOADING
from games.site.record.selectors import NotFound, Playing, playing, seats_of, shown_head
from games.site.record.waiting import waiting_for

NOTICES_MAX = 100
ALONE = timedelta(seconds=10)
"""So long a run that is due may find no driver before that is said."""
HANDED_OVER = "handed_over"


def run_list(runs: Iterable[Run], viewer: Viewer) -> list[RunSummary]:
    """Runs as one viewer may see them; without those that are not for them."""
    seen = [run for run in runs if sees(run, viewer)]
    company = Company.of_all(seen)
    return [run_summary(run, sight(run, viewer), control=viewer.operator, company=company[run.pk]) for run in seen]


@dataclass(frozen=True, slots=True)
class Company:
    """Who is in a run now and what they have answered to the open step, read once for all sights; what befell it."""

    run: Run
    people: Sequence[Participant]
    moves: Mapping[int, Decision]
    """The answers to the step after the head, by seat."""
    is_up: bool = True
    """Whether no part that a run under way needs is away."""

    @property
    def notices(self) -> Sequence[Notice]:
        """Read where they are told: a screen of many runs tells none."""
        return _notices_of(self.run)

    @classmethod
    def of(cls, run: Run) -> Company:
        return cls.of_all([run])[run.pk]

    @classmethod
    def of_all(cls, runs: Sequence[Run]) -> dict[str, Company]:
        """By run; who is in all of them, and what they have answered, are one query each."""
        heads = {run.pk: run.head for run in runs if run.people}
        people: dict[str, list[Participant]] = {run_id: [] for run_id in heads}
        moves: dict[str, dict[int, Decision]] = {run_id: {} for run_id in heads}
        if heads:
            for one in Participant.objects.filter(run__in=heads).select_related("member"):
                people[one.run_id].append(one)
            open_steps = {head + 1 for head in heads.values()}
            for row in Decision.objects.filter(run__in=heads, step__in=open_steps, purpose="act"):
                if row.step == heads[row.run_id] + 1:
                    moves[row.run_id][row.seat] = row
        is_up = not any(run.status in ACTIVE for run in runs) or pulse.is_open()
        return {run.pk: cls(run, people.get(run.pk, []), moves.get(run.pk, {}), is_up) for run in runs}

    def missing(self, run: Run) -> list[int]:
        """The seats whose holders are waited for, in seat order."""
        turn = run.open_turn
        if turn is None or turn["step"] != run.head + 1:
            return []
        there = {one.seat for one in self.people if one.state == ParticipantState.PLAYING}
        return sorted((there & set(turn["seats"])) - set(self.moves))


def run_summary(run: Run, seen: Sight, *, control: bool = False, company: Company | None = None) -> RunSummary:
    """What a page says of a run beside its frames. Settings, which may tell when it ends, are for omniscient eyes.

    ``company``: where whoever asks has read it already, for several sights.
    """
    company = company or Company.of(run)
    everything = isinstance(seen.eyes, All)
    # Where people play, nobody who may be one of them learns what plays in the other seats before the end.
    is_blind = seen.blind or (not everything and bool(run.people) and run.status not in ENDED)
    has_costs = sees_costs(run, control=control)
    seats, play, head = seats_of(run), _known(run), shown_head(run, seen)
    ending = play if play and (everything or play.game.tells_end) else None
    return {
        "id": run.pk,
        "game": run.game,
        # a preset's title says who plays, and what is tried on them
        "scenario": {"name": "", "title": {}, "look": {}}
        if seen.blind and not control
        else {
            "name": run.scenario.name,
            "title": run.scenario.title,
            "look": run.scenario.document.get("look", {}),
        },
        "condition": run.condition,
        "replicate": run.replicate,
        "seed": _seed(run, control),
        "status": status_of(run, seen),
        "head": head,
        "clock": run.clock if head == run.head else None,
        "counted": play.game.counted if play else "",
        "horizon": ending.game.horizon(ending.config) if ending else None,
        "rounds": ending.game.rounds(ending.config) if ending else None,
        "cadences": dict(play.pack.cadences) if play else {},
        "pace": run.pace,
        "seats": [
            SeatSummary(
                seat=seat.index,
                name=seat.name,
                role=seat.role,
                kind=_kind(seat, is_blind, seen.blind),
                agent="" if is_blind else _label(play, seat),
            )
            for seat in seats
        ],
        "config": run.config if everything else None,
        "rules_version": run.rules_version,
        "audience": run.audience or {"kind": "omniscient"},
        "error": (run.error or None) if has_costs else None,
        "fallback_rate": None if seen.blind else _fallback_rate(run),
        "not_own": not_own_of(run) if may_know_conduct(run, seen, control=control) else None,
        "can": {"control": control},
        "away": run.status in ACTIVE and not company.is_up,
        "undriven": not seen.blind and is_undriven(run),
        "waiting_for": []
        if seen.blind
        else waiting_for(
            run, has_models=not is_blind and not seen.delay and not seen.after_end, missing=company.missing(run)
        ),
        "people": None if seen.blind else _people(run, company),
        "notices": [] if seen.blind else _told(company.notices, is_blind=is_blind),
        "outcome": _outcome(run, play, seats) if everything and not seen.blind else {},
        "created": run.created.isoformat(),
        "ended": run.ended.isoformat() if run.ended else None,
        "cost_usd": float(run.cost_usd) if has_costs and _has_models(seats) else None,
        "unpriced": has_costs
        and any(is_unpriced(seat.agent.get("profile") or {}) for seat in seats if seat.kind == SeatKind.MODEL),
        "limits": run.limits if has_costs else {},
        "parent": run.parent_id,
        "fork_at": run.fork_at,
    }


def status_of(run: Run, seen: Sight) -> RunStatus:
    """How it stands. Where who is a person is not told, nor is it that it waits for one."""
    is_going = seen.blind and run.status in ACTIVE and run.begun
    return "running" if is_going else cast(RunStatus, str(run.status))


def _kind(seat: Seat, is_blind: bool, hides_people: bool) -> KindName:
    hidden = is_blind and (hides_people or seat.kind != SeatKind.PERSON)
    return "hidden" if hidden else cast(KindName, str(seat.kind))


def _fallback_rate(run: Run) -> float | None:
    told = run.tally or {}
    return told["fallbacks"] / told["decisions"] if told.get("decisions") else None


def may_know_conduct(run: Run, seen: Sight, *, control: bool) -> bool:
    """Whether those eyes learn who decided: it tells who is a person, and while the run goes on, who is away."""
    if control:
        return True
    return not seen.blind and (run.status in ENDED or (isinstance(seen.eyes, All) and not seen.delay))


def _outcome(run: Run, play: Playing | None, seats: Sequence[Seat]) -> dict[str, str]:
    """What came of it in one line, once it is finished; of a run that is older than stories, its measures."""
    if run.status == StoredStatus.FINISHED and run.story:
        title = run.story["title"]
        name = said_of([{"name": seat.name, "agent": _label(play, seat)} for seat in seats])
        return {lang: plain_text(title, lang, name) for lang in title}
    if play is None or run.status != StoredStatus.FINISHED:
        return {}
    return play.pack.words.outcome(run.metrics or {})


def _has_models(seats: Iterable[Seat]) -> bool:
    return any(seat.kind == SeatKind.MODEL for seat in seats)


def _seed(run: Run, control: bool) -> int | str | None:
    """From the seed everybody's chances follow: while people play by it, in the run or in one that it is a fork of, it
    is for operators alone.
    """
    if not control and _is_secret(run):
        return None
    return seed_out(run.seed)


def _is_secret(run: Run) -> bool:
    if run.people and run.status not in ENDED:
        return True
    return run.parent is not None and run.parent.seed == run.seed and _is_secret(run.parent)


def notices(run: Run, *, is_blind: bool = False) -> list[RunNotice]:
    """What befell the run from outside its rules, the latest hundred, oldest first; to the blind, not who plays now."""
    return _told(_notices_of(run), is_blind=is_blind)


def _notices_of(run: Run) -> Sequence[Notice]:
    return _notices_until(run.pk, run.notices_head) if run.notices_head else ()


@lru_cache(maxsize=256)
def _notices_until(run_id: str, head: int) -> tuple[Notice, ...]:
    """What befell a run is never changed, so it is read once for each number of notices."""
    rows = Notice.objects.filter(run=run_id, number__gt=head - NOTICES_MAX, number__lte=head)
    return tuple(rows.order_by("number"))


def _told(rows: Iterable[Notice], *, is_blind: bool) -> list[RunNotice]:
    return [
        {
            "n": row.number,
            "step": row.step,
            "kind": row.kind,
            "seat": row.seat,
            "data": {} if is_blind and row.kind == HANDED_OVER else row.data,
            "at": row.created.isoformat(),
        }
        for row in rows
        if not (is_blind and row.kind == LOADING)  # a library is loaded for models alone
    ]


def is_undriven(run: Run) -> bool:
    """Whether nobody has driven a run for a while that could go on: its driver hangs or is gone, or no worker is there.

    A run that is between two slices, or waits for people or for its pace, is not.
    """
    if run.status not in (StoredStatus.QUEUED, StoredStatus.RUNNING) or not run.begun:
        return False
    since = run.lease_until or run.wake_at or (run.created if run.head < 0 else None)
    return since is not None and clock.now() - since > ALONE


def _people(run: Run, company: Company) -> PeopleSummary | None:
    """How many seats are people's, whose holder is there, and can still be taken; whether the match has begun."""
    if not run.people:
        return None
    seats = [seat for seat in seats_of(run) if seat.kind in JOINED]
    came = {(one.seat, one.link) for one in company.people}
    ready = sum(one.state in (ParticipantState.READY, ParticipantState.PLAYING) for one in company.people)
    free = sum(1 for seat in seats if (seat.index, seat.link) not in came) if run.status not in ENDED else 0
    return {"of": len(seats), "ready": ready, "open": free, "begun": run.begun}


def labels_of(run: Run) -> dict[int, str]:
    """Who sits in each seat, in a word or two; a game may have better words for its policies than their parameters."""
    play = _known(run)
    return {seat.index: _label(play, seat) for seat in seats_of(run)}


def _label(play: Playing | None, seat: Seat) -> str:
    return agent_label(play.pack if play else None, play.config if play else None, seat.agent)


def _known(run: Run) -> Playing | None:
    """The run with its game, where that is still there."""
    try:
        return playing(run)
    except NotFound:
        return None
