"""The laws that every game must keep.

Each law is a function named as a sentence that raises AssertionError with what it saw. `LAWS` are put to one preset of
a game, a `Case`; `GAME_LAWS` to all of them together. ``tests/core/test_conformance.py`` runs them over the catalog.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from games.laws import (
    afresh,
    booleans,
    complete,
    conduct,
    golden,
    hearing,
    imagining,
    options,
    purity,
    record,
    renaming,
    seeing,
    sentences,
    settings,
    texts,
    words,
)
from games.laws.case import Case

__all__ = ["GAME_LAWS", "LAWS", "Case", "GameLaw", "Law"]

Law: TypeAlias = Callable[[Case], Any]
"""Raises AssertionError with what it saw, or returns how much it looked at, None where it does not count."""
GameLaw: TypeAlias = Callable[[Sequence[Case]], Any]
"""The same of all presets of a game."""

LAWS: Final[tuple[Law, ...]] = (
    record.config_round_trips,
    record.same_seed_same_bytes,
    record.a_config_that_was_stored_plays_the_same,
    record.states_and_steps_round_trip,
    record.stored_actions_resolve_the_same,
    record.a_run_resumes_anywhere,
    record.batch_equals_plain,
    booleans.booleans_are_no_numbers,
    conduct.mapping_order_is_irrelevant,
    conduct.resolve_mutates_nothing,
    conduct.cleaning_is_idempotent,
    conduct.hostile_answers_never_raise,
    conduct.junk_reaches_clean_at_every_stage,
    conduct.others_actions_are_cleaned,
    options.options_are_what_cleaning_leaves_alone,
    options.cleaned_answers_fit_the_schema,
    options.numbers_of_an_answer_have_bounds,
    conduct.silence_is_played_and_flagged,
    conduct.ends_within_its_horizon,
    conduct.payoffs_are_numbers,
    conduct.turns_are_well_formed,
    renaming.equal_seats_are_paid_alike,
    conduct.policies_play_legally,
    conduct.policies_play_every_role_they_claim,
    conduct.each_seat_reflects_once_at_most,
    conduct.invariants_hold,
    seeing.views_are_json_for_all_eyes,
    seeing.views_have_their_declared_shape,
    seeing.events_have_their_declared_shapes,
    seeing.a_snapshot_and_later_frames_equal_a_fresh_view,
    seeing.every_stage_has_its_view,
    seeing.private_facts_stay_private,
    seeing.public_eyes_see_no_more_than_a_seat,
    hearing.what_is_told_depends_on_nothing_private,
    hearing.what_others_do_unseen_is_not_told,
    imagining.imagined_worlds_agree_with_what_a_seat_sees,
    words.config_fields_are_described,
    words.notes_have_words,
    sentences.what_happened_reads_well,
    words.words_of_seats_have_one_form,
    words.every_seat_is_asked_in_words_it_knows,
    words.every_stage_has_its_prompt,
    texts.people_are_told_the_rules,
    words.metrics_are_numbers_or_none,
    words.a_cadenced_metric_is_measured_when_its_period_ends,
)

GAME_LAWS: Final[tuple[GameLaw, ...]] = (
    golden.golden_traces_replay,
    afresh.another_process_gives_the_same_bytes,
    purity.the_code_of_the_rules_is_pure,
    settings.every_setting_changes_something,
    renaming.equality_of_seats_has_been_tried,
    hearing.what_news_disclose_is_declared,
    seeing.privacy_is_declared_and_has_been_tried,
    complete.words_name_what_there_is,
    sentences.numbers_and_nouns_agree,
    texts.numbers_of_texts_are_settings,
    texts.texts_follow_the_settings,
    complete.the_rule_sheet_is_of_this_game,
    complete.metrics_are_what_about_says,
)
