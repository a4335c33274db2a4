"""The batch interface of OpenAI's protocol: a file of calls is sent, a batch made of it, looked at, and read out.

What is done with a batch does not depend on where it is kept: `forward` takes it one step further, and whoever keeps it
writes down each step before the next one. Between the order for a batch and its id lies one request; a process that
dies there finds its batch again by the key that the order carried.

Source: OpenAI, API reference, "Files" and "Batch" (``/v1/files``, ``/v1/batches``, ``custom_id`` for each line).
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final
from urllib.parse import quote

from agents_app.profile import Profile
from agents_app.providers.answers import overlong_reply, reply_of
from agents_app.providers.bounded import ANSWER_MAX, AnswerTooLong
from agents_app.providers.compatible import ENDPOINT, base_of, exchange, is_compatible, object_of
from agents_app.providers.protocol import STOPPING, Failure, ProviderFault, Reply
from agents_app.providers.redacting import redacted
from agents_app.providers.refusals import fault_of, one_sentence
from games.core.answers import JSON
from games.core.codec import canonical, digest_of

LINES_MAX: Final = 10_000
"""Calls of one batch; OpenAI takes 50 000 and 200 MB."""
FILE_MAX: Final = 256 * 2**20
REQUEST_S: Final = 300.0
WINDOW: Final = "24h"
"""The only time within which OpenAI offers batches; a shorter deadline is our own, by cancelling."""
GRACE_S: Final = 600.0
"""A batch that was cancelled has so long to hand over what it has answered."""
LISTED_MAX: Final = 1_000
"""So many of the newest batches are searched for one whose id was lost."""
GOING: Final = frozenset({"validating", "in_progress", "finalizing", "cancelling"})
Answer = Mapping[str, JSON]
"""What came for a letter: ``status`` and ``body`` of an answer, or ``failure`` and what was ``said``; ``is_billed``
whether the vendor may have billed a call without an answer; ``batch``, the vendor's id."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One call that goes by batch. ``id`` is the same whenever the same question is asked at the same place; ``tokens``
    is what it is expected to take at the most.
    """

    id: str
    profile: Profile
    body: Mapping[str, Any]
    seat: int
    tokens: int

    @property
    def line(self) -> str:
        """As the vendor's file holds it."""
        told = {"custom_id": self.id, "method": "POST", "url": "/v1/chat/completions", "body": self.body}
        return json.dumps(told, ensure_ascii=True, separators=(",", ":"))


def letter_id(*where: JSON) -> str:
    """32 hexadecimal digits of a place: run, seat, step, purpose, attempt and the prompt's hash."""
    return digest_of(canonical(list(where)))


def can_batch(profile: Profile) -> bool:
    """Whether a profile's server is asked by OpenAI's protocol, batches included as far as it has them."""
    return not profile.is_mock and is_compatible(profile)


def connection_of(profile: Profile) -> dict[str, Any]:
    """What of a profile decides with which others it can share a batch: server, key, model and the batch's settings."""
    told = profile.model_dump(mode="json")
    return {name: told[name] for name in ("model", "base_url", "key_env", "batch")}


def group_of(profile: Profile) -> str:
    """The same for profiles whose calls can share a batch."""
    return digest_of(canonical(connection_of(profile)))


@dataclass(frozen=True, slots=True)
class Sent:
    """How far a batch is.

    ``key``      ours, sent with the order
    ``id``       the vendor's; "" before it is known
    ``ordered``  whether an order was sent, of which no answer may have come
    ``deadline`` in seconds since 1970
    ``wanted``   whether anybody waits for its answers; else what is not sent stays here, and the rest is cancelled
    """

    key: str
    deadline: float
    id: str = ""
    ordered: bool = False
    cancelled: bool = False
    wanted: bool = True


