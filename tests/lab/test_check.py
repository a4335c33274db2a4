"""`polity check` and the plugin of pytest: wherever the package is installed, over a name, a folder or a file."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from games.core.registry import get
from games.laws import GAME_LAWS, LAWS
from games.laws.case import Case
from games.laws.golden import golden_traces_replay, said
from games.laws.loading import subject
from games.laws.mutation.choosing import mutants_of
from games.laws.mutation.copying import changed
from games.laws.mutation.mutating import Mutation, table
from games.laws.mutation.operators import expressions
from games.laws.mutation.source import Source
from games.laws.mutation.spoiling import methods, stages
from simsite.cli import main

ROOT = Path(__file__).parents[2]
OWN = ROOT / "tests" / "toygames" / "commons_fund"
BARRED = """
import sys
class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "channels", "celery", "redis", "ninja", "daphne", "asgiref", "pytest"}:
            raise ImportError(f"{name} is barred here")
sys.meta_path.insert(0, Barred())
from simsite.cli import main
main(sys.argv[1:])
"""


def status(*words: str) -> int:
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert isinstance(ended.value.code, int)
    return ended.value.code


@pytest.fixture
def broken(tmp_path: Path) -> Path:
    """A folder of a game whose public eyes see everybody's points."""
    folder = tmp_path / "some_games" / "commons_fund"
    shutil.copytree(OWN, folder, ignore=shutil.ignore_patterns("__pycache__"))
    rules = folder / "rules.py"
    text = rules.read_text("utf-8")
    assert "isinstance(eyes, All) or" in text
    rules.write_text(text.replace("isinstance(eyes, All) or", "not isinstance(eyes, SeatEyes) or"), "utf-8")
    return folder


def test_each_law_has_a_line_with_what_it_saw(capsys: pytest.CaptureFixture[str]) -> None:
    assert status("check", str(OWN)) == 0
    lines = capsys.readouterr().out.splitlines()
    laws = [line.split()[1].rstrip(":") for line in lines if line.startswith("ok ")]
    assert laws == [law.__name__ for law in (*LAWS, *GAME_LAWS)]
    assert "equal_seats_are_paid_alike: 2 presets, 360 compared" in "\n".join(lines)
    assert lines[-1] == f"{len(laws)} of {len(laws)} laws hold"


def test_a_broken_law_is_told_with_its_place_and_the_status_is_1(
    broken: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    law = "public_eyes_see_no_more_than_a_seat"
    assert status("check", str(broken), "--law", law) == 1
    assert f"FAILED  {law}: baseline: step 14: the public is shown in ['points']" in capsys.readouterr().out
    assert status("check", str(broken), "--law", law, "--preset", "without", "--json") == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["holds"], told["presets"], [one["law"] for one in told["laws"]]) == (True, ["without"], [law])


