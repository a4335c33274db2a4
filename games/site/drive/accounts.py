"""What a run and each of its models have spent, beside what each may spend."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from agents_app.budget import Meter
from agents_app.profile import Limits
from games.core.game import Seat
from games.site.drive.batches import in_batches
from games.site.models import Run
from games.site.record import calls


@dataclass(frozen=True, slots=True)
class Accounts:
    """What a run and each of its models have spent, against their limits."""

    run: Meter
    seats: Mapping[Seat, Meter]

    @classmethod
    def of(cls, run: Run) -> Accounts:
        """From the stored calls and those that are in batches; limits are the run's own and those of each seat's
        profile.
        """
        spent, comments = calls.spent_by_seat(run), calls.spent_on_comments(run)
        accounts = cls(
            Meter("the run", Limits.model_validate(run.limits), calls.sum_of((*spent.values(), comments))),
            {
                seat.index: Meter(
                    seat.name,
                    Limits.model_validate((seat.agent.get("profile") or {}).get("limits") or {}),
                    spent.get(seat.index),
                )
                for seat in run.seats.all()
            },
        )
        for seat_index, number, tokens in in_batches(run.pk):
            for meter in accounts.of_seat(seat_index):
                meter.hold(tokens, number)
        return accounts

    @classmethod
    def unused(cls, run: Run) -> Accounts:
        """Where nobody is asked who costs anything, what was spent before need not be summed up."""
        return cls(Meter("the run", Limits.model_validate(run.limits)), {})

    def of_seat(self, seat: Seat) -> tuple[Meter, Meter]:
        return self.seats[seat], self.run
