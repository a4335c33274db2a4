"""A model in a seat: prompt, calls, parser, plan, memory. What it says is read and never executed as it stands."""

from __future__ import annotations

from collections.abc import Coroutine, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

from agents_app import memory as memories
from agents_app import variants
from agents_app.asides import When, due
from agents_app.deciders.aside import aside_question
from agents_app.deciders.calling import Caller
from agents_app.deciders.forms import Asked, Forms
from agents_app.deciders.mocking import hint_of_move
from agents_app.deciders.questions import Outcome, Question
from agents_app.parsing import Answer, BadReply, read_reply, tidied
from agents_app.ports import Ledger
from agents_app.profile import RUN_SEED, Profile
from agents_app.prompting import (
    GenericPrompts,
    asked_form,
    lines,
    options_of,
    persona_of,
    prompts_of,
    schema_text,
    with_extras,
)
from agents_app.providers.mock import Hint
from agents_app.providers.protocol import Message, Prompt
from games.core import codec
from games.core.agents import Decision, Memory, Request, begin
from games.core.answers import JSON, SAID, Note
from games.core.pack import Pack
from games.core.prompts import LANGUAGES, GamePrompts, PromptContext

FALLBACK: Final = "fallback"
CORRECTED: Final = "corrected"
REPAIRED: Final = "repaired"
RESPONSE_FORMAT: Final = "response_format"
Move: TypeAlias = Question[tuple[Answer, Decision[Any]]]