def test_a_game_of_one_file_is_checked_with_its_defaults(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "parade.py").write_text("from tests.core.toys import PARADE as PACK\n")
    laws = ("same_seed_same_bytes", "another_process_gives_the_same_bytes", "people_are_told_the_rules")
    assert status("check", str(tmp_path / "parade.py"), *(word for law in laws for word in ("--law", law))) == 0
    assert "same_seed_same_bytes: 1 preset" in capsys.readouterr().out
    (tmp_path / "trek.py").write_text("PACK = 1\n")
    assert status("check", str(tmp_path / "trek.py")) == 2
    assert "has no PACK" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nope"], "game 'nope': there is none of that name"),
        (["dilemma", "--law", "same_seed"], "law 'same_seed': there is none of that name; did you mean same_seed_same"),
        (["dilemma", "--preset", "demos"], "preset 'demos': there is none of that name; did you mean demo"),
        (["stag_hunt", "--mutate"], "stag_hunt: no line of its source is of a kind that mutants change"),
        (["docs"], "docs: no game; a game is a folder with an __init__.py that has a PACK, or a Python file"),
    ],
)
def test_what_there_is_not_is_refused_in_a_line(
    words: list[str], told: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert status("check", *words) == 2
    assert told in capsys.readouterr().err


def test_laws_are_put_where_neither_django_nor_pytest_is() -> None:
    words = ["check", str(OWN), "--law", "same_seed_same_bytes", "--law", "another_process_gives_the_same_bytes"]
    done = subprocess.run([sys.executable, "-c", BARRED, *words], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 of 2 laws hold" in done.stdout


# --- mutants --------------------------------------------------------------------------------------


def test_mutants_that_show_are_caught_survivors_are_named_and_what_changes_nothing_is_told_apart() -> None:
    """What an answer to another stage's question counts as is known to no law."""
    game = subject(str(OWN))
    every = mutants_of(game)
    wanted = {
        "rules.py: dropped division": "golden_traces_replay",
        "rules.py: a leak to the public": "public_eyes_see_no_more_than_a_seat",
    }
    chosen = [next(one for one in every if f"{one.file}: {one.operator}" == name) for name in wanted]
    chosen.append(next(one for one in every if one.before == "0" and "Give(1), ()" in one.text))
    chosen.append(chosen[0]._replace(operator="idle", text=(OWN / "rules.py").read_text("utf-8") + "\n# as before\n"))
    outcomes = list(Mutation(game, [game.case(preset) for preset in game.presets], chosen, 2).outcomes())
    assert [one.law for one in outcomes] == [*wanted.values(), None, None]
    assert [(one.survives, one.equivalent) for one in outcomes[2:]] == [(True, False), (False, True)]
    assert [str(one).split()[0] for one in outcomes] == ["caught", "caught", "SURVIVES", "equivalent"]
    assert table(outcomes) == dict.fromkeys((*sorted(wanted.values()), "equivalent", "survives"), 1)


def test_the_same_mutants_are_chosen_each_time_and_every_kind_has_its_turn() -> None:
    game = subject(str(OWN))
    every, some = mutants_of(game), mutants_of(game, 30)
    assert some == mutants_of(game, 30)
    assert len(some) == 30
    assert len({one.operator for one in some}) == min(30, len({one.operator for one in every}))
    assert {one.file for one in every} == {"rules.py", "policies.py", "prompts/en/system.md"}


def test_a_copy_is_the_game_but_for_one_file() -> None:
    game = subject(str(OWN))
    mutant = mutants_of(game)[0]
    with changed(game.origin, mutant) as origin:
        copy = Path(origin.partition("=")[2])
        assert (copy / mutant.file).read_text("utf-8") == mutant.text
        assert (copy / "words").is_symlink()
    assert (OWN / mutant.file).read_text("utf-8") != mutant.text


DECLARED = '''
class Fund(Game, version=1):
    budget: int = setting(10, 0, 100)

    @stage(Amount(0, "endowment"), silence=0)
    def give(self, gifts):
        """Give."""
        share = sum(gifts) * self.multiplier / self.players
        return [self.endowment - gift + share for gift in gifts]

    @stage(Points(to="others", most="budget"), silence={}, seen="own", when="budget")
    def punish(self, points):
        """Fine."""
        return [-points.by(seat) - self.fine * points.to(seat) for seat in self.seats]


@policy(Fund)
def free_rider(seat, now):
    return 0 if now.stage == "give" else {}
'''


def test_a_declared_game_has_thirty_mutants_or_so_and_none_of_its_settings_and_policies() -> None:
    source = Source.of("fund.py", DECLARED)
    found = [*expressions(source), *methods(source), *stages(source)]
    assert len(found) >= 25
    changes = {(one.operator, one.before) for one in found}
    assert ("dropped division", "sum(gifts) * self.multiplier / self.players") in changes
    assert ("seen by all", "'own'") in {(operator, before.replace('"', "'")) for operator, before in changes}
    assert {"without to", "without most", "without when", "seat 0 gets double", "hash", "clock"} <= {
        one.operator for one in found
    }
    assert not [one for one in found if "setting" in one.before or one.line > 16]


# --- the plugin -----------------------------------------------------------------------------------


def test_the_plugin_collects_every_law_by_the_command_line_and_by_a_marker(broken: Path, tmp_path: Path) -> None:
    text = f"import pytest\n\n@pytest.mark.polity({str(OWN)!r})\ndef test_laws(polity_law):\n    polity_law()\n"
    (tmp_path / "test_laws.py").write_text(text)
    alone = ("-v", "-p", "no:cacheprovider", "-p", "no:django", "-n", "0", "--rootdir", ".", "-c", "/dev/null")
    call = [sys.executable, "-m", "pytest", *alone, "--polity", str(broken), "-k", "public_eyes", "test_laws.py"]
    told = subprocess.run(call, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert told.returncode == 1, told.stdout + told.stderr
    laws = 2 * len(LAWS) + len(GAME_LAWS)
    assert f"{2 * laws - 4} deselected" in told.stdout
    assert "1 failed, 3 passed" in told.stdout
    assert "laws::commons_fund-baseline-public_eyes_see_no_more_than_a_seat FAILED" in told.stdout
    assert "step 14: the public is shown in ['points'] what seat 0 may not know" in told.stdout


def test_a_golden_trace_tells_settings_that_are_refused_no_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    case = Case(get("chicken"), "default", get("chicken").game.config_type())
    told = said(case, [{"straight": 3}, {"straight": 5}])["refused"]
    assert told == ["Value error, straight 3, both 3, swerve 1, crash 0: each must be more than the next", ""]
    golden_traces_replay([case])
    monkeypatch.setattr("games.laws.golden._refused", lambda case, changed: "")
    with pytest.raises(AssertionError, match=r"three-rounds\.jsonl: refused is"):
        golden_traces_replay([case])
