"""Mutants of a game tried, each in a process of its own, and what came of it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Final

from games.errors.faults import Refused
from games.laws.case import Case, case_as_json
from games.laws.loading import Subject
from games.laws.mutation.copying import changed
from games.laws.mutation.source import Mutant, short
from games.laws.mutation.trial import LOADING

PATIENCE: Final = 5
"""A mutant may take so many times as long as the game itself."""
LEAST_S: Final = 30.0
"""And at least so long."""
LONGEST_S: Final = 1800.0
DEAR: Final = 0.15
"""A law that takes this part of the time of all is put to mutants last."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What became of one mutant.

    ``law`` is what found it out: a law, ``loading``, ``time`` where it was not done in time, None where nothing did;
    ``equivalent`` then says that it gave the same bytes in every case.
    """

    mutant: Mutant
    law: str | None
    saw: str = ""
    equivalent: bool = False

    @property
    def survives(self) -> bool:
        return self.law is None and not self.equivalent

    def __str__(self) -> str:
        if self.law is not None:
            return f"caught      {self.mutant}   [{self.law}{f': {short(self.saw)}' if self.law == LOADING else ''}]"
        return f"{'equivalent' if self.equivalent else 'SURVIVES  '}  {self.mutant}"

    def plain(self) -> dict[str, Any]:
        """As JSON, without the mutant's whole source."""
        mutant = {name: value for name, value in self.mutant._asdict().items() if name != "text"}
        return {**mutant, "law": self.law, "saw": self.saw, "equivalent": self.equivalent, "survives": self.survives}


@dataclass(slots=True)
class Mutation:
    """A game, its cases, and the mutants that are to be tried."""

    subject: Subject
    cases: Sequence[Case]
    mutants: Sequence[Mutant]
    jobs: int = 1
    _last: tuple[str, ...] = ()
    _limit_s: float = LONGEST_S
    _digests: list[str] = field(default_factory=list)

    def outcomes(self) -> Iterator[Outcome]:
        """What became of each mutant, in order. Raises `Refused` where the game itself breaks a law."""
        whole = self._asked(self.subject.origin, "laws", LONGEST_S)
        if whole is None or whole["law"] is not None:
            law, seen = (whole["law"], whole["saw"]) if whole else ("time", f"not done in {LONGEST_S:g} s")
            raise Refused(
                f"game {self.subject.pack.slug}: breaks {law} as it is: {seen}. Mend that before mutants are tried"
            )
        spent = sum(whole["seconds"].values())
        self._last = tuple(name for name, seconds in whole["seconds"].items() if seconds > DEAR * spent)
        self._limit_s = max(LEAST_S, PATIENCE * spent)
        with ThreadPoolExecutor(max(1, self.jobs)) as pool:
            yield from pool.map(self._tried, self.mutants)

    def _tried(self, mutant: Mutant) -> Outcome:
        with changed(self.subject.origin, mutant) as origin:
            answer = self._asked(origin, "laws", self._limit_s)
            if answer is None:
                return Outcome(mutant, "time", f"not done in {self._limit_s:.0f} s")
            if answer["law"] is not None:
                return Outcome(mutant, answer["law"], answer["saw"])
            played = self._asked(origin, "bytes", self._limit_s)
        if not self._digests:
            own = self._asked(self.subject.origin, "bytes", LONGEST_S)
            self._digests = own["digests"] if own else []
        same = played is not None and bool(self._digests) and played["digests"] == self._digests
        return Outcome(mutant, None, equivalent=same)

    def _asked(self, origin: str, mode: str, limit_s: float) -> dict[str, Any] | None:
        """What a process of its own finds; None where it is not done in time."""
        cases = [{**case_as_json(case), "origin": origin} for case in self.cases]
        order = {"origin": origin, "mode": mode, "cases": cases, "last": self._last}
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(filter(None, sys.path)),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        words = [sys.executable, "-m", "games.laws.mutation.trial"]
        try:
            done = subprocess.run(
                words,
                input=json.dumps(order).encode(),
                capture_output=True,
                timeout=limit_s,
                env=environment,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
        if done.returncode:
            return {"law": "loading", "saw": done.stderr.decode(errors="replace")[-500:], "seconds": {}, "digests": []}
        answer: dict[str, Any] = json.loads(done.stdout.decode().rpartition("\n")[2])
        return answer


def table(outcomes: Sequence[Outcome]) -> Mapping[str, int]:
    """How many were caught by each law, the most first; then survivors and equivalents."""
    counted: dict[str, int] = {}
    for outcome in outcomes:
        name = outcome.law or ("equivalent" if outcome.equivalent else "survives")
        counted[name] = counted.get(name, 0) + 1
    return dict(sorted(counted.items(), key=lambda one: (-one[1], one[0])))
