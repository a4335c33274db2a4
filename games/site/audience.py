"""Who may see what: the single place that decides.

A run's audience is ``{"kind": ..., "delay": d, "prompts": bool, "to": ...}`` with one of `KINDS`, the delay in rounds;
with ``prompts``, spectators may also read what models were asked and answered, as far as their eyes see; ``to`` says
whom it counts for, one of `SHOWN_TO`, everyone where it is left out. A viewer gets the eyes that the audience and its
own rights allow, and the last step that those eyes may see. Everything that leaves the server passes through
`games.lab.wire.frames.frame` with those eyes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from django.conf import settings
from django.db.models import Q

from games.core.game import All, Eyes, Public, Seat, SeatEyes
from games.errors.requests import BadRequest, Refusal
from games.site.models import ENDED, Experiment, ExperimentStatus, Run

Kind = Literal["omniscient", "public", "delayed", "after_end", "private"]
KINDS: tuple[Kind, ...] = ("omniscient", "public", "delayed", "after_end", "private")
PRIVATE = "private"
"""Seen by operators, and by each seat through its own eyes, until an operator opens it."""
SHOWN_TO = ("everyone", "link", "members")
"""everyone: it stands in every list. link: only in lists of members; its address opens it. members: for them alone."""
EVERYONE = "everyone"
DELAY_MAX = 10_000


class Forbidden(Refusal):
    """A viewer asked for what it may not see."""

    status = 403


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: an operator or experimenter, who sees everything; a member, who has an account here; the holder of
    some seats of this run; or a visitor.
    """

    operator: bool = False
    member: bool = False
    seats: frozenset[Seat] = frozenset()


VISITOR = Viewer()


@dataclass(frozen=True, slots=True)
class Sight:
    """Eyes, and how far they see: to the end of the round ``delay`` rounds ago, or nothing before the end.

    `games.site.record.selectors.shown_head` says which step that is.
    """

    eyes: Eyes
    delay: int = 0
    after_end: bool = False
    blind: bool = False
    """Whether nothing tells who is a person: neither kinds of seats nor presence, silence, costs and repairs."""

    key: str = field(init=False, compare=False, repr=False)
    """Equal for viewers who are shown the same bytes. Asked for at each socket of each round, so it is written once."""

    def __post_init__(self) -> None:
        match self.eyes:
            case All():
                who = "all"
            case Public():
                who = "public"
            case SeatEyes(seat):
                who = f"seat-{seat}"
        object.__setattr__(self, "key", f"{who}/{self.delay}/{int(self.after_end)}/{int(self.blind)}")


def is_blind(run: Run) -> bool:
    """Whether the terms for people say that nobody but operators is told who is a person."""
    return bool((run.people or {}).get("blind"))


def seat_sight(run: Run, seat: Seat) -> Sight:
    """What the holder of a seat sees, whoever else they may be."""
    return Sight(SeatEyes(seat), blind=is_blind(run))


def sight(run: Run, viewer: Viewer, as_seat: Seat | None = None) -> Sight:
    """What the viewer may see of the run, as one seat where asked; raises `Forbidden`.

    The holder of a seat sees as that seat, whatever the audience allows to others; once the run is over, as any other
    viewer too.
    """
    audience: Mapping[str, Any] = run.audience or {}
    kind: Kind = audience.get("kind", "omniscient")
    seats = run.seats.count() if as_seat is not None else 0
    if as_seat is not None and not 0 <= as_seat < seats:
        raise Forbidden(
            "no_such_seat", f"as: {as_seat}; this run has seats 0 to {seats - 1}", seat=as_seat, last=seats - 1
        )
    if kind == PRIVATE and not viewer.operator and not viewer.seats:
        raise Forbidden("run_is_private", "this match is seen by its players alone until an operator opens it")
    check_member(audience, viewer)
    if viewer.seats and not viewer.operator and (run.status not in ENDED or kind == PRIVATE):
        own = min(viewer.seats) if as_seat is None else as_seat
        if own not in viewer.seats:
            raise Forbidden("seat_not_yours", f"as: {own}; you hold another seat of this run")
        return seat_sight(run, own)
    if viewer.operator:
        return Sight(All() if as_seat is None else SeatEyes(as_seat))
    if as_seat is not None and as_seat in viewer.seats:
        return seat_sight(run, as_seat)
    delay = int(audience.get("delay", 0)) if kind == "delayed" else 0
    open_now = kind in ("omniscient", "delayed", "after_end") or (run.status in ENDED and kind != "public")
    if as_seat is not None:
        if not open_now:
            raise Forbidden("seat_is_private", "as: this run shows spectators what is public; seats' views are private")
        return Sight(SeatEyes(as_seat), delay, kind == "after_end", is_blind(run))
    return Sight(All() if open_now else Public(), delay, kind == "after_end", is_blind(run))


def sees(run: Run, viewer: Viewer) -> bool:
    """Whether anything of the run is for the viewer."""
    try:
        sight(run, viewer)
    except Forbidden:
        return False
    return True


