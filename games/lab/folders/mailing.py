"""The vendor's batch interface for runs without a site: letters of many runs are gathered, sent together, awaited.

One thread does it for all runs of a process. What is sent is noted in a journal before it is sent, and every answer
when it comes: the same command, begun again, takes its batches up where they are.
"""

from __future__ import annotations

import asyncio
import json
import secrets
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import Future
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from agents_app.ports import RunStop
from agents_app.profile import Batch, Profile
from agents_app.providers.batching import (
    LINES_MAX,
    Answer,
    BatchServer,
    Letter,
    Sent,
    connection_of,
    forward,
    group_of,
)
from agents_app.providers.protocol import ProviderFault
from games.core.answers import JSON

BATCHES: Final = "batches.jsonl"
TICK_S: Final = 0.05
ENDING_S: Final = 5.0
"""A request to the vendor that is under way at the end is waited for so long."""


@dataclass(slots=True)
class _Open:
    """A batch that is under way. ``at`` is when its letters were posted, in seconds since 1970."""

    sent: Sent
    profile: Profile
    ids: Sequence[str]
    at: float
    look_at: float = 0.0
    held: frozenset[str] = field(init=False)

    def __post_init__(self) -> None:
        self.held = frozenset(self.ids)


@dataclass(slots=True)
class _Pile:
    """Letters that will share a batch."""

    began: float
    letters: list[Letter] = field(default_factory=list)


