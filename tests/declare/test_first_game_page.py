"""Each code block of docs/first-game.md is what it says: files are written, and commands run, in the page's order."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from games.core.game import Public, SeatEyes
from games.core.registry import BrokenGame, Registry, load_pack
from games.laws.case import Case, Policy
from games.laws.checking import verdicts
from games.laws.loading import subject
from simsite.cli import main

PAGE = (Path(__file__).parents[2] / "docs" / "first-game.md").read_text("utf-8")
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = [(kind, name, text) for kind, name, text in BLOCK.findall(PAGE)]


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A command of the page, in this process."""
    words = shlex.split(line)
    if words[0] == "export":
        name, _, value = words[1].partition("=")
        monkeypatch.setenv(name, value)
        return
    assert words[0] == "polity", line
    with pytest.raises(SystemExit) as ended:
        main(words[1:])
    assert not ended.value.code, f"{line}: {ended.value.code}"


def test_each_code_block_of_the_page_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("POLITY_GAMES", raising=False)
    for kind, name, text in BLOCKS:
        if name:
            (tmp_path / name).write_text(text, "utf-8")
        elif kind == "sh":
            for line in text.splitlines():
                run(line, monkeypatch)
        else:
            assert kind == "text", f"a block of {kind} without a name"
    assert (tmp_path / "fines" / "report").is_dir()
    assert (tmp_path / "with-a-model" / "run_manifest.json").is_file()


def test_a_translation_that_has_begun_breaks_no_law_and_what_it_lacks_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for _, name, text in BLOCKS:
        if name.startswith("fund."):
            (tmp_path / name).write_text(text, "utf-8")
    monkeypatch.chdir(tmp_path)
    run("polity check fund.py --law words_name_what_there_is", monkeypatch)
    assert "told in English: tagline, " in capsys.readouterr().out


def test_the_refusals_of_the_page_are_what_is_said(tmp_path: Path) -> None:
    game = next(text for _, name, text in BLOCKS if name == "fund.py")
    lines = next(text for kind, _, text in BLOCKS if kind == "text").splitlines()
    wrong = [("pays=[32, 32, 22, 12]", "pays=[32, 32, 22, 13]"), ('most="budget"', 'most="budgt"')]
    for number_of, ((old, new), line) in enumerate(zip(wrong, lines, strict=True)):
        path = tmp_path / str(number_of) / "fund.py"
        path.parent.mkdir()
        path.write_text(game.replace(old, new), "utf-8")
        with pytest.raises(BrokenGame) as refused:
            load_pack(str(path))
        assert str(refused.value) == line


def test_the_page_writes_a_game_of_no_more_than_fifty_lines(tmp_path: Path) -> None:
    game = next(text for _, name, text in BLOCKS if name == "fund.py")
    assert len(game.splitlines()) <= 50
    (tmp_path / "fund.py").write_text(game, "utf-8")
    assert Registry((str(tmp_path / "fund.py"),)).get("fund").title == "A fund with fines"


SCHOOLING = Path(__file__).parents[2] / "docs" / "examples" / "schooling.py"


def test_a_game_of_three_stages_with_a_private_value_written_after_the_page_alone_keeps_every_law() -> None:
    of = subject(str(SCHOOLING))
    assert len(SCHOOLING.read_text("utf-8").splitlines()) <= 60
    assert [one.name for one in of.pack.game.made.stages] == ["learn", "wage", "answer"]  # type: ignore[attr-defined]
    failed = [str(one) for one in verdicts([of.case(name) for name in of.presets]) if not one.holds]
    assert not failed, "\n".join(failed)


@pytest.mark.parametrize(("knows", "place"), [("worker", 0), ("employer", 1)])
def test_what_is_drawn_for_a_group_is_seen_and_heard_by_the_role_alone_that_it_is_for(
    tmp_path: Path, knows: str, place: int
) -> None:
    text = SCHOOLING.read_text("utf-8").replace('seen="worker"', f'seen="{knows}"')
    (tmp_path / "schooling.py").write_text(text, "utf-8")
    pack = load_pack(str(tmp_path / "schooling.py"))
    seated = {seat: Policy("random", {}) for seat in (0, 1)}
    case = Case(pack, "default", pack.game.config_type(), seated)
    first, *_, last = case.played().steps
    for step in (first, last):
        skills = [case.game.view(case.config, step.state, SeatEyes(seat))["skill"] for seat in case.seats]
        assert [one is not None for one in skills] == [seat == place for seat in case.seats]
        assert case.game.view(case.config, step.state, Public())["skill"] is None
    assert [event.to for event in first.events if event.kind == "skill_drawn"] == [(place,)]