@dataclass(slots=True)
class ModelAgent:
    """Answers for one seat. Bad replies are corrected and repeated within bounds, then flagged; they never raise."""

    pack: Pack
    config: Any
    profile: Profile
    caller: Caller
    reflects: bool = field(init=False)
    is_asked_at_end: bool = field(init=False)
    prompts: GamePrompts = field(init=False)
    generic: GamePrompts = field(init=False)
    options: Mapping[str, JSON] = field(init=False)
    persona: str = field(init=False)
    forms: Forms = field(init=False)

    def __post_init__(self) -> None:
        self.reflects = self.profile.memory == "summary"
        self.is_asked_at_end = bool(due(self.profile.aside, "end", 0))
        self.prompts = prompts_of(self.pack)
        self.generic = GenericPrompts(self.pack)
        self.options = options_of(self.prompts, self.profile)
        self.prompts = self.prompts.told_by(self.options)
        self.persona = persona_of(self.prompts, self.profile)
        self.forms = Forms(self.pack, self.config, self.profile)

    # --- acting -----------------------------------------------------------------------------------

    def decide(self, request: Request[Any, Any], ledger: Ledger) -> Coroutine[Any, Any, Decision[Any]]:
        """What the model answers; awaited, it raises `RunStop` alone. Its prompt is written at once where nothing is to
        be learnt or asked before: those of many seats in a row, while the processor has all that it takes at hand.
        """
        is_first = not self.forms.is_open and not due(self.profile.aside, "before", request.index)
        return self._decided(request, ledger, self._question(request) if is_first else None)

    async def _decided(self, request: Request[Any, Any], ledger: Ledger, question: Move | None) -> Decision[Any]:
        if question is None:
            await self.forms.learn(self.caller.provider)
            await self._beside("before", request, ledger)
            question = self._question(request)
        is_last = not due(self.profile.aside, "after", request.index)
        outcome = await self.caller.ask(question, ledger, is_last=is_last)
        if not outcome.took_schema:
            self.forms.structured = False
            outcome.ignored = tuple(dict.fromkeys((*outcome.ignored, RESPONSE_FORMAT)))
        decision = self._concluded(request, question.prompt, outcome)
        if outcome.value is not None:
            said = Message("assistant", outcome.reply)
            await self._beside("after", request, ledger, (*question.prompt.messages, said))
        return decision

    def _question(self, request: Request[Any, Any], *, plain: bool = False) -> Move:
        """What is asked of the model; ``plain``: without a JSON Schema, since the server has refused one."""
        words = self._words(request)
        asked = self.forms.asked(request, words, plain=plain)

        def read(text: str, truncated: bool) -> tuple[tuple[Answer, Decision[Any]], tuple[str, ...]]:
            answer = read_reply(text, truncated, asked.form, asked.spec, asked.tokens)
            return (answer, self._decision(request, asked, answer)), answer.repaired

        def hint(attempt: int) -> Hint:
            return hint_of_move(self.pack, self.config, words, request, asked, attempt)

        def without_schema() -> Move:
            return self._question(request, plain=True)

        other = without_schema if asked.form == "structured" else None
        return Question(request.seat, request.index, "act", self.prompt(request, asked), read, hint, other)

    def _decision(self, request: Request[Any, Any], asked: Asked, answer: Answer) -> Decision[Any]:
        """What an answer comes to; raises `BadReply` where nothing of it can be carried out."""
        if asked.form == "plan":
            assert self.pack.controller is not None
            decision = begin(self.pack.controller, request, Decision(None, request.memory, answer.value))
            if decision.action is None:
                raise BadReply("illegal", self._impossible(decision))
            return decision
        options = request.actions.options if request.actions is not None else None
        if options is not None and answer.value not in options:
            raise BadReply("illegal", Note("not_open"))
        objection = self._objection(request, answer.value)
        if objection is not None:
            raise BadReply("illegal", objection)
        return Decision(answer.value, request.memory)

    def _objection(self, request: Request[Any, Any], action: Any) -> Note | None:
        """Why the game can carry out nothing of an answer."""
        words, own = self._words(request), self.profile.language
        told = words.objection(self.config, request, action, own)
        if told is None:
            return None
        others = {lang: words.objection(self.config, request, action, lang) for lang in LANGUAGES if lang != own}
        return Note(SAID, {**others, own: told})

    def _impossible(self, decision: Decision[Any]) -> Note:
        """Why a plan cannot even begin."""
        told = decision.trace.get("replan")
        if told is None:
            return Note("no_first_action")
        return self.pack.words.said(codec.decode_note(told), self.pack.words.exact)

    def _noted(self, note: Note) -> str:
        """A note in the language of the prompts, with things called as in answers."""
        words, language = self.pack.words, self.profile.language
        return words.note(note, language, words.exact(language))

    def _concluded(
        self, request: Request[Any, Any], prompt: Prompt, outcome: Outcome[tuple[Answer, Decision[Any]]]
    ) -> Decision[Any]:
        trace: dict[str, JSON] = {
            "model": self.profile.model,
            "prompt_hash": prompt.hash,
            "attempts": outcome.attempts,
        }
        if outcome.ignored:
            trace["ignored"] = list(outcome.ignored)
        if outcome.value is None:
            return Decision(None, request.memory, None, (FALLBACK, outcome.failure), trace)
        answer, decision = outcome.value
        trace["commentary"] = answer.commentary
        raw: Any = answer.value
        if decision.plan is None and self.profile.memory in ("rounds", "turns"):  # where it is read later
            raw = self._shown(request, decision.action)
        memory, flags = memories.after_answer(
            self.profile, request.memory, request.index, raw, answer.commentary, answer.scratchpad
        )
        if self.profile.memory == "turns":
            said = raw if isinstance(raw, str) else schema_text(raw)
            thought = f"{answer.commentary[: memories.SAID]}\n" if answer.commentary else ""
            memory = variants.with_turn(self.profile, request.memory, self._told(request)[1], thought + said)
        if outcome.repaired:
            trace["repaired"] = list(outcome.repaired)
        corrected = (CORRECTED,) if outcome.was_corrected else ()
        repaired = (REPAIRED,) if outcome.repaired else ()
        flagged = (*decision.flags, *outcome.flags, *corrected, *repaired, *flags)
        return Decision(decision.action, memory, decision.plan, flagged, trace)

    # --- remembering ------------------------------------------------------------------------------

    async def reflect(self, news: Request[Any, Any], ledger: Ledger) -> Memory:
        """The rewritten summary, cut hard at its bound; the old one where no text came. Raises `RunStop` alone."""
        ask = lines(self.profile.language)["ask_summary"].format(length=self.profile.memory_length)
        prompt = self._prompt(news, ask, None)

        def read(text: str, truncated: bool) -> tuple[str, tuple[str, ...]]:
            plain = tidied(text, truncated=False)  # what is cut at its bound anyway may have been cut
            if not plain.text.strip():
                raise BadReply("unparseable", Note("reply_empty"))
            return plain.text.strip(), plain.repaired

        summary = f"Step {news.index} is over."
        known = Hint(news, beside=summary)
        question = Question(
            news.seat, news.index, "reflect", prompt, read, lambda attempt: replace(known, attempt=attempt)
        )  # fmt: skip
        outcome = await self.caller.ask(question, ledger)
        if outcome.value is None:
            old = news.memory if isinstance(news.memory, Mapping) else {}
            return {"text": str(old.get("text", "")), "kept_after": outcome.failure}
        return memories.bounded(outcome.value, self.profile.memory_length)[0]

    # --- beside the play --------------------------------------------------------------------------

    async def look_back(self, news: Request[Any, Any], ledger: Ledger) -> None:
        """Answer the questions that are asked when the match is over. Raises `RunStop` alone."""
        await self.forms.learn(self.caller.provider)
        await self._beside("end", news, ledger)

    async def _beside(
        self, when: When, request: Request[Any, Any], ledger: Ledger, told: Sequence[Message] | None = None
    ) -> None:
        """Ask what is due now, after the messages that were ``told`` (none: the moment itself). Its answers, or that
        there are none, stay with the calls: the decision does not know of them.
        """
        asked = due(self.profile.aside, when, request.index)
        if not asked:
            return
        if told is None:
            system, round_ = self._told(request)
            told = (
                Message("system", system),
                *variants.shown_before(self.profile, request.memory),
                Message("user", round_),
            )
        seed, structured = _seed_of(self.profile, request), self.forms.structured is True and self.forms.beside
        question = aside_question(self.profile, asked, when, request, told, seed, structured=structured)
        outcome = await self.caller.ask(question, ledger)
        self.forms.beside &= outcome.took_schema

    # --- prompts ----------------------------------------------------------------------------------

    def prompt(self, request: Request[Any, Any], asked: Asked) -> Prompt:
        """The whole prompt for an action or a plan."""
        ask = asked_form(asked.form, asked.spec, asked.tokens, self.profile)
        replan = ""
        if request.replan is not None:
            replan = lines(self.profile.language)["replan"].format(why=self._noted(request.replan))
        notes = self.profile.memory == "scratchpad"
        schema = with_extras(asked.spec.schema, notes) if asked.form == "structured" else None
        return self._prompt(request, ask, schema, replan, lasts=asked.form != "token")

    def first_prompt(self, request: Request[Any, Any]) -> Prompt:
        """The prompt of a request whose form is not settled yet; for estimates."""
        return self.prompt(request, self.forms.asked(request, self._words(request)))

    def _words(self, request: Request[Any, Any]) -> GamePrompts:
        """The game's words for this stage; the generic ones where it has none."""
        return self.prompts if request.turn.stage in self.prompts.stages else self.generic

    def _prompt(
        self,
        request: Request[Any, Any],
        ask: str,
        schema: Mapping[str, JSON] | None,
        replan: str = "",
        *,
        lasts: bool = False,
    ) -> Prompt:
        """``lasts``: how to answer is the same at every turn. Where the game says apart who one is, it then stands
        behind the rules, equal for all seats, and who one is behind both.
        """
        profile = self.profile
        system, told, who = self._rendered(request)
        shared = f"{system}\n\n{ask}" if who and lasts else system
        end = replan if who and lasts else "\n".join(part for part in (replan, ask) if part)
        whole = Message("system", _joined(shared, who), len(shared) if who else 0)
        before = variants.shown_before(profile, request.memory)
        messages = (whole, *before, Message("user", _joined(told, end)))
        return Prompt(
            profile.model,
            messages,
            profile.max_tokens,
            profile.temperature,
            _seed_of(profile, request),
            schema,
            profile.extra,
        )

    def _told(self, request: Request[Any, Any]) -> tuple[str, str]:
        """The system's text, who one is at its end, and the round's."""
        system, told, who = self._rendered(request)
        return _joined(system, who), told

    def _rendered(self, request: Request[Any, Any]) -> tuple[str, str, str]:
        """The system's and the round's text and, where the game says it apart, who one is: in the game's words and the
        profile's. A profile's own text in place of the game's says that as it likes.
        """
        profile = self.profile
        memory = memories.told(profile, request.memory)
        own = profile.memory in ("rounds", "turns")
        telling = PromptContext(request, profile.language, self.persona, memory, self.options, has_answers=own)
        words = self._words(request).render(self.config, telling)
        system = variants.system_text(profile, words["system"].strip(), self.persona)
        is_own = bool(profile.system_prompt) and "{game}" not in profile.system_prompt
        who = "" if is_own else words.get("who", "").strip()
        return system, variants.round_text(profile, words["user"].strip(), memory), who

    def _shown(self, request: Request[Any, Any], action: Any) -> Any:
        """An action as a model is to read of it later: of its fields those that an answer may have."""
        raw = self.prompts.as_answered(self.config, codec.dump(self.pack.game.action_type, action))
        asked = request.actions.schema.get("properties") if request.actions is not None else None
        if not isinstance(raw, Mapping) or not isinstance(asked, Mapping):
            return raw
        return {name: value for name, value in raw.items() if name in asked}


def _joined(text: str, more: str) -> str:
    return f"{text}\n\n{more}" if more else text


def _seed_of(profile: Profile, request: Request[Any, Any]) -> int | None:
    """The profile's seed, or one drawn from the run's for this seat and step."""
    return request.rng.bits("model seed") % 2**31 if profile.seed == RUN_SEED else profile.seed
