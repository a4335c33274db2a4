"""Words of a seat taken out of a run that is over: each is replaced by its keyed digest wherever it stands, and the
hashes of the run are chained anew, so that it verifies as before. Whoever erases registers the head before and after.
"""

from __future__ import annotations

import hashlib
import hmac
import json
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from games.core import codec
from games.core.prompts import quoted
from games.errors.requests import BadRequest
from games.site.models import ENDED, Call, Decision, Message, Run, Snapshot, Step
from games.site.record import blobs, selectors
from games.site.record.verification import replayed

WORDS: Final = "text"
"""The key under which a seat's words stand in its actions, in every game."""
SUBSTRING: Final = 12
"""Characters from which on words are looked for inside other texts too; shorter ones where they stand in quotation
marks, as a prompt quotes them."""


class _Broken(Exception):
    """The run no longer follows from its seed and moves: a word that was taken out is one of the game's own, too."""


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
    instead = {text: token(text) for text in texts}
    for keys in (None, {WORDS}):  # everywhere; where that breaks the run, as what is said alone
        with suppress(_Broken):
            return Erased(len(texts), run.head_hash, _rewritten(run, _Put(instead, keys)))
    told = f"erase: run {run_id}: its words cannot be taken out without breaking it; delete the run to be rid of them"
    raise BadRequest("not_erased", told, why="erase")


def _rewritten(run: Run, put: _Put) -> str:
    """The last hash of the run once its words are taken out wherever they stand. Raises `_Broken`, and leaves all as it
    was."""
    with transaction.atomic():
        try:
            after = _steps(run, put)
        except (ValueError, LookupError, TypeError) as error:
            raise _Broken from error
        for said in Message.objects.filter(run=run):
            Message.objects.filter(pk=said.pk).update(text=put.text(said.text))
        for row in Decision.objects.filter(run=run):
            Decision.objects.filter(pk=row.pk).update(answer=put.json(row.answer))
        for call in Call.objects.filter(run=run):
            told = {
                name: put.json(getattr(call, name)) for name in ("prompt", "reply", "reasoning", "answers", "tools")
            }
            Call.objects.filter(pk=call.pk).update(**told, logprobs="")
        Run.objects.filter(pk=run.pk).update(head_hash=after, story=put(run.story))
        selectors.forget(run.pk)
        if replayed(run.pk).difference is not None:
            raise _Broken
    return after


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


def _steps(run: Run, put: _Put) -> str:
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
        record, position = put(record), put(position)
        state = codec.load(play.game.state_type, position["state"])
        previous = codec.chain(play.game, previous, codec.decode_step(play.game, record, state))
        packed = {"record": blobs.pack(record), "position": blobs.pack(position), "hash": previous}
        Step.objects.filter(pk=row.pk).update(**packed)
        if row.index == blobs.snapshot_index(row.index):
            Snapshot.objects.filter(run=run, index=row.index).update(body=packed["position"])
    return previous


@dataclass(frozen=True, slots=True)
class _Put:
    """Puts digests into JSON in place of texts; keys and numbers stay.

    ``keys``  under which a single word is taken for what was said; None: under any, and in lists
    """

    instead: Mapping[str, str]
    keys: Collection[str] | None

    def __call__(self, value: Any, key: str = "") -> Any:
        if isinstance(value, str):
            is_said = self.keys is None or key in self.keys or " " in value
            return self.text(value) if is_said else value
        if isinstance(value, Mapping):
            return {name: self(part, name) for name, part in value.items()}
        return [self(part, key) for part in value] if isinstance(value, list | tuple) else value

    def text(self, text: str) -> str:
        """A text without the words, the longest first, since one may hold another."""
        if text in self.instead:
            return self.instead[text]
        for one in sorted(self.instead, key=len, reverse=True):
            text = text.replace(quoted(one), quoted(self.instead[one]))
            if len(one) >= SUBSTRING:
                text = text.replace(one, self.instead[one])
        return text

    def json(self, text: str) -> str:
        """A text that is JSON, or none."""
        try:
            return json.dumps(self(json.loads(text)), ensure_ascii=False, allow_nan=False)
        except ValueError:
            return self.text(text)
