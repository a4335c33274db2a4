"""What the matches of a session have come to: the headline measure by round, who has most points, models beside."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from django.conf import settings

from games.core.conduct import Decisions
from games.core.game import All
from games.core.measures import mean
from games.lab.wire.frames import FRAMES_MAX
from games.lab.wire.screen import Beside, ClassFindings, Finding, Ranked
from games.site.audience import VISITOR, Sight, sees
from games.site.models import ENDED, Member, Participant, Run, RunStatus, SeatKind, Session
from games.site.record import selectors, summary
from games.site.record.conduct import decided, is_unsound
from games.site.record.outcome import records
from games.site.studies.earning import earned_until
from games.site.studies.loading import Study
from games.site.studies.playing import scenario_of
from games.site.studies.walking import study_of

RANKED: Final = 7
"""Who has most points: so many stand there, half of the class at the most, and whoever has as many as the last."""
BESIDE: Final = 40
"""Runs of models or policies that stand beside a class at the most, the newest."""
Series = tuple[float | None, ...]


def findings_of(session: Session) -> ClassFindings:
    """What may be projected between matches: of matches that are all over, in a study that shows results.

    Nothing where players are shown less than everything (``people.shows``), or where several arms are compared, whose
    members must not learn of one another, until the session is over.
    """
    study = study_of(session)
    step = screened_step(study)
    if step is None:
        return {"game": "", "metric": "", "findings": [], "ranking": [], "average": None, "named": False}
    pack = scenario_of(study.form.steps[step]).pack
    runs = [run for one in over_rounds(session, study, step) for run in one] if may_tell(session, study, step) else []
    by_round: dict[int, list[Run]] = defaultdict(list)
    for run in runs:
        by_round[run.study_round].append(run)
    ranking, average = _ranking(session, runs, is_named=study.form.names)
    return {
        "game": pack.slug,
        "metric": pack.headline,
        "findings": [_finding(pack.headline, number + 1, found) for number, found in sorted(by_round.items())],
        "ranking": ranking,
        "average": average,
        "named": study.form.names,
    }


def screened_step(study: Study) -> str | None:
    """The play step that a session's screen is about: the first that is no practice, else the first; None: none."""
    plays = [name for name, step in study.form.steps.items() if step.is_play]
    return next((name for name in plays if not study.form.steps[name].practice), plays[0] if plays else None)


def may_tell(session: Session, study: Study, step: str) -> bool:
    """Whether those who play may learn now what came of it."""
    if not session.is_open and not Member.objects.filter(session=session, ended=None).exists():
        return True
    return len(study.arms) == 1 and scenario_of(study.form.steps[step]).conditions[0].people.shows == "all"


def over_rounds(session: Session, study: Study, step: str) -> list[list[Run]]:
    """The runs that began together, of each time at which none is under way any more, in order."""
    rounds: dict[int, list[Run]] = defaultdict(list)
    for run in Run.objects.filter(session=session, study_step=step).order_by("created", "pk"):
        rounds[run.study_round].append(run)
    return [runs for _, runs in sorted(rounds.items()) if all(run.status in ENDED for run in runs)]


# --- the headline measure ---------------------------------------------------------------------------


def _finding(metric: str, number: int, runs: Sequence[Run]) -> Finding:
    """Matches that are unsound are left out, and of the others the rounds that are."""
    sound = [run for run in runs if not is_unsound(run)]
    values = _meaned(_sound_series(run, metric) for run in sound) if metric else ()
    moves, own = _moves(runs)
    return {
        "match": number,
        "matches": len(runs),
        "moves": moves,
        "own": own,
        "unsound": len(runs) - len(sound),
        "values": list(values),
        "beside": _beside(runs[0], metric) if metric else None,
    }


def _moves(runs: Sequence[Run]) -> tuple[int, int]:
    """How many decisions were people's to make, and how many of these they made themselves."""
    by_run = {run.pk: decided(run) for run in runs}
    seats = set(Participant.objects.filter(run__in=by_run).exclude(member=None).values_list("run", "seat"))
    moves = sum(by_run[run].decisions[seat] for run, seat in seats)
    return moves, moves - sum(by_run[run].not_own[seat] for run, seat in seats)


def _sound_series(run: Run, metric: str) -> Series:
    """The measure by round, None in rounds of whose decisions too many were not their seats' own."""
    values, most = _series(run.pk, run.head, metric), settings.POLITY_NOT_OWN_MOST
    shares = _shares(run.pk, run.head)
    return tuple(None if (shares.get(n) or 0.0) > most else value for n, value in enumerate(values, 1))


