"""No law is empty: for each of them a toy that breaks it, and what the law then says."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, ConfigDict, Field
from typing_extensions import TypedDict

from games.core.agents import PolicySpec
from games.core.answers import ActionSpec, Note
from games.core.batch import side_by_side
from games.core.engine import play
from games.core.exempt import Exempt
from games.core.game import All, Event, Imagined, Invariant, Public, Resolution, Turn
from games.core.pack import FolderFiles, NoBatch, Pack
from games.core.prompts import GamePrompts, PromptContext
from games.laws import GAME_LAWS, LAWS, Case, settings
from games.laws.complete import HEADINGS
from games.laws.golden import golden_files, rewrite
from games.laws.origins import pack_at
from games.laws.purity import impurities
from tests.core.toys import PARADE, Parade, ParadeConfig, ParadeMetrics, ParadeState, Say

BROKEN: dict[str, tuple[str, Callable[[Path], Case]]] = {}
WORDS = {
    "events": dict.fromkeys(("opened", "dawned", "marched", "earned"), "x"),
    "notes": {"tune_unknown": "{tune}?"},
    "stages": dict.fromkeys(("dawn", "solo", "pair", "all"), "x"),
    "config": {"days": "x", "marchers": "x"},
    "policies": {"latest": "x"},
    "names": {"tune": "x"},
    "metrics": {"coins": {"label": "x"}, "held": {"label": "x"}},
    "charts": ["coins", "held"],
}
SHEET = "# Parade\n\n" + "".join(f"## {heading}\n\n" for heading in HEADINGS).replace(
    "## Stages\n", "## Stages\n\n`dawn`, `solo`, `pair`, `all`.\n"
).replace("## Observation\n", "## Observation\n\n`opened`, `dawned`, `marched`, `earned`.\n")


def pack_in(folder: Path, sheet: str = SHEET, words: Mapping[str, Any] | None = None, **changed: Any) -> Pack:
    """The parade with words, a rule sheet and a golden trace in a folder of its own, which keeps every law."""
    (folder / "words").mkdir(exist_ok=True)
    (folder / "tests" / "golden").mkdir(parents=True, exist_ok=True)
    for language in ("en", "zh"):
        (folder / "words" / f"{language}.yaml").write_text(json.dumps({**WORDS, **(words or {})}))
    (folder / "README.md").write_text(sheet)
    whole = replace(PARADE, files=FolderFiles(folder), batch=batch, prompts=Prompts())
    trace = folder / "tests" / "golden" / "two-days.jsonl"
    trace.write_text(json.dumps({"config": {"days": 2}, "seed": 1, "seats": {"0": {"policy": "latest"}}}) + "\n")
    rewrite(whole)
    return replace(whole, **changed)


def batch(config: Any, seeds: Any, seated: Mapping[int, Any]) -> Iterator[Sequence[Any]]:
    deciders = Case(PARADE, "toy", config, seated).deciders()
    return side_by_side(play(Parade(), config, seed, deciders) for seed in seeds)


class Prompts(GamePrompts):
    """Words for every stage of the parade."""

    stages = frozenset({"solo", "pair", "all"})
    options: Mapping[str, Any] = {}

    def render(self, config: Any, telling: PromptContext, /) -> dict[str, str]:
        return {"system": "You march.", "user": f"Name a tune: {telling.observation.known}."}


def breaks(law: str, says: str, **changed: Any) -> Callable[[type], type]:
    """The game of a pack that breaks the law, which then ``says`` so; what else is given differs from the toy too."""

    def note(game: type) -> type:
        BROKEN[law] = says, lambda folder: case_of(pack_in(folder, **{"game": game(), **changed}))
        return game

    return note


def case_of(pack: Pack) -> Case:
    return Case(pack, "toy", pack.game.config_type(days=12), {}, origin="tests.core.toys:PARADE")


@pytest.mark.parametrize("law", LAWS, ids=lambda law: law.__name__)
def test_the_whole_toy_keeps_the_law(law: Callable[[Case], None], tmp_path: Path) -> None:
    law(case_of(pack_in(tmp_path)))


@pytest.mark.parametrize("law", GAME_LAWS, ids=lambda law: law.__name__)
def test_the_whole_toy_keeps_the_law_of_games(law: Callable[[Any], None], tmp_path: Path) -> None:
    law([case_of(pack_in(tmp_path))])


@pytest.mark.parametrize("law", [*LAWS, *GAME_LAWS], ids=lambda law: law.__name__)
def test_a_toy_that_breaks_the_law_is_found_out(law: Callable[[Any], None], tmp_path: Path) -> None:
    says, make = BROKEN[law.__name__]
    case = make(tmp_path)
    with pytest.raises(Exception, match=says):
        law([case] if law in GAME_LAWS else case)


# --- what is kept ---------------------------------------------------------------------------------


class Forgetful(ParadeConfig):
    """Reads back as something else."""

    def model_dump_json(self, **how: Any) -> str:
        return '{"days": 1}'


@breaks("config_round_trips", "reads back as another one: days=1")
class ForgetfulParade(Parade):
    config_type = Forgetful


@breaks("same_seed_same_bytes", "step 0: differs|step 1: differs")
class UnkeyedParade(Parade):
    tick = itertools.count()

    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        return replace(super().resolve(config, state, actions, rng), payoffs={0: next(self.tick)})


class Ordered(ParadeConfig):
    bands: dict[str, int] = Field({"brass": 1, "choir": 2}, title="Bands", description="Who plays, in this order.")


@breaks("a_config_that_was_stored_plays_the_same", "step 0: differs where the keys of the config")
class OrderedParade(Parade):
    config_type = Ordered

    def initial(self, config: Any, rng: Any) -> Any:
        return replace(super().initial(config, rng), events=[Event("opened", {"first": next(iter(config.bands))})])


@dataclass(frozen=True, slots=True)
class Twisted(ParadeState):
    """Turns round what is read back."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "known", self.known[::-1])