def listed(viewer: Viewer) -> Q:
    """The runs that stand in lists for the viewer: not what is its players' alone, nor what is for others."""
    if viewer.operator:
        return Q()
    shown = Q(audience__kind__isnull=True) | ~Q(audience__kind=PRIVATE)
    return shown if viewer.member else shown & Q(audience__to__isnull=True)


def listed_experiments(viewer: Viewer) -> Q:
    """The experiments that stand in lists for the viewer."""
    return Q() if viewer.operator or viewer.member else Q(audience__to__isnull=True)


def check_member(audience: Mapping[str, Any] | None, viewer: Viewer) -> None:
    """Whether a run or experiment of this audience is for the viewer at all; raises `Forbidden`."""
    if (audience or {}).get("to") == "members" and not (viewer.operator or viewer.member or viewer.seats):
        raise Forbidden("members_only", "this is for those who have an account here; sign in")


def sees_costs(run: Run, *, control: bool) -> bool:
    """Whether what a run costs, may cost and broke off for is shown: to operators, and where prompts are."""
    return control or (bool((run.audience or {}).get("prompts")) and not is_blind(run))


def check_prompts(run: Run, viewer: Viewer, seen: Sight) -> None:
    """Whether models' prompts, replies and costs may be read with this sight; raises `Forbidden`.

    Operators may, the holder of a seat its own, spectators where the audience says so.
    """
    own = isinstance(seen.eyes, SeatEyes) and seen.eyes.seat in viewer.seats
    if not (own or sees_costs(run, control=viewer.operator)):
        raise Forbidden("prompts_are_private", "this run keeps its models' prompts, replies and costs to its operator")


def sees_figures(experiment: Experiment, viewer: Viewer) -> bool:
    """Whether its settings, its runs' measures and what they say together are shown.

    The narrowest of its own audience and of its runs' holds: what one of them keeps to operators (``public``), no sum
    over them may tell, and where one is shown after its end, the figures are after the experiment's.
    """
    if viewer.operator:
        return True
    if (experiment.audience or {}).get("to") == "members" and not viewer.member:
        return False
    told = Run.objects.filter(experiment=experiment).values_list("audience", flat=True).order_by().distinct()
    kinds = {
        one.get("kind", "omniscient") for one in (experiment.audience or {}, *(audience or {} for audience in told))
    }
    if kinds & {"public", PRIVATE}:
        return False
    over = experiment.status in (ExperimentStatus.FINISHED, ExperimentStatus.CANCELLED)
    return over or "after_end" not in kinds


def check_figures(experiment: Experiment, viewer: Viewer) -> None:
    """As `sees_figures`; raises `Forbidden`."""
    if not sees_figures(experiment, viewer):
        told = f"{experiment.slug}: what its runs say is kept to its operator, or shown after its end"
        raise Forbidden("figures_are_private", told, slug=experiment.slug)


def audience_checked(given: Mapping[str, Any] | None, *, has_people: bool = False) -> dict[str, Any]:
    """An audience as it is stored; raises `BadRequest`.

    Where no kind is said, spectators see everything, but a match of people nobody beside its players.
    """
    told = dict(given or {})
    kind = told.pop("kind", PRIVATE if has_people else "omniscient")
    delay, prompts = told.pop("delay", None), told.pop("prompts", False)
    to = told.pop("to", None) or settings.POLITY_SHOWN_TO
    if kind not in KINDS or told:
        raise _bad(f"audience: {kind!r}; one of {', '.join(KINDS)}", "kind", known=list(KINDS))
    if not isinstance(prompts, bool):
        raise _bad(f"audience.prompts: {prompts!r}; true or false", "prompts")
    if to not in SHOWN_TO:
        raise _bad(f"audience.to: {to!r}; one of {', '.join(SHOWN_TO)}", "to", known=list(SHOWN_TO))
    shown = {**({"prompts": True} if prompts else {}), **({} if to == EVERYONE else {"to": to})}
    if kind != "delayed":
        return {"kind": kind, **shown}
    if not isinstance(delay, int) or not 1 <= delay <= DELAY_MAX:
        raise _bad(f"audience.delay: {delay!r}; 1 to {DELAY_MAX} rounds", "delay", most=DELAY_MAX)
    return {"kind": kind, "delay": delay, **shown}


def _bad(message: str, why: str, **more: Any) -> BadRequest:
    return BadRequest("bad_audience", message, "audience", why=why, **more)


def audience_for_people(run: Run, given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The audience of a run that a person enters: what is given, else what it was where people played before or the run
    was private, else what is public alone; raises `BadRequest`. An audience that was chosen when nobody's views were
    private is no leave to show them.
    """
    if given is not None:
        return audience_checked(given, has_people=True)
    is_kept = bool(run.people) or (run.audience or {}).get("kind") == PRIVATE
    if is_kept:
        return dict(run.audience)
    return {name: value for name, value in (run.audience or {}).items() if name == "to"} | {"kind": "public"}
