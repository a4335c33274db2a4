"""Laws of words: what can be set, done, happen and be measured has its name and its explanation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain
from typing import Any

from games.core import codec
from games.core.agents import Decider, Decision, Request
from games.core.answers import Note
from games.core.conformance.case import Case
from games.core.conformance.conduct import hostile, swapped
from games.core.conformance.settings import prompted
from games.core.game import MESSAGES
from games.core.prompts import LANGUAGES
from games.core.registry import Pack
from games.core.words import placeholders


def config_fields_are_described(case: Case) -> None:
    """Every field of the config has a title and a description, and unknown keys are refused."""
    for name, info in case.game.config_type.model_fields.items():
        assert info.title, f"config field {name}: no title"
        assert info.description, f"config field {name}: no description"
    assert case.game.config_type.model_config.get("extra") == "forbid", "unknown keys of the config are not refused"


def events_have_words(case: Case) -> None:
    """Every event kind, stage, policy, setting and unit has words in both languages, every kind a line in the rules."""
    words = {lang: _words(case.pack, lang) for lang in LANGUAGES}
    sheet = (case.pack.folder / "README.md").read_text("utf-8")
    steps = case.played().steps
    kinds = {event.kind for step in steps for event in step.events}
    stages = {step.turn.stage for step in steps[1:]}
    for lang, book in words.items():
        odd = _keys({**book, "rules": {}}) ^ _keys({**words["en"], "rules": {}})  # in English a policy says its own
        assert not odd, f"{lang}: other keys than en: {sorted(odd)}"
        assert kinds <= set(book["events"]), f"{lang}: no words for events {sorted(kinds - set(book['events']))}"
        assert stages <= set(book["stages"]), f"{lang}: no words for stages {sorted(stages - set(book['stages']))}"
        settings = set(case.game.config_type.model_fields)
        assert settings <= set(book["config"]), f"{lang}: no words for config {sorted(settings - set(book['config']))}"
        units = _units(case.game.config_type.model_json_schema()) - set(book.get("units", {}))
        assert not units, f"{lang}: no words for units {sorted(units)}"
        assert set(case.pack.policies) <= set(book["policies"]), f"{lang}: no words for some policy"
        rules = set(book.get("rules", case.pack.policies))
        assert rules == set(case.pack.policies), f"{lang}: rules of other policies than {sorted(case.pack.policies)}"
    for kind in kinds:
        assert kind in sheet, f"README.md has no line for event {kind}"


def notes_have_words(case: Case) -> None:
    """Whatever is struck out or changed, under junk, silence and others' actions alike, is told in every language.

    A note fills every placeholder of its sentence, in one line, and its sentences in all languages name the same.
    """
    _alike(case.pack, "faults")
    words = _alike(case.pack, "notes")
    for note in _notes(case):
        assert note.kind in words["en"], f"no words for note {note.kind}"
        missing = placeholders(words["en"][note.kind]) - {key for key, value in note.data.items() if value is not None}
        assert not missing, f"note {note.kind}: its sentence names {sorted(missing)}, which it does not have"
        for lang in LANGUAGES:
            told = case.pack.words.note(note, lang)
            assert told.isprintable(), f"{lang}: note {note.kind} is more than one plain line: {told!r}"


def _units(schema: Any) -> set[str]:
    """The units that stand in a JSON schema."""
    if isinstance(schema, list):
        return set(chain.from_iterable(map(_units, schema)))
    if not isinstance(schema, dict):
        return set()
    own = {schema["unit"]} - {""} if isinstance(schema.get("unit"), str) else set()
    return own | _units(list(schema.values()))


def _alike(pack: Pack, part: str) -> dict[str, dict[str, str]]:
    """The sentences of a part by language, which are of the same kinds and name the same things in all."""
    words = {lang: pack.words.book(lang).get(part, {}) for lang in LANGUAGES}
    for lang, book in words.items():
        odd = set(book) ^ set(words["en"])
        assert not odd, f"{lang}: other {part} than en: {sorted(odd)}"
        for kind, template in book.items():
            odd = placeholders(template) ^ placeholders(words["en"][kind])
            assert not odd, f"{lang}: the sentence of {kind} in {part} names other things than en: {sorted(odd)}"
    return words


def _notes(case: Case) -> Iterator[Note]:
    """The notes of runs in which answers are junk, missing, or another seat's."""

    def silent(request: Request[Any, Any]) -> Decision[Any]:
        return Decision(None)

    runs = (case.run(dict.fromkeys(case.seats, hostile)), case.run(dict.fromkeys(case.seats, silent)), swapped(case))
    for step in chain.from_iterable(runs):
        yield from chain.from_iterable(step.notes.values())


