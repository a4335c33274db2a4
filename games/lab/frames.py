"""A resolved step as one pair of eyes may see it: the form in which pages, streams and files get it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from games.core import codec
from games.core.game import All, Eyes, Game, Seat, SeatEyes, Step


def frame(
    game: Game[Any, Any, Any, Any],
    config: Any,
    step: Step[Any, Any],
    eyes: Eyes,
    hash_: str,
    metrics: Any,
    actions: Sequence[tuple[Seat, Any]] | None = None,
) -> dict[str, Any]:
    """A step as those eyes may see it. Measures are made from everything, so only omniscient eyes get them.

    ``actions`` are the step's by seat, in seat order, where they are at hand as plain data; else they are written here.
    """
    own = eyes.seat if isinstance(eyes, SeatEyes) else None
    everything = isinstance(eyes, All)

    def mine(seat: Seat) -> bool:
        return everything or seat == own

    if actions is None:
        dump = codec.adapter(game.action_type).dump_python
        actions = [(seat, dump(action, mode="json")) for seat, action in sorted(step.actions.items()) if mine(seat)]
    return {
        "n": step.index,
        **codec.encode_turn(step.turn),
        "view": game.view(config, step.state, eyes),
        "events": [codec.encode_event(event) for event in step.events_for(eyes)],
        "payoffs": [[seat, amount] for seat, amount in sorted(step.payoffs.items()) if mine(seat)],
        "actions": [pair for pair in actions if mine(pair[0])],
        "notes": [
            [seat, list(map(codec.encode_note, notes))] for seat, notes in sorted(step.notes.items()) if mine(seat)
        ],
        "flags": [[seat, list(flags)] for seat, flags in sorted(step.flags.items()) if mine(seat)],
        "metrics": metrics if everything else None,
        "hash": hash_,
    }


def brief(step: Step[Any, Any], eyes: Eyes, hash_: str, metrics: Any) -> dict[str, Any]:
    """Of a step's frame what stands on the time axis: enough to draw a long run without all its views."""
    own = eyes.seat if isinstance(eyes, SeatEyes) else None
    everything = isinstance(eyes, All)
    return {
        "n": step.index,
        "clock": codec.encode_turn(step.turn)["clock"],
        "payoffs": [[seat, amount] for seat, amount in sorted(step.payoffs.items()) if everything or seat == own],
        "metrics": metrics if everything else None,
        "kinds": list(dict.fromkeys(event.kind for event in step.events_for(eyes))),
        "hash": hash_,
    }


def recorded(record: Mapping[str, Any]) -> dict[str, Any]:
    """A step's record as omniscient eyes get it where its state cannot be resolved again: with nothing to draw."""
    kept = ("clock", "stage", "seats", "events", "payoffs", "actions", "flags", "metrics", "hash")
    notes = [[seat, list(map(codec.encode_note, told))] for seat, told in codec.decode_notes(record["notes"]).items()]
    return {"n": record["step"], "view": {}, **{name: record[name] for name in kept}, "notes": notes}
