"""All that a game does in one case, as one digest: two sources with the same digests over all cases play alike."""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b

from games.core import codec
from games.core.agents import Decision, Request
from games.core.answers import BadAction
from games.core.sampling import sample
from games.laws.case import Case
from games.laws.settings import shown_of
from games.laws.trials import swapped, trials


def digest(case: Case) -> str:
    """Of states, records, views, requests, observations, prompts and measures, in runs of policies, of seats that fall
    silent or answer anything, of others' actions, and of what junk comes to."""
    bytes_seen = blake2b(digest_size=16)
    for part in _parts(case):
        bytes_seen.update(part)
        bytes_seen.update(b"\n")
    return bytes_seen.hexdigest()


def _parts(case: Case) -> Iterator[bytes]:
    for silent in (False, True):
        yield from shown_of(case, silent, deep=True)
    for step in case.played().steps:
        for eyes in case.eyes():
            yield codec.canonical(case.game.view(case.config, step.state, eyes))
            yield codec.canonical([codec.encode_event(event) for event in step.events_for(eyes)])
    for run in (swapped(case), case.run(dict.fromkeys(case.seats, _anything))):
        for step in run:
            yield codec.canonical(codec.encode_step(case.game, step))
    for trial in trials(case):
        yield repr((trial.stage, trial.refusal, trial.notes)).encode()


def _anything(request: Request[object, object]) -> Decision[object]:
    """An answer drawn from the schema."""
    assert request.actions is not None
    try:
        return Decision(request.actions.read(sample(request.actions.schema, request.rng.at("anything"))))
    except BadAction:
        return Decision(None)
