"""Who may see what: the single place that decides.

A run's audience is ``{"kind": "omniscient" | "public" | "delayed" | "after_end", "delay": d, "prompts": bool}``; with
``prompts``, spectators may also read what models were asked and answered, as far as their eyes see. A viewer gets the
eyes that the audience and its own rights allow, and the last step that those eyes may see. Everything that leaves the
server passes through `games.lab.frames.frame` with those eyes.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from games.core.game import All, Eyes, Public, Seat, SeatEyes
from games.models import ENDED, Run

Kind = Literal["omniscient", "public", "delayed", "after_end"]
KINDS: tuple[Kind, ...] = ("omniscient", "public", "delayed", "after_end")


class Refused(Exception):
    """A viewer asked for what it may not see. ``code`` is stable; the text is one line for the viewer.

    ``more`` are its values and, as ``why``, the case of a code that has several, for pages in other languages.
    """

    def __init__(self, code: str, message: str, **more: Any) -> None:
        super().__init__(message)
        self.code, self.more = code, more


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who looks: an operator, the holder of some seats of this run, or a visitor."""

    operator: bool = False
    seats: frozenset[Seat] = frozenset()


VISITOR = Viewer()


@dataclass(frozen=True, slots=True)
class Sight:
    """Eyes, and how far they see: the last step is ``head - delay``, or none before the end."""

    eyes: Eyes
    delay: int = 0
    after_end: bool = False

    def head(self, run: Run) -> int:
        """The last step of the run that may be shown now; -1: none yet."""
        if run.status in ENDED:
            return run.head
        return -1 if self.after_end else max(run.head - self.delay, -1)

    @property
    def key(self) -> str:
        """Equal for viewers who are shown the same bytes."""
        match self.eyes:
            case All():
                who = "all"
            case Public():
                who = "public"
            case SeatEyes(seat):
                who = f"seat-{seat}"
        return f"{who}/{self.delay}/{int(self.after_end)}"


def sight(run: Run, viewer: Viewer, as_seat: Seat | None = None) -> Sight:
    """What the viewer may see of the run, as one seat where asked; raises `Refused`.

    The holder of a seat sees as that seat, whatever the audience allows to others; once the run is over, as any other
    viewer too.
    """
    audience: Mapping[str, Any] = run.audience or {}
    kind: Kind = audience.get("kind", "omniscient")
    seats = run.seats.count() if as_seat is not None else 0
    if as_seat is not None and not 0 <= as_seat < seats:
        raise Refused(
            "no_such_seat", f"as: {as_seat}; this run has seats 0 to {seats - 1}", seat=as_seat, last=seats - 1
        )
    if viewer.seats and not viewer.operator and run.status not in ENDED:
        own = min(viewer.seats) if as_seat is None else as_seat
        if own not in viewer.seats:
            raise Refused("seat_not_yours", f"as: {own}; you hold another seat of this run")
        return Sight(SeatEyes(own))
    if viewer.operator:
        return Sight(All() if as_seat is None else SeatEyes(as_seat))
    if as_seat in viewer.seats:
        return Sight(SeatEyes(as_seat))
    delay = int(audience.get("delay", 0)) if kind == "delayed" else 0
    open_now = kind in ("omniscient", "delayed", "after_end") or (run.status in ENDED and kind != "public")
    if as_seat is not None:
        if not open_now:
            raise Refused("seat_is_private", "as: this run shows spectators what is public; seats' views are private")
        return Sight(SeatEyes(as_seat), delay, kind == "after_end")
    return Sight(All() if open_now else Public(), delay, kind == "after_end")


def check_prompts(run: Run, viewer: Viewer, seen: Sight) -> None:
    """Whether models' prompts, replies and costs may be read with this sight; raises `Refused`.

    Operators may, the holder of a seat its own, spectators where the audience says so.
    """
    own = isinstance(seen.eyes, SeatEyes) and seen.eyes.seat in viewer.seats
    if not (viewer.operator or own or (run.audience or {}).get("prompts")):
        raise Refused("prompts_are_private", "this run keeps its models' prompts, replies and costs to its operator")