class BatchServer:
    """One profile's way to its vendor's files and batches. Every request raises `ProviderFault`."""

    def __init__(self, profile: Profile) -> None:
        self.profile, self.base = profile, base_of(profile)

    @property
    def address(self) -> str:
        return self.base + ENDPOINT

    async def upload(self, name: str, lines: Iterable[str]) -> str:
        """Send a file of lines; its id."""
        import aiohttp

        form = aiohttp.FormData()
        form.add_field("purpose", "batch")
        text = "".join(f"{line}\n" for line in lines)
        form.add_field("file", text.encode(), filename=f"{name}.jsonl", content_type="application/jsonl")
        return _id_in(await self._object("POST", "/files", form), self.base)

    async def order(self, file: str, key: str) -> str:
        """Make a batch of a file; its id."""
        order = {
            "input_file_id": file,
            "endpoint": "/v1/chat/completions",
            "completion_window": WINDOW,
            "metadata": {"polity": key},
        }
        return _id_in(await self._object("POST", "/batches", json.dumps(order).encode()), self.base)

    async def find(self, key: str) -> str:
        """The id of the batch that carries this key; "" where the vendor has none, or does not list its batches."""
        after, seen = "", 0
        while seen < LISTED_MAX:
            try:
                page = await self._object("GET", f"/batches?limit=100{f'&after={quote(after)}' if after else ''}")
            except ProviderFault as fault:
                if fault.failure == "refused":
                    return ""
                raise
            rows = [one for one in page.get("data") or () if isinstance(one, Mapping)]
            for one in rows:
                if (one.get("metadata") or {}).get("polity") == key:
                    return str(one["id"])
            seen += len(rows)
            if not rows or not page.get("has_more"):
                return ""
            after = str(rows[-1]["id"])
        return ""

    async def look(self, batch: str) -> Mapping[str, Any]:
        return await self._object("GET", f"/batches/{quote(batch)}")

    async def cancel(self, batch: str) -> None:
        await self._object("POST", f"/batches/{quote(batch)}/cancel", b"{}")

    async def content(self, file: str) -> bytes:
        _, said = await exchange(
            self.profile, "GET", f"{self.base}/files/{quote(file)}/content", REQUEST_S, most=FILE_MAX
        )
        return said

    async def _object(self, method: str, path: str, data: Any = None) -> dict[str, Any]:
        url = self.base + path
        status, said = await exchange(self.profile, method, url, REQUEST_S, data)
        return object_of(status, said, url)


async def forward(
    sent: Sent,
    server: BatchServer,
    ids: Sequence[str],
    lines: Callable[[], Awaitable[Sequence[str]]],
    keep: Callable[[Sent], Awaitable[None]],
    now: float,
) -> dict[str, Answer] | None:
    """Take a batch one step further; an answer for each of its letters when it is over, else None.

    ``keep`` is called with each new state before anything rests on it. Raises `ProviderFault` where the step could not
    be made and is to be tried again.
    """
    if not (sent.wanted or sent.ordered):
        return lost(ids, "timeout", "it was not sent, since the runs that asked are over")
    try:
        if not sent.id:
            await _order(sent, server, lines, keep)
            return None
        return await _look(sent, server, ids, keep, now)
    except ProviderFault as fault:
        if not sent.id and fault.failure in STOPPING:
            return lost(ids, fault.failure, str(fault))
        if not sent.id and now >= sent.deadline:
            return lost(ids, fault.failure, str(fault))
        if now >= sent.deadline + GRACE_S:
            return lost(ids, "timeout", f"batch {sent.id}: {fault}", sent.id, is_billed=True)
        raise


async def _order(
    sent: Sent,
    server: BatchServer,
    lines: Callable[[], Awaitable[Sequence[str]]],
    keep: Callable[[Sent], Awaitable[None]],
) -> None:
    found = await server.find(sent.key) if sent.ordered else ""
    if not found:
        file = await server.upload(sent.key, await lines())
        await keep(replace(sent, ordered=True))
        found = await server.order(file, sent.key)
    await keep(replace(sent, ordered=True, id=found))


async def _look(
    sent: Sent, server: BatchServer, ids: Sequence[str], keep: Callable[[Sent], Awaitable[None]], now: float
) -> dict[str, Answer] | None:
    seen = await server.look(sent.id)
    status = str(seen.get("status"))
    if status in GOING:
        if now >= sent.deadline + GRACE_S:
            return lost(ids, "timeout", f"batch {sent.id} was not over in time", sent.id, is_billed=True)
        if (now >= sent.deadline or not sent.wanted) and not sent.cancelled:
            await server.cancel(sent.id)
            await keep(replace(sent, cancelled=True))
        return None
    if status == "failed":
        if _is_full(seen) and now < sent.deadline:
            await keep(replace(sent, id="", ordered=False))  # its vendor has no room yet: ordered anew
            return None
        return _failed(seen, sent.id, ids)
    answers: dict[str, Answer] = {}
    for name in ("output_file_id", "error_file_id"):
        if isinstance(file := seen.get(name), str) and file:
            answers |= read_lines(await server.content(file), sent.id)
    is_over = status == "completed"
    failure: Failure = "server_error" if is_over else "timeout"
    told = "its files do not hold this call" if is_over else f"it {status} before this call was answered"
    missing = lost([one for one in ids if one not in answers], failure, f"batch {sent.id}: {told}", sent.id)
    return {one: answers[one] for one in ids if one in answers} | missing