def words_of_seats_have_one_form(case: Case) -> None:
    """What a seat says is told alike in every game: who, to whom, the text."""
    for step in case.played().steps:
        for event in step.events:
            if event.kind in MESSAGES:
                assert event.data["by"] in case.seats, f"{event.kind}: by {event.data['by']!r}"
                assert isinstance(event.data["text"], str), f"{event.kind}: text {event.data['text']!r}"
                to: Any = event.data.get("to")
                assert to is None or all(seat in case.seats for seat in to), f"{event.kind}: to {to!r}"


def every_seat_is_asked_in_words_it_knows(case: Case) -> None:
    """Each request's schema is JSON, and a policy's own action reads back through it to itself."""
    game = case.game

    def checked(decider: Decider) -> Decider:
        def decide(request: Request[Any, Any]) -> Decision[Any]:
            decision = decider(request)
            assert request.actions is not None
            codec.canonical(request.actions.schema)
            if decision.action is not None:
                written = codec.dump(game.action_type, decision.action)
                read = request.actions.read(json.loads(codec.canonical(written)))
                assert codec.dump(game.action_type, read) == written, f"step {request.index}, seat {request.seat}"
            return decision

        return decide

    case.run(deciders={seat: checked(decider) for seat, decider in case.deciders().items()})


def every_stage_has_its_prompt(case: Case) -> None:
    """Where a game has words for models, it has them for every stage at which a seat is asked, in every language."""
    prompts = case.pack.prompts
    if prompts is None:
        return
    seen: set[str] = set()

    def checked(decider: Decider) -> Decider:
        def decide(request: Request[Any, Any]) -> Decision[Any]:
            stage = request.turn.stage
            if stage not in seen:
                seen.add(stage)
                assert stage in prompts.stages, f"prompts: none for the stage {stage}"
                for language in LANGUAGES:
                    texts = prompted(case, request, language)
                    for part in ("system", "user"):
                        assert texts[part].strip(), f"prompts: {part} of stage {stage} is empty in {language}"
            return decider(request)

        return decide

    case.run(deciders={seat: checked(decider) for seat, decider in case.deciders().items()})


def metrics_are_numbers_or_none(case: Case) -> None:
    """Measures are JSON; a run's summary is flat, explained, and never NaN."""
    steps = case.played().steps
    series, before = [], steps[0]
    for step in steps[1:]:
        series.append(case.pack.metrics.measure(case.config, before.state, step))
        codec.canonical(series[-1])
        before = step
    summary = case.pack.metrics.summarise(case.config, series)
    about = case.pack.metrics.about()
    for name, value in summary.items():
        assert name in about, f"metric {name}: about() does not explain it"
        assert value is None or isinstance(value, int | float | str), f"metric {name}: {value!r}"
    codec.canonical(dict(summary))


def _words(pack: Pack, lang: str) -> dict[str, Any]:
    return dict(json.loads((pack.folder / "words" / f"{lang}.json").read_text("utf-8")))


def _keys(book: Any, prefix: str = "") -> set[str]:
    if not isinstance(book, dict):
        return {prefix}
    return {key for name, part in book.items() for key in _keys(part, f"{prefix}.{name}")}
