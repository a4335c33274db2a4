"""Each law finds the fault that it is there for in a fresh copy of the template that was broken in one place."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from games.core.registry import load_pack
from games.lab.newgame.copying import make
from games.lab.scenarios.seating import PolicyAgent
from games.laws import GAME_LAWS, LAWS, Case

CONFIG = {"pairs": 3, "rounds": 12, "pie": 9, "reserve": 3}


class Mutant(NamedTuple):
    """What is replaced in which file, which law then fails, and what it says."""

    law: str
    path: str
    old: str
    new: str
    says: str
    config: Mapping[str, Any] = {}


ONE_RUN = '"""The settings of one run."""\n\n    words = WORDS\n'
PIE = "  pie: Pie | What a pair has to divide in a round."
MUTANTS = [
    Mutant("config_round_trips", "config.py", 'unit="units",', 'unit="units", exclude=True,', "reads back as another"),
    Mutant(
        "same_seed_same_bytes",
        "rules.py",
        'rng.below(config.reserve + 1, "reserve", pair)',
        '__import__("random").randrange(config.reserve + 1)',
        "differs between two runs",
    ),
    Mutant(
        "states_and_steps_round_trip", "state.py", "gained: tuple[int, ...]", "gained: tuple[bool, ...]", "of its type"
    ),
    Mutant(
        "stored_actions_resolve_the_same",
        "rules.py",
        "        chosen = [",
        """        BlankSlate.calls = getattr(BlankSlate, "calls", 0) + 1
        if BlankSlate.calls == 30:
            return replace(self.resolve(config, state, actions, rng), payoffs={0: 99})
        chosen = [""".replace("BlankSlate", "type(self)"),
        "stored actions resolve to something else",
    ),
    Mutant(
        "a_run_resumes_anywhere",
        "policies.py",
        "return Offer(sight.pie // 2), None",
        'return Offer(sight.pie // 2 if isinstance(memory, tuple) else 0), ("kept",)',
        "goes on differently",
    ),
    Mutant("booleans_are_no_numbers", "config.py", "Config(Settings):\n    " + ONE_RUN,
           'Config(__import__("pydantic").BaseModel):\n\n',
           "config pairs, config rounds"),
    Mutant("mapping_order_is_irrelevant", "rules.py", "in sorted(actions)]", "in actions]", "depends on the mapping"),
    Mutant(
        "resolve_mutates_nothing",
        "rules.py",
        "    reserves = draw_reserves(config, rng)\n    after",
        '    reserves = draw_reserves(config, rng)\n    object.__setattr__(state, "offers", ())\n    after',
        "its state was changed",
    ),
    Mutant("cleaning_is_idempotent", "rules.py", "if allowed == action.units:", "if False:", "is cleaned again"),
    Mutant(  # clean raises on a large value
        "hostile_answers_never_raise",
        "rules.py",
        "min(max(action.units, 0), config.pie)",
        "int(min(max(float(action.units), 0), config.pie))",
        "cleaning it raised OverflowError",
    ),
    Mutant(
        "junk_reaches_clean_at_every_stage",
        "rules.py",
        "spec.bounded(units=(0, pie))",
        'ActionSpec({"type": "string"}, spec.read, options)',
        "offer: none of",
    ),
    Mutant(  # clean trusts the type
        "others_actions_are_cleaned", "rules.py", "if not isinstance(action, Offer):", "if action is None:", "'units'"
    ),
    Mutant("silence_is_played_and_flagged", "rules.py", "() if action is None else (Note(\"no_offer_now\"),)",
           "(Note(action.kind),)", "no attribute 'kind'"),
    Mutant("options_are_what_cleaning_leaves_alone", "rules.py", "in range(pie + 1)", "in range(pie)",
           r"Offer\(units=9\) is legal, .* not among the options"),
    Mutant("cleaned_answers_fit_the_schema", "rules.py", "min(max(action.units, 0), config.pie)",
           "min(action.units, config.pie)", "answer.units is -.*, beyond the bounds of the schema"),
    Mutant("numbers_of_an_answer_have_bounds", "rules.py", ".bounded(units=(0, pie))", "", "has no minimum"),
    Mutant("equal_seats_are_paid_alike", "rules.py", "dict(sorted(paid.items()))",
           "{**dict(sorted(paid.items())), 0: 2 * paid[0]}", "is paid 1; as seat 0 it is paid 2", {"reserve": 0}),
    Mutant("equality_of_seats_has_been_tried", "rules.py", "        yield Renaming", "        if False: yield Renaming",
           "say in Exempt.unequal why"),
    Mutant("ends_within_its_horizon", "rules.py", "state.rounds >= config.rounds:\n            return None",
           "state.rounds >= 10**9:\n            return None", "not over after"),
    Mutant("payoffs_are_numbers", "rules.py", "dict(sorted(paid.items()))", "dict.fromkeys(paid, True)", "True"),
    Mutant("turns_are_well_formed", "rules.py", "tuple(range(first, first + config.pairs))",
           "tuple(range(first, first + config.pairs))[::-1]", "seats="),
    Mutant("policies_play_legally", "policies.py", "Offer(sight.pie // 2)", "Offer(sight.pie + 1)", "outside"),
    Mutant("policies_play_every_role_they_claim", "policies.py", "ShareParams, roles=PROPOSER", "ShareParams",
           "policy share in role 'responder' answers what is not asked"),
    Mutant("each_seat_reflects_once_at_most", "rules.py", "    def observe(",
           "    def reflects(self, config, step):\n        return range(config.pairs)\n\n    def observe(",
           "reflect, but the run is over"),
    Mutant("invariants_hold", "rules.py", "most = state.rounds * config.pie", "most = state.rounds", "a pie a round"),
    Mutant("views_are_json_for_all_eyes", "rules.py", "list(state.gained)", "set(state.gained)", "not JSON"),
    Mutant("a_snapshot_and_later_frames_equal_a_fresh_view", "rules.py", "list(state.gained)", "id(state)", "another"),
    Mutant("every_stage_has_its_view", "rules.py", "        return {\n",
           '        return {"pie": config.pie} if state.rounds < config.rounds else {\n', "the view is the same"),
    Mutant("private_facts_stay_private", "rules.py", "return isinstance(eyes, All) or eyes == SeatEyes(seat)",
           "return True", "is shown a private fact"),
    Mutant("public_eyes_see_no_more_than_a_seat", "rules.py", "return isinstance(eyes, All) or eyes == SeatEyes(seat)",
           "return not isinstance(eyes, SeatEyes) or eyes == SeatEyes(seat)", "the public is shown in"),
    Mutant("what_is_told_depends_on_nothing_private", "rules.py", '"from": pair})',
           '"from": pair, "reserve": state.reserves[pair]})', "hears by offer_.* what it may not know"),
    Mutant("what_others_do_unseen_is_not_told", "rules.py", ", (pair, config.pairs + pair))", ")",
           "hears by offer_made what it may not know"),
    Mutant("what_news_disclose_is_declared", "__init__.py", "Exempt(", 'Exempt(disclosed={"offer_made": "why not"}, ',
           "disclosed.'offer_made'.: no preset needs it"),
    Mutant("people_are_told_the_rules", "__init__.py", "prompts=Prompts(),", "", "nobody tells people the rules"),
    Mutant("numbers_of_texts_are_settings", "prompts/en/system.md", "a pie of {pie} units", "a pie of 10 units",
           "system.md:6: 10, which {pie} is by default"),
    Mutant("texts_follow_the_settings", "prompts.py", "pie=seen.pie", "pie=10", "texts name {pie}, but"),
    Mutant("another_process_gives_the_same_bytes", "rules.py", 'rng.below(config.reserve + 1, "reserve", pair)',
           'hash(f"reserve {pair}") % (config.reserve + 1)', "in a fresh process|in another process"),
    Mutant("the_code_of_the_rules_is_pure", "rules.py", "from functools import lru_cache",
           "from functools import lru_cache\nfrom time import time as time", "rules.py:.*: imports time"),
    Mutant("config_fields_are_described", "words/en.yaml", PIE, '  pie: ""', "config field pie: no title"),
    Mutant("notes_have_words", "words/*.yaml", "no_reply_now: ", "no_reply: ", "no words for note no_reply_now"),
    Mutant("what_happened_reads_well", "words/zh.yaml", "{pairs} 对，每轮", "{pairs} 对, 每轮", "half-width sign"),
    Mutant("numbers_and_nouns_agree", "words/en.yaml", "{asked} {asked|unit|units};", "{asked} units;", "1 units"),
    Mutant("words_of_seats_have_one_form", "rules.py", 'Event("offers_opened", {',
           'Event("message_sent", {"by": 99, "text": "", ', "by 99"),
    Mutant("every_seat_is_asked_in_words_it_knows", "rules.py", "ActionSpec.of(Reply, (",
           "ActionSpec({}, lambda raw: Reply(False), (", "step 2, seat 3"),
    Mutant("every_stage_has_its_prompt", "prompts.py", '{"offer", "reply"}', '{"offer"}', "none for the stage reply"),
    Mutant("metrics_are_numbers_or_none", "metrics.py", "gini(step.state.gained)", 'float("nan")', "Out of|NaN|nan"),
    Mutant("a_cadenced_metric_is_measured_when_its_period_ends", "metrics.py",
           "sum(replies) / config.pairs if replies else None", "sum(replies) / config.pairs", "inside a round"),
    Mutant("golden_traces_replay", "rules.py", "config.pie - offer if", "config.pie if", "step 2 is not what it was"),
    Mutant("every_setting_changes_something", "config.py", "    @model_validator",
           "    spare: int = setting(1)\n\n    @model_validator",
           "config field spare: no change of it"),
    Mutant("words_name_what_there_is", "words/*.yaml", "  accepted: ", "  acceptance: ",
           "metrics: nothing for 'accepted'"),
    Mutant("words_name_what_there_is", "words/zh.yaml", "  gain: 所得 | 单位\n", "",
           "zh.yaml: nothing for metrics.gain.unit"),
    Mutant("the_rule_sheet_is_of_this_game", "README.md", "`offer_made`", "`apples_picked`", "apples_picked"),
    Mutant("metrics_are_what_about_says", "metrics.py", '"total_gain": sum', '"sum_of_gains": sum', "sum_of_gains"),
    Mutant("privacy_is_declared_and_has_been_tried", "rules.py",
           "    if state.rounds >= config.rounds:\n        return\n",
           "    return\n    yield state\n", "yields no state"),
]  # fmt: skip
"""The template has no batch form, no mapping in its config and no declared shapes, so that these ask nothing of it."""
ASK_NOTHING = {
    "batch_equals_plain",
    "a_config_that_was_stored_plays_the_same",
    "views_have_their_declared_shape",
    "events_have_their_declared_shapes",
    "imagined_worlds_agree_with_what_a_seat_sees",
}


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A package for mutants, each a copy of its own."""
    home = tmp_path_factory.mktemp("mutants") / "mutant_games"
    shutil.copy("pyproject.toml", home.parent)  # so that lines are as long as in the template
    sys.path.insert(0, str(home.parent))
    yield home
    sys.path.remove(str(home.parent))


def test_every_law_has_its_mutant() -> None:
    laws = {law.__name__ for law in (*LAWS, *GAME_LAWS)}
    assert {mutant.law for mutant in MUTANTS} == laws - ASK_NOTHING


@pytest.mark.parametrize("mutant", MUTANTS, ids=[mutant.law for mutant in MUTANTS])
def test_a_mutant_of_a_fresh_copy_fails_the_law_by_name(mutant: Mutant, package: Path) -> None:
    folder = make(f"m{MUTANTS.index(mutant)}", package)
    changed = 0
    for path in folder.glob(mutant.path):
        text = path.read_text("utf-8")
        changed += mutant.old in text
        path.write_text(text.replace(mutant.old, mutant.new, 1), "utf-8")
    assert changed, f"{mutant.path} does not hold what is replaced"
    importlib.invalidate_caches()
    pack = load_pack(f"mutant_games.{folder.name}")
    seated = {seat: PolicyAgent("random") for seat in (0, 3)}
    case = Case(pack, "mutant", pack.game.config_type.model_validate({**CONFIG, **mutant.config}), seated)
    game_laws = {law.__name__: law for law in GAME_LAWS}
    law: Any = game_laws.get(mutant.law) or {law.__name__: law for law in LAWS}[mutant.law]
    with pytest.raises(Exception, match=mutant.says):
        law([case] if mutant.law in game_laws else case)
