"""Laws of words: what can be set, done, happen and be measured has its name and its explanation."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

from games.core import codec
from games.core.agents import Decider, Decision, Request
from games.core.answers import Note
from games.core.game import MESSAGES, Step
from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.core.words import placeholders
from games.laws.case import Case
from games.laws.complete import series
from games.laws.settings import prompted
from games.laws.trials import swapped, trials


def config_fields_are_described(case: Case) -> None:
    """Every field of the config has a title and a description, by itself or in the words; unknown keys are refused."""
    config = case.game.config_type
    words = getattr(config, "words", None)
    said = words.settings() if words is not None else {}
    for name, info in config.model_fields.items():
        title, description = said.get(name, (info.title, info.description))
        assert title, f"config field {name}: no title"
        assert description, f"config field {name}: no description"
    assert case.game.config_type.model_config.get("extra") == "forbid", "unknown keys of the config are not refused"


def notes_have_words(case: Case) -> None:
    """Whatever is struck out or changed, under junk, silence and others' actions alike, is told in every language, and
    so is what an action takes of what its seat may spend.

    A note fills every placeholder of its sentence, in one line, and its sentences in all languages name the same.
    """
    _alike(case.pack, "faults")
    words = _alike(case.pack, "notes")
    for note in chain(_notes(case), _spent(case)):
        assert note.kind in words["en"], f"no words for note {note.kind}"
        missing = placeholders(words["en"][note.kind]) - {key for key, value in note.data.items() if value is not None}
        assert not missing, f"note {note.kind}: its sentence names {sorted(missing)}, which it does not have"
        for lang in LANGUAGES:
            told = case.pack.words.note(note, lang)
            assert told.isprintable(), f"{lang}: note {note.kind} is more than one plain line: {told!r}"


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

    for trial in trials(case):
        yield from trial.notes
    for step in chain(case.run(dict.fromkeys(case.seats, silent)), swapped(case)):
        yield from chain.from_iterable(step.notes.values())


def _spent(case: Case) -> Iterator[Note]:
    """What the actions of a run take of what their seats may spend."""
    if case.pack.spent is None:
        return
    steps = case.played().steps
    for before, step in pairwise(steps):
        for seat, action in step.actions.items():
            if (note := case.pack.spent(case.config, before.state, seat, action)) is not None:
                yield note


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
    rows = list(series(case))
    for row in rows:
        codec.canonical(row)
    summary = case.pack.metrics.summarise(case.config, rows)
    about = case.pack.metrics.about()
    for name, value in summary.items():
        assert name in about, f"metric {name}: about() does not explain it"
        assert value is None or isinstance(value, int | float | str), f"metric {name}: {value!r}"
    codec.canonical(dict(summary))


def a_cadenced_metric_is_measured_when_its_period_ends(case: Case) -> None:
    """A metric of a cadence has no value inside a period; over the run it has one at the end of at least one."""
    cadences, steps = case.pack.cadences, case.played().steps
    rows = list(series(case))
    for name, label in cadences.items():
        ends = 0
        for row, step in zip(rows, steps[1:], strict=True):
            ended = _moves_on(case, step, label)
            assert ended or row.get(name) is None, (
                f"metric {name}: {row[name]!r} at step {step.index}, inside a {label}"
            )
            ends += ended and row.get(name) is not None
        assert ends or len(steps) > case.steps, f"metric {name}: no {label} of the run ends with a value of it"


def _moves_on(case: Case, step: Step[Any, Any], label: str) -> bool:
    """Whether a clock's label, or one around it, moves on after the step, or the run is over."""
    following = case.game.turn(case.config, step.state)
    names = [name for name, _ in step.turn.clock]
    assert label in names, f"step {step.index}: its clock has no {label}: {step.turn.clock}"
    until = names.index(label) + 1
    return following is None or following.clock[:until] != step.turn.clock[:until]
