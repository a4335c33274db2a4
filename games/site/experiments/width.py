"""How many runs of an experiment go at once: as many as the workers have room for and its models take calls of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from games.lab.scenarios.scenario import Scenario
from games.lab.scenarios.seating import ModelSeat, PersonSeat
from games.site.models import Cell, Experiment, Queue
from games.site.record.capacity import Capacity

AHEAD: Final = {"bulk": 64, "live": 8}
"""Runs of one experiment in which no model is asked that are under way or stand in the queue at once."""
HELD: Final = 3
"""Where so many runs of a condition stand still over what its seats answered, no more of it begin."""
Model: TypeAlias = tuple[str, str]
"""A model at its address."""


@dataclass(slots=True)
class Width:
    """Room for further runs.

    ``most``   runs at once: the experiment's own ``at_once``, else what the workers can drive
    ``seats``  by condition, how many seats each model holds
    ``calls``  by model, how many calls it takes at once; empty where the experiment says its width itself
    """

    most: int
    seats: dict[str, Counter[Model]] = field(default_factory=dict)
    calls: dict[Model, int] = field(default_factory=dict)

    @classmethod
    def of(cls, experiment: Experiment, loaded: Scenario, capacity: Capacity) -> Width:
        seats: dict[str, Counter[Model]] = {}
        calls: dict[Model, int] = {}
        has_people = False
        for condition in loaded.conditions:
            seats[condition.name] = Counter()
            for agent in condition.seats:
                has_people |= isinstance(agent, PersonSeat)
                if isinstance(agent, ModelSeat):
                    model = agent.profile.model, agent.profile.base_url
                    seats[condition.name][model] += 1
                    calls[model] = max(calls.get(model, 0), agent.profile.concurrency * capacity.workers)
        if experiment.at_once is not None:
            return cls(experiment.at_once)
        is_driven_by_models = experiment.queue == Queue.LIVE and bool(calls) and not has_people
        return cls(capacity.threads if is_driven_by_models else AHEAD[experiment.queue], seats, calls)

    def chosen(self, waiting: Iterable[Cell], under_way: Collection[str], held: Collection[str]) -> Iterator[Cell]:
        """Those of the cells that may begin, in their order.

        ``under_way``  the conditions of the runs that go on, one for each
        ``held``       those of the runs that stand still
        """
        left = self.most - len(under_way)
        asked: Counter[Model] = Counter()
        for condition in under_way:
            asked.update(self.seats.get(condition, {}))
        stands = {condition for condition, number in Counter(held).items() if number >= HELD}
        for cell in waiting:
            if left <= 0:
                return
            seats = self.seats.get(cell.condition, Counter())
            # A run of more seats than its model takes calls goes alone.
            is_full = any(asked[one] and asked[one] + number > self.calls.get(one, 0) for one, number in seats.items())
            if is_full or cell.condition in stands:
                continue
            asked.update(seats)
            left -= 1
            yield cell