@breaks("states_and_steps_round_trip", "step 0: the state reads back as another one")
class TwistedParade(Parade):
    state_type = Twisted

    def initial(self, config: Any, rng: Any) -> Any:
        first = super().initial(config, rng).state
        return Resolution(Twisted(first.day, first.stage, first.purses, first.known))


@breaks("stored_actions_resolve_the_same", "step 2: stored actions resolve to something else")
class IdentityParade(Parade):
    """Takes the very object for the action that a policy made."""

    def clean(self, config: Any, state: Any, seat: Any, action: Any, rng: Any) -> Any:
        cleaned, notes = super().clean(config, state, seat, action, rng)
        return Loud(cleaned.tune), notes

    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        resolved = super().resolve(config, state, actions, rng)
        return replace(resolved, payoffs={0: sum(isinstance(action, Loud) for action in actions.values())})


class Loud(Say):
    """A tune, sung loudly; storage does not know of it."""


def clinging(params: Any, sight: Any, memory: Any, rng: Any) -> Any:
    """Carries a tuple on, which storage gives back as a list."""
    return Say("waltz" if isinstance(memory, tuple) and "waltz" in sight.known else "hymn"), ("kept",)


CLINGING = PolicySpec("latest", "Clings.", "this test", clinging)


@breaks("a_run_resumes_anywhere", "resumed after 24 goes on differently", policies={"latest": CLINGING})
class ClingingParade(Parade):
    pass


def hasty(config: Any, seeds: Any, seated: Any) -> Any:
    """Plays other seeds than it was asked for."""
    return batch(config, [seed + 1 for seed in seeds], seated)


@breaks("batch_equals_plain", "seed 7, step 0: the states differ", batch=hasty)
class HastyParade(Parade):
    pass


# --- a round --------------------------------------------------------------------------------------


@breaks("mapping_order_is_irrelevant", "the events depend on the mapping's order")
class QueueingParade(Parade):
    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        resolved = super().resolve(config, state, actions, rng)
        return replace(resolved, events=[Event("dawned", {"first": list(actions)[:1]})])


@breaks("resolve_mutates_nothing", "step 0: its state was changed")
class WornParade(Parade):
    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        object.__setattr__(state, "weather", state.weather + 1)
        return super().resolve(config, state, actions, rng)


