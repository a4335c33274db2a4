"""Recordings in seats: what a model said in a seat of another run of the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from games.core.answers import Note
from games.errors.faults import BadScenario, Fault
from games.lab.scenarios.form import AgentForm, FoundRecording
from games.site.models import Call, Seat
from games.site.record import selectors
from games.site.record.calls import ASKED


def recordings_found(game: str, seats: Mapping[str, AgentForm], source: str) -> dict[str, AgentForm]:
    """The seats with every recording looked up; raises `BadScenario` for one that cannot be used in this game."""
    faults: list[Fault] = []
    found = {key: _found(game, key, form, source, faults) for key, form in seats.items()}
    if faults:
        raise BadScenario(faults)
    return found


def _found(game: str, key: str, form: AgentForm, source: str, faults: list[Fault]) -> AgentForm:
    wanted = form.recording
    if wanted is None or isinstance(wanted, FoundRecording):
        return form

    def refused(path: str, kind: str, **data: Any) -> AgentForm:
        faults.append(Fault.of(source, f"seats.{key}.recording.{path}", Note(kind, data)))
        return form

    try:
        run = selectors.run_get(wanted.run)
    except selectors.NotFound:
        return refused("run", "no_such_run", run=repr(wanted.run))
    if run.game != game:
        return refused("run", "run_of_another_game", run=wanted.run, plays=run.game, game=game)
    seat = Seat.objects.filter(run=run, index=wanted.seat).first()
    if seat is None:
        return refused("seat", "no_seat_of_run", seat=wanted.seat, run=wanted.run, last=run.seats.count() - 1)
    if seat.kind not in ASKED or not Call.objects.filter(run=run, seat=wanted.seat).exists():
        return refused("seat", "no_calls", seat=wanted.seat, run=wanted.run)
    return form.model_copy(update={"recording": FoundRecording(**wanted.model_dump(), profile=seat.agent["profile"])})
