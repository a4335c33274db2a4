"""Words of a seat taken out of a run that is over: each is replaced by its keyed digest wherever it stands, and the
hashes of the run are chained anew, so that it verifies as before. Whoever erases registers the head before and after.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from games.core import codec
from games.errors.requests import BadRequest
from games.site.models import ENDED, Call, Decision, Message, Run, Snapshot, Step
from games.site.record import blobs, selectors

WORDS: Final = "text"
"""The key under which a seat's words stand in its actions, in every game."""
SUBSTRING: Final = 4
"""Letters from which on words are looked for inside other texts too, as in a prompt that quotes them."""


@dataclass(frozen=True, slots=True)
class Erased:
    """What was taken out of a run: how many texts, and the last hash before and after."""

    items: int
    before: str
    after: str


def token(text: str) -> str:
    """What stands in place of a text: a digest that nobody can reckon without the site's key."""
    key = f"polity.erased/{settings.SECRET_KEY}".encode()
    return f"[erased {hmac.new(key, text.encode(), hashlib.sha256).hexdigest()[:16]}]"


def words_erase(run_id: str, seats: Collection[int]) -> Erased | None:
    """Erase what was written in these seats of a run that is over; None where nothing was. Raises `BadRequest`."""
    run = selectors.run_get(run_id)
    texts = _texts(run, seats)
    if not texts:
        return None
    if run.status not in ENDED:
        raise BadRequest("wrong_status", f"erase: run {run_id} is {run.status}; it must be over", why="erase")
    if run.parent_id is not None or Run.objects.filter(parent=run).exists():
        raise BadRequest("has_forks", f"erase: run {run_id} shares its steps with a fork; delete the fork first")
    put = _putter({text: token(text) for text in texts})
    with transaction.atomic():
        after = _steps(run, put)
        for said in Message.objects.filter(run=run):
            Message.objects.filter(pk=said.pk).update(text=put(said.text))
        for row in Decision.objects.filter(run=run):
            Decision.objects.filter(pk=row.pk).update(answer=_json(row.answer, put))
        for call in Call.objects.filter(run=run):
            told = {
                name: _json(getattr(call, name), put) for name in ("prompt", "reply", "reasoning", "answers", "tools")
            }
            Call.objects.filter(pk=call.pk).update(**told, logprobs="")
        Run.objects.filter(pk=run.pk).update(head_hash=after, story=_put(run.story, put))
    return Erased(len(texts), run.head_hash, after)


def _texts(run: Run, seats: Collection[int]) -> set[str]:
    """Every text that was written in the seats and is not erased already."""
    found = set(Message.objects.filter(run=run, sender__in=list(seats)).values_list("text", flat=True))
    rows = Decision.objects.filter(run=run, seat__in=list(seats)).values_list("answer", flat=True)
    found |= {text for answer in rows for text in _words(json.loads(answer).get("action"))}
    return {text for text in found if text and not text.startswith("[erased ")}


def _words(value: Any) -> Iterator[str]:
    if isinstance(value, Mapping):
        for key, part in value.items():
            if key == WORDS and isinstance(part, str):
                yield part
            else:
                yield from _words(part)
    elif isinstance(value, list):
        for part in value:
            yield from _words(part)


def _steps(run: Run, put: Callable[[str], str]) -> str:
    """Rewrite every step and snapshot; the last hash of the new chain. What is written needs no snapshot to be read."""
    play = selectors.playing(run)
    previous = codec.GENESIS
    rows = list(Step.objects.filter(run=run).order_by("index"))
    read = [
        (base.unpack(row.record), base.unpack(row.position))
        for row in rows
        for base in (selectors.base_of(run.pk, blobs.snapshot_index(row.index)),)
    ]
    for row, (record, position) in zip(rows, read, strict=True):
        record, position = _put(record, put), _put(position, put)
        state = codec.load(play.game.state_type, position["state"])
        previous = codec.chain(play.game, previous, codec.decode_step(play.game, record, state))
        packed = {"record": blobs.pack(record), "position": blobs.pack(position), "hash": previous}
        Step.objects.filter(pk=row.pk).update(**packed)
        if row.index == blobs.snapshot_index(row.index):
            whole = blobs.pack({**position, "record": {**record, "metrics": None}})
            Snapshot.objects.filter(run=run, index=row.index).update(body=whole)
    selectors.forget(run.pk)
    return previous


def _putter(instead: Mapping[str, str]) -> Callable[[str], str]:
    """What puts digests into a text; the longest words first, since one may hold another."""
    inside = sorted((text for text in instead if len(text) >= SUBSTRING), key=len, reverse=True)

    def put(text: str) -> str:
        if text in instead:
            return instead[text]
        for one in inside:
            text = text.replace(one, instead[one])
        return text

    return put


def _put(value: Any, put: Callable[[str], str]) -> Any:
    """JSON with every text as it is put; keys and numbers stay."""
    if isinstance(value, str):
        return put(value)
    if isinstance(value, Mapping):
        return {key: _put(part, put) for key, part in value.items()}
    return [_put(part, put) for part in value] if isinstance(value, list | tuple) else value


def _json(text: str, put: Callable[[str], str]) -> str:
    """A text that is JSON, or none."""
    try:
        return json.dumps(_put(json.loads(text), put), ensure_ascii=False, allow_nan=False)
    except ValueError:
        return put(text)