@breaks("cleaning_is_idempotent", "is cleaned again")
class PedanticParade(Parade):
    def clean(self, config: Any, state: Any, seat: Any, action: Any, rng: Any) -> Any:
        return super().clean(config, state, seat, action, rng)[0], (Note("louder"),)


@breaks("hostile_answers_never_raise", "step 2, solo, seat 0: .*: reading it raised")
class FragileParade(Parade):
    def actions(self, config: Any, state: Any, seat: Any) -> Any:
        return ActionSpec({"type": "object"}, lambda raw: Say(raw["tune"]))


@breaks("junk_reaches_clean_at_every_stage", "pair: none of .* answers made from its schema can be read")
class TaciturnParade(Parade):
    """At one of its stages it asks for something else than what it reads."""

    def actions(self, config: Any, state: Any, seat: Any) -> Any:
        spec = super().actions(config, state, seat)
        return replace(spec, schema={"type": "integer"}) if state.stage == "pair" else spec


@breaks("payoffs_are_numbers", "step 2: pays seat 0 True, which is no finite number")
class GenerousParade(Parade):
    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        resolved = super().resolve(config, state, actions, rng)
        return replace(resolved, payoffs={seat: paid > 0 for seat, paid in resolved.payoffs.items()})


@breaks("others_actions_are_cleaned", "not in tuple")
class TrustingParade(Parade):
    """Nobody learns a tune, and who is handed another's cannot play it."""

    def clean(self, config: Any, state: Any, seat: Any, action: Any, rng: Any) -> Any:
        state.known[seat].index(action.tune)
        return action, ()

    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        resolved = super().resolve(config, state, actions, rng)
        return replace(resolved, state=replace(resolved.state, known=state.known))


