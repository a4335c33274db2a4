"""How an answer came about: declared when, how many runs planned and played, who stopped it, what was seen before.

It stands in the first lines of a report, whatever the answer is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

Registered: TypeAlias = Literal["before", "after", "not", "elsewhere"]
"""By whose clock a declaration is older than the first run: this site's (``before``; ``after``: some runs had ended),
nobody's (``not``), or that of the folder that it was imported with (``elsewhere``)."""
Sentence: TypeAlias = tuple[str, dict[str, Any]]
"""The key of one of the report's sentences, and what fills it."""


@dataclass(frozen=True, slots=True)
class StoppedBy:
    """A stopping rule; ``seeds``: after how many it stopped the experiment, None where it did not."""

    rule: str
    looks: tuple[int, ...]
    planned: int
    seeds: int | None = None

    def facts(self) -> dict[str, Any]:
        return {"rule": self.rule, "looks": list(self.looks), "planned": self.planned, "seeds": self.seeds}


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a reader must know before the answer.

    ``entry``    the number in the site's register, and ``at`` its time (ISO 8601); None where there is none
    ``done``     runs that had ended when it was registered
    ``claimed``  the date that the declaration itself gives; nobody has checked it
    ``planned``  runs, and ``played`` how many of them are finished
    ``ended``    how it ended where not every planned run was played: cancelled, stopped, paused, running, broken off
    ``by``       who ended it, "" where that is not known; ``when`` the time
    ``stopping`` the declared rule, its looks, and where it stopped it; None: it was looked at once, at the end
    ``peeked``   runs that had ended, and the time, when its tests were first looked at before it was over
    ``seen``     planned runs whose settings and seed had been played before, in the experiments ``seen_in``
    ``family``   other experiments on the same question: clones of one another, and earlier ones with its conditions
    ``changed``  the first of these, and what of its plan was changed; None where nothing was
    ``mocked``   whether models sat in it and all of them were mocks
    """

    registered: Registered
    planned: int
    played: int
    entry: int | None = None
    at: str | None = None
    done: int = 0
    claimed: str | None = None
    ended: str = ""
    by: str = ""
    when: str | None = None
    seen: int = 0
    seen_in: tuple[str, ...] = ()
    family: tuple[str, ...] = ()
    stopping: StoppedBy | None = None
    peeked: tuple[int, str] | None = None
    changed: tuple[str, tuple[str, ...]] | None = None
    mocked: bool = False

    @property
    def is_exploratory(self) -> bool:
        """Whether the declaration may have been written with the answer in sight."""
        return self.registered != "before" or self.seen > 0

    @property
    def is_marked(self) -> bool:
        """Whether its first lines hold what makes an answer weaker."""
        is_short = self.played < self.planned and (self.stopping is None or self.stopping.seeds is None)
        is_asked_again = bool(self.family) or self.changed is not None
        return self.is_exploratory or is_short or self.peeked is not None or is_asked_again or self.mocked

    def sentences(self) -> Sequence[Sentence]:
        """In the order in which they are to be read."""
        found: list[Sentence] = [
            (f"registered_{self.registered}", {"entry": self.entry, "at": _moment(self.at), "done": self.done})
        ]
        if self.claimed:
            found.append(("claimed", {"claimed": self.claimed}))
        if self.stopping is not None:
            found.append(("rule_looks" if self.stopping.looks else "rule_always", self.stopping.facts()))
        if self.stopping is not None and self.stopping.seeds is not None:
            found.append(("rule_stopped", {**self.stopping.facts(), "when": _moment(self.when)}))
        elif self.played < self.planned:
            how = "open" if self.when is None else "by" if self.by else "short"
            found.append((f"ended_{how}", self._end()))
        else:
            found.append(("played_all", {"planned": self.planned}))
        if self.mocked:
            found.append(("mocked", {}))
        if self.peeked is not None:
            found.append(("peeked", {"runs": self.peeked[0], "planned": self.planned, "when": _moment(self.peeked[1])}))
        if self.seen:
            found.append(
                (
                    "seen_in" if self.seen_in else "seen",
                    {"seen": self.seen, "planned": self.planned, "of": list(self.seen_in)},
                )
            )
        if self.family:
            found.append(("family_of", {"n": len(self.family) + 1, "names": list(self.family)}))
        if self.changed is not None:
            found.append(("changed_since", {"first": self.changed[0], "what": list(self.changed[1])}))
        if self.is_exploratory:
            found.append(("exploratory", {}))
        return found

    def _end(self) -> dict[str, Any]:
        return {
            "played": self.played,
            "planned": self.planned,
            "ended": self.ended,
            "by": self.by,
            "when": _moment(self.when),
        }


def _moment(text: str | None) -> str:
    """An ISO moment of UTC as a reader writes it, to the second."""
    return "–" if text is None else f"{text[:10]} {text[11:19]} UTC"