class Office:
    """Sends letters and gives their answers, to threads of any number. Use it as a context: it ends with that."""

    def __init__(self, journal: Path | None = None) -> None:
        self.journal = journal
        self._lock = threading.Lock()
        self._end = threading.Event()
        self._letters: dict[str, Letter] = {}
        self._waiting: dict[str, Future[Answer]] = {}
        self._answers: dict[str, Answer] = {}
        self._piles: dict[str, _Pile] = {}
        self._open: dict[str, _Open] = {}
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Office:
        self._read()
        self._thread = threading.Thread(target=self._work, name="batches", daemon=True)
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        if self._thread is not None:
            self._thread.join(ENDING_S)
        self._fail(RunStop("broken off while calls waited for their batch"))

    def mail(self, place: str) -> _RunMail:
        """A run's way here; ``place`` tells it from the others."""
        return _RunMail(place, self)

    def has(self, letter_id: str) -> bool:
        with self._lock:
            return letter_id in self._answers or any(letter_id in one.held for one in self._open.values())

    def post(self, letter: Letter) -> Future[Answer]:
        """What will have come for it; what was posted before, in this process or another, is not sent again."""
        with self._lock:
            waiting = self._waiting.setdefault(letter.id, Future())
            self._letters[letter.id] = letter
            if letter.id in self._answers:
                if not waiting.done():
                    waiting.set_result(self._answers[letter.id])
            elif self._end.is_set():
                waiting.set_exception(RunStop("broken off"))
            elif not any(letter.id in one.held for one in self._open.values()):
                self._pile(letter)
            return waiting

    def _pile(self, letter: Letter) -> None:
        pile = self._piles.setdefault(group_of(letter.profile), _Pile(time.time()))
        pile.letters.append(letter)

    # --- the thread -------------------------------------------------------------------------------

    def _work(self) -> None:
        try:
            asyncio.run(self._rounds())
        except Exception as error:  # whoever waits is told: nobody else would answer
            self._end.set()
            self._fail(error)

    async def _rounds(self) -> None:
        while not self._end.is_set():
            self._gather()
            now = time.time()
            due = [one for one in list(self._open.values()) if one.look_at <= now]
            await asyncio.gather(*(self._forward(one) for one in due))
            await asyncio.sleep(TICK_S)

    def _gather(self) -> None:
        """Make batches of the piles whose time has come; each is noted before anything of it is sent."""
        now = time.time()
        with self._lock:
            for group, pile in list(self._piles.items()):
                profile = pile.letters[0].profile
                settings = profile.batch or Batch()
                if now < pile.began + settings.gather_s and len(pile.letters) < LINES_MAX:
                    continue
                taken, rest = pile.letters[:LINES_MAX], pile.letters[LINES_MAX:]
                self._piles.pop(group)
                if rest:
                    self._piles[group] = _Pile(pile.began, rest)
                made = Sent(secrets.token_hex(16), now + settings.deadline_s)
                one = _Open(made, profile, [letter.id for letter in taken], now)
                self._open[made.key] = one
                told = {"ids": one.ids, "at": now, "profile": connection_of(profile)}
                self._note({"sent": asdict(made), **told})

    async def _forward(self, one: _Open) -> None:
        async def lines() -> list[str]:
            return [self._letters[name].line for name in one.ids]

        async def keep(sent: Sent) -> None:
            one.sent = sent
            self._note({"sent": asdict(sent)})

        if one.sent.ordered and not one.sent.id and any(name not in self._letters for name in one.ids):
            await self._refind(one)
            return
        settings = one.profile.batch or Batch()
        try:
            found = await forward(one.sent, BatchServer(one.profile), one.ids, lines, keep, time.time())
        except ProviderFault:
            found = None  # told when its deadline is over
        one.look_at = time.time() + settings.poll_s
        if found is not None:
            self._close(one, found)

    async def _refind(self, one: _Open) -> None:
        """A batch of an earlier process that died while it ordered: the vendor says whether it came to be."""
        try:
            found = await BatchServer(one.profile).find(one.sent.key)
        except ProviderFault:
            one.look_at = time.time() + (one.profile.batch or Batch()).poll_s
            return
        if found:
            one.sent = replace(one.sent, id=found)
            self._note({"sent": asdict(one.sent)})
            return
        with self._lock:  # it never came to be: who has asked meanwhile is sent anew
            del self._open[one.sent.key]
            for name in one.ids:
                if name in self._letters:
                    self._pile(self._letters[name])

    def _close(self, one: _Open, found: Mapping[str, Answer]) -> None:
        at = datetime.fromtimestamp(one.at, UTC).isoformat(timespec="milliseconds")
        took: dict[str, JSON] = {"at": at, "latency_ms": round((time.time() - one.at) * 1000)}
        answers: dict[str, Answer] = {name: {**answer, **took} for name, answer in found.items()}
        self._note({"over": one.sent.key, "answers": answers})
        with self._lock:
            del self._open[one.sent.key]
            for name, answer in answers.items():
                self._letters.pop(name, None)
                if (waiting := self._waiting.pop(name, None)) is None:
                    self._answers[name] = answer  # a run that has not come as far as that again
                else:
                    waiting.set_result(answer)

    def _fail(self, error: BaseException) -> None:
        with self._lock:
            for waiting in self._waiting.values():
                if not waiting.done():
                    waiting.set_exception(error)

    # --- the journal ------------------------------------------------------------------------------

    def _note(self, told: Mapping[str, Any]) -> None:
        if self.journal is None:
            return
        self.journal.parent.mkdir(parents=True, exist_ok=True)
        with self.journal.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")

    def _read(self) -> None:
        """Take up what an earlier process has left. A batch that was not ordered has cost nothing: it is dropped."""
        if self.journal is None or not self.journal.is_file():
            return
        for line in self.journal.read_text("utf-8").splitlines():
            try:
                told = json.loads(line)
            except ValueError:
                continue  # the last line of a process that was killed while it wrote
            if "over" in told:
                self._open.pop(told["over"], None)
                self._answers |= told["answers"]
            elif "ids" in told:
                sent, profile = Sent(**told["sent"]), Profile.model_validate(told["profile"])
                self._open[sent.key] = _Open(sent, profile, told["ids"], told["at"])
            else:
                self._open[told["sent"]["key"]].sent = Sent(**told["sent"])
        self._open = {key: one for key, one in self._open.items() if one.sent.ordered}


@dataclass(frozen=True, slots=True)
class _RunMail:
    place: str
    office: Office

    async def has(self, letter_id: str) -> bool:
        return self.office.has(letter_id)

    async def answer(self, letter: Letter) -> Answer:
        """Waits for it, however long that takes."""
        return await asyncio.wrap_future(self.office.post(letter))