class LooseConfig(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    days: int = Field(3, ge=1, le=100, title="Days", description="How often the parade passes.")
    marchers: int = Field(3, ge=3, le=9, title="Marchers", description="Seats in play.")


@breaks("booleans_are_no_numbers", "(?m)true is taken for a number .*: config days$")
class LooseParade(Parade):
    """Plays one day where it is told ``days: true``."""

    config_type = LooseConfig


def mistaken(params: Any, sight: Any, memory: Any, rng: Any) -> Any:
    return Say("polka" if sight.heard == 0 else "hymn"), None


MISTAKEN = PolicySpec("mistaken", "Plays the polka first.", "this test", mistaken)


@breaks(
    "policies_play_every_role_they_claim",
    "step 2, solo: policy mistaken in role '' answers what is not asked there: tune",
    policies={**PARADE.policies, "mistaken": MISTAKEN},
)
class MistakenParade(Parade):
    def observe(self, config: Any, state: Any, seat: Any, past: Any) -> Any:
        return replace(super().observe(config, state, seat, past), heard=state.day - 1)


@breaks("each_seat_reflects_once_at_most", r"step 4: reflects names \[0, 0\]")
class BroodingParade(Parade):
    def reflects(self, config: Any, step: Any) -> Any:
        return (0, 0) if step.turn.stage == "all" else ()


@breaks("options_are_what_cleaning_leaves_alone", "'waltz'.* is legal, .* but it is not among the options")
class ReticentParade(Parade):
    def actions(self, config: Any, state: Any, seat: Any) -> Any:
        return replace(super().actions(config, state, seat), options=(Say("hymn"),))


@breaks("cleaned_answers_fit_the_schema", "leaves {'tune': 'HYMN'}, which is refused")
class ShoutingParade(Parade):
    def clean(self, config: Any, state: Any, seat: Any, action: Any, rng: Any) -> Any:
        return Say(action.tune.upper() if action else "HYMN"), ()


@breaks("numbers_of_an_answer_have_bounds", "answer.volume has no minimum in its schema")
class DeafeningParade(Parade):
    def actions(self, config: Any, state: Any, seat: Any) -> Any:
        spec = super().actions(config, state, seat)
        return replace(spec, schema={"type": "object", "properties": {"volume": {"type": "integer"}}})


@breaks("equal_seats_are_paid_alike", "seat 0 is paid 2; as seat 1 it is paid 1 for the same", exempt=Exempt())
class FavouringParade(Parade):
    """Nobody knows more than others, but the first is paid double."""

    def initial(self, config: Any, rng: Any) -> Any:
        return Resolution(ParadeState(1, "all", (0,) * config.marchers, (("hymn",),) * config.marchers))

    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        resolved = super().resolve(config, replace(state, stage="all"), actions, rng)
        after = replace(resolved.state, stage="all")
        return replace(resolved, state=after, payoffs={**resolved.payoffs, 0: 2 * resolved.payoffs[0]})


@breaks("silence_is_played_and_flagged", "'NoneType' object has no attribute 'tune'")
class WaitingParade(Parade):
    def clean(self, config: Any, state: Any, seat: Any, action: Any, rng: Any) -> Any:
        return super().clean(config, state, seat, Say(action.tune), rng)


@breaks("ends_within_its_horizon", "not over after 20000 steps")
class EndlessParade(Parade):
    def turn(self, config: Any, state: Any) -> Any:
        return Turn((("day", state.day),), "dawn", ())

    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        return Resolution(replace(state, day=state.day + 1))


@breaks("turns_are_well_formed", "seats=")
class JostlingParade(Parade):
    def turn(self, config: Any, state: Any) -> Any:
        turn = super().turn(config, state)
        return turn and replace(turn, seats=turn.seats[::-1])


def unruly(params: Any, sight: Any, memory: Any, rng: Any) -> Any:
    return Say("polka"), None


UNRULY = PolicySpec("latest", "Unruly.", "this test", unruly)


@breaks(
    "policies_play_legally",
    "tune_unknown",
    policies={"latest": UNRULY},
)
class UnrulyParade(Parade):
    pass


@breaks("invariants_hold", "everybody is poor")
class PoorParade(Parade):
    def invariants(self, config: Any, state: Any) -> Iterable[Invariant]:
        yield Invariant("everybody is poor", max(state.purses) < 5, str(state.purses))


# --- what is seen ---------------------------------------------------------------------------------


@breaks("views_are_json_for_all_eyes", "not JSON serializable")
class OpaqueParade(Parade):
    def view(self, config: Any, state: Any, eyes: Any) -> Any:
        return {"state": state}


@breaks("views_have_their_declared_shape", r"the view of All\(\) has not its declared shape: wind: Extra inputs")
class WindyParade(Parade):
    def view(self, config: Any, state: Any, eyes: Any) -> Any:
        return {**super().view(config, state, eyes), "wind": 3}


@breaks("events_have_their_declared_shapes", "step 1: dawned has not its declared shape: weather: Input should be")
class WordyParade(Parade):
    event_types: ClassVar[Mapping[str, Any]] = {"dawned": TypedDict("Dawned", {"weather": str})}


@breaks("a_snapshot_and_later_frames_equal_a_fresh_view", "is shown another view")
class RememberingParade(Parade):
    """Shows what it remembers of the states that it has seen, which whoever joins later has not."""

    def __init__(self) -> None:
        self.born: dict[int, int] = {}

    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        resolved = super().resolve(config, state, actions, rng)
        self.born[id(resolved.state)] = len(self.born)
        return resolved

    def view(self, config: Any, state: Any, eyes: Any) -> Any:
        return {**super().view(config, state, eyes), "born": self.born.get(id(state))}


@breaks("every_stage_has_its_view", "the view is the same before")
class StagelessParade(Parade):
    def view(self, config: Any, state: Any, eyes: Any) -> Any:
        return {"day": state.day}


@breaks("private_facts_stay_private", "is shown a private fact")
class OpenParade(Parade):
    def view(self, config: Any, state: Any, eyes: Any) -> Any:
        return {**super().view(config, state, eyes), "purses": list(state.purses)}


@breaks("public_eyes_see_no_more_than_a_seat", r"the public is shown in \['purses'\] what seat 0 may not know")
class BrazenParade(Parade):
    def view(self, config: Any, state: Any, eyes: Any) -> Any:
        return super().view(config, state, All() if eyes == Public() else eyes)


@breaks("what_is_told_depends_on_nothing_private", "seat 0 hears by dawned what it may not know")
class GossipingParade(Parade):
    def resolve(self, config: Any, state: Any, actions: Any, rng: Any) -> Any:
        return replace(
            super().resolve(config, state, actions, rng), events=[Event("dawned", {"most": max(state.purses)})]
        )


def _of_game(law: str, says: str, **changed: Any) -> None:
    BROKEN[law] = says, lambda folder: case_of(pack_in(folder, **changed))


_of_game(
    "what_others_do_unseen_is_not_told",
    "seat [012] hears by marched what it may not know",
    exempt=replace(PARADE.exempt, disclosed={}),
)


@breaks("imagined_worlds_agree_with_what_a_seat_sees", "in the world that it imagines it sees .*99.*; it saw")
class DreamyParade(Parade):
    def imagine(self, observation: Any, rng: Any) -> Any:
        return Imagined(ParadeConfig(days=12), ParadeState(1, "solo", (99,) * 3, (("hymn",),) * 3), 0)


_of_game(
    "what_news_disclose_is_declared",
    r"Exempt.disclosed\['opened'\]: no preset needs it",
    exempt=replace(PARADE.exempt, disclosed={**PARADE.exempt.disclosed, "opened": "why not"}),
)


# --- words ----------------------------------------------------------------------------------------


class Untitled(ParadeConfig):
    band: int = Field(0, description="How many play.")


@breaks("config_fields_are_described", "config field band: no title")
class UntitledParade(Parade):
    config_type = Untitled


@breaks("notes_have_words", "no words for note out_of_step")
class StumblingParade(Parade):
    def clean(self, config: Any, state: Any, seat: Any, action: Any, rng: Any) -> Any:
        cleaned, notes = super().clean(config, state, seat, action, rng)
        return cleaned, (*notes, Note("out_of_step")) if action is None else notes


@breaks("words_of_seats_have_one_form", "message_sent: by 9")
class MumblingParade(Parade):
    def initial(self, config: Any, rng: Any) -> Any:
        return replace(super().initial(config, rng), events=(Event("message_sent", {"by": 9, "text": "hm"}),))


@breaks("every_seat_is_asked_in_words_it_knows", "step 6, seat 0|step")
class DeafParade(Parade):
    def actions(self, config: Any, state: Any, seat: Any) -> Any:
        spec = super().actions(config, state, seat)
        return replace(spec, read=lambda raw: Say("hymn"))


class Speechless(Prompts):
    stages = frozenset({"solo"})


@breaks("every_stage_has_its_prompt", "none for the stage pair", prompts=Speechless())
class SpeechlessParade(Parade):
    pass


class Unexplained(ParadeMetrics):
    def about(self) -> dict[str, str]:
        return {}


@breaks("metrics_are_numbers_or_none", "metric coins: about", metrics=Unexplained())
class UnexplainedParade(Parade):
    pass


class Hasty(ParadeMetrics):
    def measure(self, config: Any, before: Any, step: Any) -> dict[str, Any]:
        return {**super().measure(config, before, step), "held": sum(step.state.purses)}


@breaks(
    "a_cadenced_metric_is_measured_when_its_period_ends", "metric held: .* at step 1, inside a day", metrics=Hasty()
)
class HastyMeasures(Parade):
    pass


def _of_texts(law: str, says: str, text: str) -> None:
    """The toy with a text for players."""

    def make(folder: Path) -> Case:
        (folder / "texts").mkdir()
        (folder / "texts" / "en.md").write_text(text)
        return case_of(pack_in(folder))

    BROKEN[law] = says, make


_of_texts(
    "numbers_of_texts_are_settings", "en.md:1: 3, which {marchers} is by default", '{{ "There are 3." if days > 2 }}'
)
_of_texts("texts_follow_the_settings", "texts name {marchers}, but", "There are {{ marchers }} of you.")
_of_game("people_are_told_the_rules", "nobody tells people the rules", instructions=None)


# --- of the code ----------------------------------------------------------------------------------

SALTED = """
from dataclasses import replace
from tests.core.toys import PARADE, Parade

class Salted(Parade):
    def resolve(self, config, state, actions, rng):
        return replace(super().resolve(config, state, actions, rng), payoffs={0: hash(f"{state.day}") % 97})

PACK = replace(PARADE, game=Salted())
"""


def _salted(folder: Path) -> Case:
    (folder / "salted.py").write_text(SALTED)
    origin = f"salted:PACK={folder / 'salted.py'}"
    return replace(case_of(pack_at(origin)), origin=origin)


BROKEN["another_process_gives_the_same_bytes"] = "resolves to something else in a fresh process", _salted
BROKEN["the_code_of_the_rules_is_pure"] = r"salted.py:7: calls hash\(\), which differs between processes", _salted


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("import random", "imports random"),
        ("from os import environ", "imports os"),
        ("def f():\n    return np.random.rand()", "draws by numpy.random"),
        ("SEEN = {}\ndef f(x):\n    SEEN[x] = 1", "writes to SEEN"),
        ("SEEN = []\ndef f(x):\n    SEEN.append(x)", r"append\(\) changes what all runs share"),
        ("N = 0\ndef f():\n    global N\n    N += 1", "writes the module's N"),
        ("class G:\n    def resolve(self):\n        self.n = 1", "keeps self.n"),
        ("class G:\n    def resolve(self):\n        type(self).n = 1", "keeps self.n|writes"),
        ("class G:\n    n = 0\n    def turn(self):\n        G.n += 1", "writes to G"),
        ("T = count()\ndef f():\n    return next(T)", r"counts on with next\(\)"),
        ("def f(a):\n    return [x for x in {*a}]", "goes through a set"),
        ("def f(a):\n    b = set(a)\n    for x in b:\n        yield x", "for goes through a set"),
        ("def f(a: frozenset[int]):\n    return tuple(a)", r"tuple\(\) goes through a set"),
        ("def f(a, b):\n    return [*(set(a) - set(b))]", r"\* goes through a set"),
    ],
)
def test_what_is_impure_is_found_by_reading(line: str, why: str) -> None:
    ((_, said),) = impurities(line)
    assert re.search(why, said), said