def lost(
    ids: Iterable[str], failure: Failure, said: str, batch: str = "", *, is_billed: bool = False
) -> dict[str, Answer]:
    """The same fault for each of the letters."""
    told: Answer = {"failure": failure, "said": one_sentence(said), "batch": batch, "is_billed": is_billed}
    return dict.fromkeys(ids, told)


def _failed(seen: Mapping[str, Any], batch: str, ids: Sequence[str]) -> dict[str, Answer]:
    """A batch that the vendor did not accept: for want of room, or since the setup is at fault."""
    said = "; ".join(dict.fromkeys(str(one.get("message") or one.get("code")) for one in _errors(seen)))
    failure: Failure = "rate_limited" if _is_full(seen) else "refused"
    return lost(ids, failure, f"batch {batch} failed: {said or 'no reason given'}", batch)


def _errors(seen: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    errors = seen.get("errors")
    rows = errors.get("data") if isinstance(errors, Mapping) else None
    return [one for one in rows or () if isinstance(one, Mapping)]


def _is_full(seen: Mapping[str, Any]) -> bool:
    """Whether the vendor holds as many tokens of ours in batches as it takes at once."""
    return any("limit" in str(one.get("code")) for one in _errors(seen))


def read_lines(data: bytes, batch: str) -> dict[str, Answer]:
    """The answers in an output or error file, by letter. What is no such line is passed over. Keys are struck out."""
    found: dict[str, Answer] = {}
    for line in data.splitlines():
        try:
            told = json.loads(redacted(line.decode("utf-8", "replace")))
        except (ValueError, RecursionError):
            continue
        if isinstance(told, Mapping) and isinstance(one := told.get("custom_id"), str):
            if len(line) > ANSWER_MAX:
                found[one] = {"overlong": len(line), "batch": batch}
            else:
                found[one] = _answer(told, batch)
    return found


def _answer(told: Mapping[str, Any], batch: str) -> Answer:
    response, error = told.get("response"), told.get("error")
    if isinstance(response, Mapping) and isinstance(status := response.get("status_code"), int) and status:
        return {"status": status, "body": response.get("body"), "batch": batch}
    code = str(error.get("code") or "") if isinstance(error, Mapping) else ""
    said = str(error.get("message") or code) if isinstance(error, Mapping) else "an empty line"
    failure: Failure = "timeout" if code in ("batch_expired", "batch_cancelled") else "server_error"
    return {"failure": failure, "said": one_sentence(f"batch {batch}: {said}"), "batch": batch, "is_billed": False}


def reply_in(answer: Answer, ignored: tuple[str, ...], address: str, *, had_schema: bool) -> Reply:
    """The reply in an answer; raises `ProviderFault` with the label that a call by itself would have."""
    if "failure" in answer:
        failure: Failure = answer["failure"]  # type: ignore[assignment]
        raise ProviderFault(failure, str(answer["said"]), is_answered=bool(answer.get("is_billed")))
    if "overlong" in answer:
        return overlong_reply(AnswerTooLong(int(str(answer["overlong"]))), ignored)
    status, body = int(str(answer["status"])), answer["body"]
    if status >= 300:
        text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
        raise fault_of(status, address, text, body, had_schema, None)
    if not isinstance(body, dict):
        text = one_sentence(f"{status} from {address}, but no JSON object")
        raise ProviderFault("server_error", text, is_answered=True)
    return reply_of(body, ignored)


def _id_in(told: Mapping[str, Any], base: str) -> str:
    found = told.get("id")
    if isinstance(found, str) and found:
        return found[:200]
    raise ProviderFault("server_error", one_sentence(f"{base}: an answer without an id"))
