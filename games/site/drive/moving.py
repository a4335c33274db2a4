"""Stores steps: each moves its run's head on and adds its rows, the steps of many runs in one transaction.

Runs of models end their steps at the same moments as others, each in a thread of its own. With a transaction each they
stood in line for the one lock that SQLite has, a third of a worker's threads at any time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.site.drive.lease import Lease, Moved
from games.site.record.rows import Rows, insert_all


@dataclass(frozen=True, slots=True)
class Move:
    """Steps of one run that follow one another, to be kept at once. Comes to how it goes on; to None where it may not.

    ``first``   the index of the first; the run has to stand before it
    ``values``  columns of the run that are written with them
    ``then``    what is done in the same transaction to the run that goes on so
    """

    lease: Lease
    first: int
    values: Mapping[str, Any]
    rows: Rows
    then: Callable[[Moved], None]

    def __call__(self) -> Moved | None:
        return self.of_many([self])[0]

    @staticmethod
    def of_many(works: Sequence[Move]) -> list[Moved | None]:
        """In one order of runs, so that no two workers wait for each other."""
        moved: dict[int, Moved] = {}
        for number, work in sorted(enumerate(works), key=lambda one: one[1].lease.run_id):
            if (run := work.lease.move(work.first, **work.values)) is not None:
                moved[number] = run
        insert_all([works[number].rows for number in moved])
        for number, run in moved.items():
            works[number].then(run)
        return [moved.get(number) for number in range(len(works))]
