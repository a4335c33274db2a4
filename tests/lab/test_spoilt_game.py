"""Twenty-six faults that a game of public goods was once given, each with the law that finds it.

Five were once found by nothing and seven by a golden trace alone; the two that say `golden_traces_replay` change what
is paid and leave all seats equal, so that only a trace, or a table worked by hand, can know better.
"""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from games.core.registry import Registry, load_pack
from games.laws import GAME_LAWS, LAWS
from games.laws.checking import verdicts
from games.laws.loading import Subject
from games.laws.origins import origin_of

OWN = Path(__file__).parents[1] / "toygames" / "commons_fund"
ROWS = "isinstance(eyes, All) or eyes == SeatEyes(seat)"
SHARE = "share = round(sum(gifts) * CENT * config.multiplier / config.players)"
CHOSEN = "        chosen = ["
TOLD = '"share": share / CENT'
PAID = "{seat: units / CENT for seat, units in enumerate(paid)}"


class Fault(NamedTuple):
    """What is replaced in which file, and the law that fails."""

    name: str
    law: str
    path: str
    old: str
    new: str


FAULTS = [
    Fault("a leak in a seat's view", "private_facts_stay_private", "rules.py", ROWS,
          "isinstance(eyes, All | SeatEyes)"),
    Fault("a leak in observe", "private_facts_stay_private", "rules.py",
          "state.points[seat] if", "state.points[0] if"),
    Fault("random", "same_seed_same_bytes", "rules.py", SHARE, f"{SHARE} + __import__('random').randrange(9)"),
    Fault("the clock", "the_code_of_the_rules_is_pure", "rules.py", SHARE,
          f"import time\n    {SHARE} + int(time.time()) // 10**7 % 2"),
    Fault("the order of the mapping", "mapping_order_is_irrelevant", "rules.py", "in sorted(actions)]", "in actions]"),
    Fault("resolve mutates its state", "resolve_mutates_nothing", "rules.py", CHOSEN,
          f'        object.__setattr__(state, "gifts", ())\n{CHOSEN}'),
    Fault("a negative gift", "options_are_what_cleaning_leaves_alone", "rules.py",
          "min(max(action.units, 0), config.endowment)", "min(action.units, config.endowment)"),
    Fault("a payoff that is NaN", "payoffs_are_numbers", "rules.py", PAID, '{0: float("nan")}'),
    Fault("a NaN in an event", "same_seed_same_bytes", "rules.py", TOLD, '"share": float("nan")'),
    Fault("an object in an event", "states_and_steps_round_trip", "rules.py", TOLD, '"share": config'),
    Fault("a run without an end", "ends_within_its_horizon", "rules.py", "state.rounds >= config.rounds",
          "state.rounds < 0"),
    Fault("math.exp, unrounded", "states_and_steps_round_trip", "rules.py", SHARE,
          "import math\n    share = math.exp(math.log(1 + sum(gifts) * CENT * config.multiplier / config.players))"),
    Fault("a wrong horizon", "ends_within_its_horizon", "rules.py", "config.rounds * (2 if config.budget else 1)",
          "config.rounds"),
    Fault("a draw without a key in a policy", "same_seed_same_bytes", "policies.py",
          'rng.below(sight.endowment + 1, "gift")', '__import__("random").randrange(sight.endowment + 1)'),
    Fault("the fund is not divided", "golden_traces_replay", "rules.py", " / config.players)", ")"),
    Fault("a fine that is free for its giver", "golden_traces_replay", "rules.py", "(sum(row) + config.fine * got)",
          "(config.fine * got)"),
    Fault("a private event told to everyone", "what_others_do_unseen_is_not_told", "rules.py",
          '"points": given}, (seat,))', '"points": given})'),
    Fault("hash()", "another_process_gives_the_same_bytes", "rules.py", SHARE, f'{SHARE} + hash(f"{{gifts}}") % 97'),
    Fault("a module's memory", "another_process_gives_the_same_bytes", "rules.py", SHARE,
          f"_SEEN.append(1)\n    {SHARE} + (len(_SEEN) > 1)"),
    Fault("a set in a tuple's place", "states_and_steps_round_trip", "rules.py", "gifts=tuple(gifts)",
          "gifts=set(gifts)"),
    Fault("seat 0 gets double", "equal_seats_are_paid_alike", "rules.py", PAID,
          "{seat: units / CENT * (2 if seat == 0 else 1) for seat, units in enumerate(paid)}"),
    Fault("private rows shown to the public", "public_eyes_see_no_more_than_a_seat", "rules.py", ROWS,
          "not isinstance(eyes, SeatEyes) or eyes == SeatEyes(seat)"),
    Fault("negative points", "cleaned_answers_fit_the_schema", "rules.py", "min(max(fine.points, 0), left)",
          "min(fine.points, left)"),
    Fault("a legal gift that is not listed", "options_are_what_cleaning_leaves_alone", "rules.py",
          "in range(endowment + 1)", "in range(endowment)"),
    Fault("a prompt that tells another multiplier", "texts_follow_the_settings", "prompts.py",
          'multiplier=f"{seen.multiplier:g}"', "multiplier=2"),
    Fault("a fine for oneself", "cleaned_answers_fit_the_schema", "rules.py", " and fine.to != seat", ""),
]  # fmt: skip


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A package for copies of the game."""
    home = tmp_path_factory.mktemp("spoilt") / "spoilt_games"
    home.mkdir()
    (home / "__init__.py").touch()
    sys.path.insert(0, str(home.parent))
    yield home
    sys.path.remove(str(home.parent))


def spoilt(fault: Fault | None, package: Path) -> Subject:
    """A copy of the game with a fault, under a name of its own."""
    name = "whole" if fault is None else f"fault_{FAULTS.index(fault)}"
    folder = package / name
    shutil.copytree(OWN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    rules = folder / "rules.py"
    rules.write_text(
        rules.read_text().replace('slug = "commons_fund"', f'slug = "{name}"') + "\n\n_SEEN: list[int] = []\n"
    )
    if fault is not None:
        text = (folder / fault.path).read_text("utf-8")
        assert fault.old in text, f"{fault.path} does not hold what is replaced"
        (folder / fault.path).write_text(text.replace(fault.old, fault.new, 1), "utf-8")
    importlib.invalidate_caches()
    pack = load_pack(f"{package.name}.{name}")
    return Subject(pack, Registry((package.name,)), origin_of(pack), tuple(pack.scenarios))


def broken(law: str, subject: Subject) -> list[str]:
    """What the law says of the presets of a game."""
    (verdict,) = verdicts([subject.case(preset) for preset in subject.presets], [law])
    return [saw for _, saw in verdict.failures]


def test_the_whole_game_keeps_every_law_that_a_fault_breaks(package: Path) -> None:
    whole = spoilt(None, package)
    for law in sorted({fault.law for fault in FAULTS}):
        assert broken(law, whole) == [], law


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_a_fault_is_found_by_its_law(fault: Fault, package: Path) -> None:
    assert fault.law in {law.__name__ for law in (*LAWS, *GAME_LAWS)}
    assert broken(fault.law, spoilt(fault, package))


def test_no_more_than_two_faults_are_left_to_golden_traces() -> None:
    assert sum(fault.law == "golden_traces_replay" for fault in FAULTS) <= 2
    assert len({fault.name for fault in FAULTS}) == 26