@pytest.mark.parametrize(
    "line",
    [
        "def f(a):\n    return sorted({*a})",
        "def f(a):\n    return sum(x for x in set(a)), max({*a}), 3 in set(a)",
        "SEEN = {}\ndef f(x):\n    SEEN = {}\n    SEEN.update(x)",
        "class G:\n    def __init__(self):\n        self.n = 1\n    def resolve(self):\n        return self.n",
        "def f(a):\n    found = []\n    found.append(a)\n    return found",
    ],
)
def test_what_is_pure_is_let_pass(line: str) -> None:
    assert impurities(line) == []


# --- of all presets together ----------------------------------------------------------------------

_of_game("equality_of_seats_has_been_tried", "say in Exempt.unequal why", exempt=replace(PARADE.exempt, unequal=""))


def _faded(folder: Path) -> Case:
    pack = pack_in(folder)
    (path,) = golden_files(pack)
    path.write_text(path.read_text().replace('"tune": "waltz"', '"tune": "polka"', 1))
    return case_of(pack)


BROKEN["golden_traces_replay"] = "step 2 is not what it was", _faded


class Band(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")

    drums: int = Field(2, ge=0, title="Drums", description="How many beat.")


class Idle(ParadeConfig):
    bands: tuple[Band, ...] = Field((Band(),), title="Bands", description="Who plays.")


@breaks("every_setting_changes_something", "config field bands.*drums: no change of it")
class IdleParade(Parade):
    """Looks at how many bands there are, and never at their drums."""

    config_type = Idle

    def initial(self, config: Any, rng: Any) -> Any:
        first = super().initial(config, rng).state
        return Resolution(replace(first, weather=len(config.bands)))


def test_a_setting_that_changes_nothing_needs_a_reason_and_one_that_does_may_not_have_one(tmp_path: Path) -> None:
    law = settings.every_setting_changes_something
    case = BROKEN["every_setting_changes_something"][1](tmp_path)
    both = {"bands.*.drums": "are for show"}
    law([replace(case, pack=replace(case.pack, inert_settings=both))])
    with pytest.raises(AssertionError, match="config field days: is listed as changing nothing, but it does"):
        law([replace(case, pack=replace(case.pack, inert_settings={**both, "days": "why not"}))])
    with pytest.raises(AssertionError, match="drumz is no field of the config"):
        law([replace(case, pack=replace(case.pack, inert_settings={**both, "bands.*.drumz": "why not"}))])


def test_a_batch_form_may_decline_in_one_line(tmp_path: Path) -> None:
    law = next(law for law in LAWS if law.__name__ == "batch_equals_plain")

    law(_declining(tmp_path, "days: many"))
    with pytest.raises(AssertionError, match="more than one line"):
        law(_declining(tmp_path, "days:\nmany"))


def _declining(folder: Path, reason: str) -> Case:
    def decline(*_: Any) -> Any:
        raise NoBatch(reason)

    return case_of(pack_in(folder, batch=decline))


class Silent(ParadeMetrics):
    def summarise(self, config: Any, series: Any) -> dict[str, Any]:
        return {**super().summarise(config, series), "tunes": len(series)}

    def about(self) -> dict[str, str]:
        return {"coins": "sum of all gains", "pomp": "how grand it was"}


_of_game(
    "metrics_are_what_about_says",
    "(?s)metric tunes: about.* does not explain it.*metric pomp: .*no summary has it.*charts: parasols is not measured",
    metrics=Silent(),
    words={"charts": ["coins", "parasols"]},
)
_of_game(
    "words_name_what_there_is",
    "(?s)18 gaps.*config: nothing for 'marchers'.*config: 'drums' is no longer there.*"
    "params: 'pomp' is no longer there.*parts: 'trumpet' is no longer there.*stages: nothing for 'pair'.*"
    "zh.yaml: parts: nothing for 'tune', nor under names or actions.*"
    "metrics: nothing for 'coins'.*feed: 'brass' is no longer there.*minor: 'hum' is no event.*"
    "zh.yaml: metrics.held.label is still English: 'in the purses'",
    words={
        "config": {"days": "x", "drums": "x"},
        "params": {"pomp": {"label": "x", "help": "x"}},
        "parts": {"trumpet": "x"},
        "names": {},
        "stages": dict.fromkeys(("dawn", "solo", "all"), "x"),
        "metrics": {"held": {"label": "in the purses"}},
        "feed": {"brass": "x"},
        "minor": ["hum"],
    },
)
_of_game(
    "what_happened_reads_well",
    "zh: event marched has a half-width sign, 了,",
    words={"events": {**WORDS["events"], "marched": "行进了, 没有停"}},
)
_of_game(
    "numbers_and_nouns_agree",
    "note tune_unknown, for 1: '1 tunes'",
    words={"notes": {"tune_unknown": "{tune} {tune|tune|tunes}, of {tune} tunes"}},
)
_of_game(
    "the_rule_sheet_is_of_this_game",
    "(?s)3 gaps.*no section Metrics.*no line has event `dawned`.*Observation names `apples_picked`",
    sheet=SHEET.replace("## Metrics\n", "").replace("`dawned`", "`apples_picked`"),
)
_of_game(
    "privacy_is_declared_and_has_been_tried",
    "yields no state in any preset",
    indistinguishable=lambda config, state, seat: (),
)


def test_that_nothing_is_private_is_said_with_a_reason_and_held_to_it(tmp_path: Path) -> None:
    tried = next(law for law in GAME_LAWS if law.__name__ == "privacy_is_declared_and_has_been_tried")
    kept = next(law for law in LAWS if law.__name__ == "private_facts_stay_private")

    silent = case_of(pack_in(tmp_path, indistinguishable=None))
    with pytest.raises(AssertionError, match="neither `indistinguishable` nor the reason"):
        tried([silent])
    claimed = case_of(pack_in(tmp_path, indistinguishable=None, open_state="all know all"))
    tried([claimed])
    with pytest.raises(AssertionError, match="step 0: seats are shown different views, but the pack says `open_state`"):
        kept(claimed)
    with pytest.raises(AssertionError, match="leave one of them out"):
        tried([case_of(pack_in(tmp_path, open_state="all know all"))])
    same = case_of(pack_in(tmp_path, indistinguishable=lambda config, state, seat: (state,)))
    with pytest.raises(AssertionError, match="seat 0 is to tell a state from itself"):
        kept(same)
