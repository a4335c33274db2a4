"""One question to a model, with its repeated calls and corrections, inside a budget of time.

Every attempt is stored when it ends, before anything is made of it; the last one with the answer that is made of it.
What an interrupted process has stored is taken up by the hash of its prompt: no stored reply is asked for, or paid for,
twice. A call that could not begin in time is noted as well, so that a recording tells how each answer ended.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar
from urllib.parse import urlsplit

from agents_app.deciders.onecall import UNASKED, Line, Made, from_cache
from agents_app.deciders.questions import Outcome, Question, StoredCalls
from agents_app.gate import Gate
from agents_app.parsing import BadReply
from agents_app.ports import CallRecord, Ledger, Mail, ModelStop
from agents_app.profile import Profile
from agents_app.prompting import lines, reason
from agents_app.providers.protocol import (
    AWAY,
    FINAL,
    NEVER,
    OVERLONG,
    PROVIDER_FAILURES,
    RESET,
    STOPPING,
    WAITED,
    Message,
    Prompt,
    Provider,
)
from agents_app.tracing import span
from games.core.answers import JSON, SENTENCE
from games.core.codec import encode_note

T = TypeVar("T")
NO_SCHEMA: Final = "no_schema"
CACHED: Final = "cached"
PAUSED_AFTER: Final = frozenset({"server_error", RESET})
PAUSE_S: Final = 0.2
"""Before a call is repeated after a 5xx or a lost connection; doubled each time."""
PAUSE_MAX_S: Final = 5.0
ECHOED: Final = 4000
"""Characters of an unusable reply that the model is shown again."""


@dataclass(slots=True)
class Caller:
    """One profile's way of asking: provider, gate, limits of time and number.

    ``stops``  whether a model that cannot be asked stops the run; where a recording is played again nothing does
    """

    profile: Profile
    provider: Provider
    gate: Gate
    stops: bool = True
    line: Line = field(init=False)

    def __post_init__(self) -> None:
        self.line = Line(self.profile, self.provider, self.gate)

    async def ask(self, question: Question[T], ledger: Ledger, *, is_last: bool = False) -> Outcome[T]:
        """A value, or why there is none. Raises `RunStop`, and what the ledger raises that could not keep a call.

        ``is_last``: nothing is asked or waited for between this and the answer that is made of it.
        """
        await self.provider.ready()
        outcome: Outcome[T] = Outcome()
        deadline = asyncio.get_running_loop().time() + self.profile.budget_s
        stored = StoredCalls(ledger.earlier(question.purpose))
        prompt = question.prompt
        corrections = repeats = lost = overlong = 0
        last: CallRecord | None = None
        while True:
            call = stored.take(prompt)
            made: Made | None = None
            if call is None:
                is_away = lost > 1 or (last is not None and lost > 0 and last.failure == AWAY)
                made = await self._made(question, prompt, stored.next_attempt(), ledger, deadline, is_away)
                if made is None:
                    assert last is not None
                    raise self._stopped(last, ledger)
                call = made.call
            outcome.flags = _flags(call, made)
            if made is not None and made.bug is not None:
                await asyncio.shield(ledger.store(call))
                raise made.bug
            kind, why, noted = self._taken(question, call, outcome, made)
            if made is not None and is_last and outcome.value is not None:
                await ledger.hold(call)
            elif made is not None:
                # However long that takes: what was answered and paid for is not the worse for a slow database.
                began = asyncio.get_running_loop().time()
                await asyncio.shield(ledger.store(call))
                deadline += asyncio.get_running_loop().time() - began
            outcome.attempts.append({"attempt": call.attempt, "failure": call.failure, "why": why, **noted})
            if call.failure != UNASKED or not outcome.failure:
                outcome.failure = call.failure
            if outcome.value is not None:
                return outcome
            if call.failure == NO_SCHEMA and question.plain is not None:
                outcome.took_schema = False
                question = question.plain()
                prompt = question.prompt
                continue
            if self.stops and call.failure in STOPPING:
                raise self._stopped(call, ledger)
            by_mail = self._mail(ledger) is not None
            if call.failure == AWAY and by_mail:
                raise self._stopped(call, ledger)  # its deadline, which is long, has been waited for
            if call.failure in WAITED and not by_mail:
                if made is not None and made.wait_s == NEVER:
                    return outcome
                lost, last = lost + 1, call
                await self._pause(lost, deadline, made)
                continue
            if call.failure in PROVIDER_FAILURES:
                repeats, lost = repeats + 1, 0
                if call.failure in FINAL or repeats > self.profile.call_retries:
                    return outcome
                if call.failure in PAUSED_AFTER:
                    await self._pause(repeats, deadline, made)
                continue
            corrections, overlong = corrections + 1, overlong + (call.finish == OVERLONG)
            if corrections > self.profile.retries or overlong > 1:
                return outcome
            prompt = prompt.followed_by(*self._correction(call.reply, kind, why))

    def _taken(
        self, question: Question[T], call: CallRecord, outcome: Outcome[T], made: Made | None
    ) -> tuple[str, str, Mapping[str, JSON]]:
        """Take a call into the outcome; in which way it could not be used, and why, in the words of its correction.
        What was read when it came is not read again.
        """
        if call.ignored:
            outcome.ignored = tuple(call.ignored.split(","))
        if call.failure in PROVIDER_FAILURES:
            return call.failure, call.reply, {}
        try:
            known = None if made is None else made.known
            value, outcome.repaired = known or question.reading(
                call.reply, call.refusal, truncated=call.failure == "truncated"
            )
            outcome.value, outcome.reply = value, call.reply
        except BadReply as error:
            noted: Mapping[str, JSON] = {} if error.note.kind == SENTENCE else {"note": encode_note(error.note)}
            return error.kind, self._why(error), noted
        return "", "", {}

    def _stopped(self, call: CallRecord, ledger: Ledger) -> ModelStop:
        """The run is to pause over this call; nobody else of it is asked any more."""
        by_batch = None if self._mail(ledger) is None else self.profile.batch
        waited_s = self.profile.budget_s if by_batch is None else by_batch.deadline_s
        words = {
            **dict.fromkeys(WAITED, f"did not answer for {waited_s:g} s. Start it and resume"),
            "no_key": "has no key. Set it and resume",
        }
        told = words.get(call.failure, "cannot be asked. Mend the profile or the server and resume")
        stop = ModelStop(f"{self.profile.model} {told}: {call.reply}")
        ledger.halt(stop)
        return stop

    async def _made(
        self, question: Question[T], prompt: Prompt, attempt: int, ledger: Ledger, deadline: float, is_away: bool
    ) -> Made | None:
        """A call, or the record that there was no time for one; None where its server is away, and that is why."""
        if self.profile.cache and (known := await ledger.known(prompt.hash, self.provider.address)) is not None:
            return Made(from_cache(known, question, attempt))
        if (mail := self._mail(ledger)) is not None:
            return await self.line.by_batch(question, prompt, attempt, ledger, mail)
        began = asyncio.get_running_loop().time()
        try:
            with span(f"chat {prompt.model}", lambda: self._told(question, attempt), "client") as kept:
                made = await self.line.call(question, prompt, attempt, ledger, deadline)
                kept.note(told=lambda: _numbers(made.call), failure=made.call.failure)
                return made
        except TimeoutError:
            if is_away and self.stops:
                return None
        return self.line.unasked(question, prompt, attempt, asyncio.get_running_loop().time() - began)

    def _told(self, question: Question[T], attempt: int) -> dict[str, str | int]:
        """What is known of a call before it is made, by OpenTelemetry's names where it has one."""
        named: dict[str, str | int] = {"gen_ai.operation.name": "chat", "gen_ai.request.model": self.profile.model}
        named |= {"polity.seat": question.seat, "polity.step": question.step, "polity.purpose": question.purpose}
        return {**named, "polity.attempt": attempt, "server.address": urlsplit(self.provider.address).netloc}

    def _mail(self, ledger: Ledger) -> Mail | None:
        """The way by batch, where the profile asks for it and the host has it; a recording asks nobody."""
        return ledger.mail if self.stops and self.profile.batch is not None else None

    async def _pause(self, repeats: int, deadline: float, made: Made | None) -> None:
        """Before the same is asked again. What was stored before, and what a recording says, is not waited for."""
        if made is None or made.wait_s == 0:
            return
        left = deadline - asyncio.get_running_loop().time()
        await asyncio.sleep(max(0.0, min(PAUSE_MAX_S, PAUSE_S * 2 ** (repeats - 1), left)))

    def _why(self, error: BadReply) -> str:
        """In the language of the prompts. In English, actions are refused in the words of whoever reads them: so were
        they always, and a stored call is found again by its prompt.
        """
        return error.line if error.line and self.profile.language == "en" else reason(error.note, self.profile.language)

    def _correction(self, reply: str, kind: str, why: str) -> tuple[Message, Message]:
        words = lines(self.profile.language)
        echo = reply[:ECHOED] if reply.strip() else words["no_reply"]
        return Message("assistant", echo), Message("user", words[f"correct_{kind}"].format(why=why.rstrip(".。")))


def _numbers(call: CallRecord) -> dict[str, int]:
    names = {"gen_ai.usage.input_tokens": call.tokens_in, "gen_ai.usage.output_tokens": call.tokens_out}
    return {name: tokens for name, tokens in names.items() if tokens is not None}


def _flags(call: CallRecord, made: Made | None) -> tuple[str, ...]:
    """What the decision is flagged with for how its reply was had."""
    cached = (CACHED,) if call.from_cache else ()
    return tuple(dict.fromkeys((*(made.flags if made is not None else ()), *cached)))