@lru_cache(maxsize=1024)
def _shares(run_id: str, head: int) -> Mapping[int, float | None]:
    """By round, the share of decisions that were not their seats' own."""
    counted = selectors.playing(selectors.run_get(run_id)).game.counted
    rounds: dict[int, Decisions] = defaultdict(Decisions)
    for record in records(run_id, after=0, until=head):
        rounds[_round_of(record["clock"], counted)].add(record["seats"], record["flags"])
    return {number: counts.share() for number, counts in rounds.items()}


def _round_of(clock: Iterable[Any], counted: str) -> int:
    labels = dict(clock)
    return int(labels.get(counted, next(iter(labels.values()), 0)))


def _meaned(series: Iterable[Series]) -> Series:
    """The mean by round over those that have a value there."""
    found = list(series)
    longest = max((len(one) for one in found), default=0)
    rounds = ([one[n] for one in found if n < len(one) and one[n] is not None] for n in range(longest))
    return tuple(mean([value for value in values if value is not None]) for values in rounds)


@lru_cache(maxsize=1024)
def _series(run_id: str, head: int, metric: str) -> Series:
    """The measure at the end of each round of a run; None where it is undefined. Booleans and texts are no values."""
    play = selectors.playing(selectors.run_get(run_id))
    counted = play.game.counted
    rounds: dict[int, float | None] = {}
    for after in range(-1, head, FRAMES_MAX):
        for brief in selectors.briefs(play, Sight(All()), after):
            number = _round_of(brief["clock"], counted)
            value = (brief["metrics"] or {}).get(metric)
            if number >= 1 and isinstance(value, int | float) and not isinstance(value, bool):
                rounds[number] = float(value)
    return tuple(rounds.get(number) for number in range(1, max(rounds, default=0) + 1))


# --- models and policies beside ---------------------------------------------------------------------


def _beside(run: Run, metric: str) -> Beside | None:
    """Finished runs of the very settings, played without people, that everybody may see; of models where there are any.

    None where there is none.
    """
    same = Run.objects.filter(
        game=run.game, config_hash=run.config_hash, rules_version=run.rules_version, status=RunStatus.FINISHED,
        session=None, people={},
    )  # fmt: skip
    newest = same.prefetch_related("seats").order_by("-created", "pk")[:BESIDE]
    found = [one for one in newest if sees(one, VISITOR) and not is_unsound(one)]
    of_models = [one for one in found if any(seat.kind == SeatKind.MODEL for seat in one.seats.all())]
    chosen = of_models or found
    if not chosen:
        return None
    labels = {label for one in chosen for label in summary.labels_of(one).values()}
    return {
        "label": ", ".join(sorted(labels)) if len(labels) <= 2 else "",
        "models": bool(of_models),
        "seats": sum(len(one.seats.all()) for one in chosen),
        "values": list(_meaned(_series(one.pk, one.head, metric) for one in chosen)),
    }


# --- points -----------------------------------------------------------------------------------------


def _ranking(session: Session, runs: Sequence[Run], *, is_named: bool) -> tuple[list[Ranked], float | None]:
    """Points a match of those who agreed to be named, most first, and the average of all who played; of matches that
    are sound alone, so that nobody is ranked who hardly moved.
    """
    ended = {run.pk: run for run in runs if not is_unsound(run)}
    held = Participant.objects.filter(run__in=ended).exclude(member=None).select_related("member")
    points: dict[str, list[float]] = defaultdict(list)
    members: dict[str, Member] = {}
    for one in held:
        assert one.member is not None
        members[one.member.pk] = one.member
        points[one.member.pk].append(earned_until(one, ended[one.run_id]))
    means = {pk: sum(gained) / len(gained) for pk, gained in points.items()}
    if not means:
        return [], None
    named = [one for one in members.values() if is_named and one.name and one.in_ranking]
    named.sort(key=lambda one: (-means[one.pk], one.number))
    best = [means[one.pk] for one in named]
    rows: list[Ranked] = [
        {"name": one.name, "place": best.index(means[one.pk]) + 1, "points": means[one.pk]} for one in named
    ]
    most = min(RANKED, (len(means) + 1) // 2)
    return [row for row in rows if row["place"] <= most][: 2 * RANKED], sum(means.values()) / len(means)
