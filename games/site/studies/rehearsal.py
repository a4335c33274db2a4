"""What came of a rehearsal: ends, waiting, drop-outs, pay, arms, seconds, and what its test could find."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from math import sqrt
from statistics import mean, median, quantiles, stdev
from typing import Any

from games.site.models import Member, MemberState, Participant, Run, RunStatus, Session, Visit
from games.site.studies.loading import Study
from games.site.studies.playing import silo_of
from games.site.studies.rehearsed import Walker

SIZE, POWER = 0.05, 0.8


@dataclass(slots=True)
class Rehearsal:
    """Of one session, or of several together."""

    sessions: int = 0
    members: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    habits: Counter[str] = field(default_factory=Counter)
    arms: Counter[str] = field(default_factory=Counter)
    ends_by_arm: dict[str, Counter[str]] = field(default_factory=dict)
    left_at: Counter[str] = field(default_factory=Counter)
    closed_at: Counter[str] = field(default_factory=Counter)
    totals: list[float] = field(default_factory=list)
    sums: list[float] = field(default_factory=list)
    minutes: list[float] = field(default_factory=list)
    waits: dict[str, list[float]] = field(default_factory=dict)
    pages: dict[str, list[float]] = field(default_factory=dict)
    clusters: dict[str, dict[tuple[int, int], list[float]]] = field(default_factory=dict)
    matches: int = 0
    stuck: list[str] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)

    def add(self, session: Session, study: Study, walkers: Sequence[Walker], faults: Sequence[str]) -> None:
        """A session that is over."""
        self.sessions += 1
        self.members += len(walkers)
        self.faults += faults
        members = list(Member.objects.filter(session=session).order_by("number"))
        here = {walker.pk for walker in walkers if not walker.is_gone}
        for walker in walkers:
            self.habits.update(walker.habits)
        for one in members:
            self.ends[one.state] += 1
            if one.arm:
                self.arms[one.arm] += 1
                self.ends_by_arm.setdefault(one.arm, Counter())[one.state] += 1
            if one.ended is None:
                if one.pk in here:
                    self.stuck.append(f"member {one.number}: {one.state} at {one.step}, round {one.round}")
                else:  # a page without limit_s waits for ever
                    self.closed_at[one.step] += 1
                continue
            if one.state not in (MemberState.DONE, MemberState.LATE):
                self.left_at[one.step] += 1
            self.totals.append(float(one.pay["total"]))
            if one.state == MemberState.DONE:
                self.minutes.append((one.ended - one.created).total_seconds() / 60)
                if one.arm and one.silo is not None:
                    points = self.clusters.setdefault(one.arm, {})
                    points.setdefault((session.pk, one.silo), []).append(float(one.pay["points"]))
        self.sums.append(sum(float(one.pay["total"]) for one in members if one.ended))
        runs = Run.objects.filter(session=session)
        self.matches += runs.count()
        broken = runs.filter(status__in=(RunStatus.FAILED, RunStatus.PAUSED)).order_by("created", "pk")
        self.faults += [
            f"step {step}: a match is {status}: {error}"
            for step, status, error in broken.values_list("study_step", "status", "error")
        ]
        plays = [(name, step) for name, step in study.form.steps.items() if step.is_play]
        if plays and not runs:
            name, step = plays[0]
            self.faults.append(f"step {name}: nobody played; it begins with {silo_of(step)}, and {len(walkers)} came")
        self._times(session, study)

    def _times(self, session: Session, study: Study) -> None:
        came: dict[tuple[str, str], Any] = {}
        for visit in Visit.objects.filter(member__session=session).order_by("pk"):
            seconds = (visit.left - visit.entered).total_seconds()
            if study.form.steps[visit.step].is_play:
                came.setdefault((visit.member_id, visit.step), seconds)
            elif visit.why == "answered":
                self.pages.setdefault(visit.step, []).append(seconds)
        firsts = Participant.objects.filter(run__session=session, run__study_round=0, member__isnull=False)
        for one in firsts.select_related("run", "member"):
            before = Visit.objects.filter(member=one.member, left__lte=one.run.created).order_by("-left").first()
            since = before.left if before is not None else one.member.created  # type: ignore[union-attr]
            self.waits.setdefault(one.run.study_step, []).append((one.run.created - since).total_seconds())

    def plain(self) -> dict[str, Any]:
        return {
            "sessions": self.sessions,
            "members": self.members,
            "habits": dict(sorted(self.habits.items())),
            "ends": dict(sorted(self.ends.items())),
            "arms": dict(sorted(self.arms.items())),
            "not_done": {
                arm: round(1 - one["done"] / sum(one.values()), 3) for arm, one in sorted(self.ends_by_arm.items())
            },
            "left_at": dict(self.left_at.most_common()),
            "closed_at": dict(self.closed_at.most_common()),
            "matches": self.matches,
            "pay": spread_of(self.totals),
            "pay_of_a_session": spread_of(self.sums),
            "minutes": spread_of(self.minutes),
            "waiting_s": {step: spread_of(seconds) for step, seconds in self.waits.items()},
            "pages_s": {step: spread_of(seconds) for step, seconds in self.pages.items()},
            "finds": self._finds(),
            "stuck": self.stuck,
            "faults": sorted(set(self.faults)),
        }

    def _finds(self) -> dict[str, Any]:
        """By pair of arms: the least difference in points a member that a test of group means (5%, two-sided) finds in
        four of five such rehearsals, and from how many groups an arm.
        """
        t = _t()
        means = {arm: [mean(one) for one in groups.values()] for arm, groups in sorted(self.clusters.items())}
        arms = [arm for arm, found in means.items() if len(found) > 1]
        told: dict[str, Any] = {}
        for n, first in enumerate(arms):
            for other in arms[n + 1 :]:
                sides = [means[first], means[other]]
                error = sqrt(sum(stdev(one) ** 2 / len(one) for one in sides))
                df = sum(map(len, sides)) - 2
                least = float(t.ppf(1 - SIZE / 2, df) + t.ppf(POWER, df)) * error
                told[f"{other} - {first}"] = {"groups": [len(one) for one in sides], "least": round(least, 3)}
        return told


def spread_of(values: Sequence[float]) -> dict[str, float] | None:
    """Least, median, nine of ten, most, and the mean with its 95% interval by Student's t; none of one value."""
    if not values:
        return None
    centre, n = mean(values), len(values)
    half = float(_t().ppf(1 - SIZE / 2, n - 1)) * stdev(values) / sqrt(n) if n > 1 else None
    told = {
        "n": n, "min": min(values), "median": median(values),
        "p90": quantiles(values, n=10, method="inclusive")[-1] if n > 1 else values[0], "max": max(values),
        "mean": centre, **({} if half is None else {"low": centre - half, "high": centre + half}),
    }  # fmt: skip
    return {name: value if name == "n" else round(value, 2) for name, value in told.items()}


def _t() -> Any:
    return import_module("scipy.stats").t
