"""The commands: what they print, how they end, and that bad input is one line and leaves nothing."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.lab.conftest import Said

ROOT = Path(__file__).parents[2]
Polity = Callable[..., Said]
Write = Callable[[str, str], Path]


# --- what they give -----------------------------------------------------------------------------------


def test_games_lists_presets_and_policies_with_rule_and_source(polity: Polity) -> None:
    told = polity("games", "orchard")
    assert told.status == 0
    assert "orchard/tragedy" in told.out
    assert "Asks for an equal share of what will grow back." in told.out
    found = json.loads(polity("games", "--json").out)["games"]
    by_slug = {one["game"]: one for one in found}
    assert {"mining", "orchard"} <= set(by_slug)
    assert [one["name"] for one in by_slug["orchard"]["presets"]] == ["orchard/baseline", "orchard/tragedy"]
    assert [one["name"] for one in by_slug["orchard"]["policies"] if one["default"]] == ["sustain"]


def test_run_without_out_prints_the_metrics_and_writes_nothing(polity: Polity, tmp_path: Path) -> None:
    told = polity("run", "orchard/tragedy")
    assert told.status == 0
    assert told.out.splitlines()[0].startswith("orchard, tragedy: 3 conditions x 3 seeds")
    assert told.out.splitlines()[1].split() == ["metric", "one", "all", "half-baskets"]
    assert list(tmp_path.iterdir()) == []


def test_run_writes_a_folder_that_verifies_and_aggregates_to_the_same_bytes(polity: Polity, tmp_path: Path) -> None:
    assert polity("run", "orchard/baseline", "--seeds", "1..3", "--out", "out").status == 0
    told = polity("verify", "out")
    assert (told.status, told.out.splitlines()[2]) == (0, "condition base, replicate 3: identical 20/20")
    before = {path: path.read_bytes() for path in Path("out").iterdir()}
    assert polity("aggregate", "out").status == 0
    assert polity("aggregate", "out").status == 0
    assert {path: path.read_bytes() for path in Path("out").iterdir()} == before


def test_run_as_json_gives_every_run_with_its_metrics(polity: Polity) -> None:
    told = json.loads(polity("run", "orchard/baseline", "--replicates", "2", "--set", "frost=0", "--json").out)
    assert told["seeds"] == [1, 2]
    assert told["conditions"][0]["config"]["frost"] == 0
    assert [one["metrics"]["rounds_lasted"] for one in told["runs"]] == [20, 20]
    assert told["metrics"]["base"]["rounds_lasted"] == {"mean": 20.0, "sd": 0.0, "low": 20.0, "high": 20.0, "n": 2}


def test_agents_of_a_file_take_the_seats_they_name(polity: Polity, write: Write) -> None:
    write("who.yaml", "{0: {policy: greedy}, default: {policy: random}}")
    told = json.loads(polity("run", "orchard/baseline", "--agents", "who.yaml", "--dry-run", "--json").out)
    assert [one["policy"] for one in told["conditions"][0]["agents"]] == ["greedy", "random", "random", "random"]
    write("one.yaml", "{policy: greedy, params: {share: 0.5}}")
    told = json.loads(polity("run", "orchard/tragedy", "--agents", "one.yaml", "--dry-run", "--json").out)
    assert {(one["policy"], one["params"]["share"]) for c in told["conditions"] for one in c["agents"]} == {
        ("greedy", 0.5)
    }


def test_a_dry_run_checks_everything_and_writes_nothing(polity: Polity, tmp_path: Path) -> None:
    told = polity("run", "orchard/tragedy", "--dry-run", "--out", "out")
    assert told.out == "orchard, tragedy: 3 conditions x 3 seeds: would be played; nothing is wrong with it\n"
    assert list(tmp_path.iterdir()) == []


def test_verify_ends_with_1_and_the_first_round_that_differs(polity: Polity) -> None:
    polity("run", "orchard/baseline", "--out", "out")
    path = Path("out/rounds.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"got":2', b'"got":3', 1))
    told = polity("verify", "out")
    assert told.status == 1
    assert "differs: events" in told.out
    assert json.loads(polity("verify", "out", "--json").out)["identical"] is False


def test_verify_tells_many_runs_as_a_sum_and_names_those_that_differ(
    polity: Polity, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("simsite.commands.verify.EACH", 2)
    polity("run", "orchard/baseline", "--seeds", "1..3", "--plain", "--out", "out")
    assert polity("verify", "out").out.splitlines() == ["3 runs: all identical"]
    path = Path("out/rounds.jsonl")
    path.write_bytes(path.read_bytes().replace(b'"got":2', b'"got":3', 1))
    lines = polity("verify", "out").out.splitlines()
    assert lines[0].startswith("condition base, replicate 1: ")
    assert lines[1] == "3 runs: 1 differ"


def test_validate_names_whoever_sits_in_each_seat(polity: Polity, write: Write) -> None:
    write("e.yaml", "game: orchard\nseats: {0: {person: true}, 1: {model: mock/greedy, label: Greta}}")
    told = polity("validate", "e.yaml")
    assert told.status == 0
    assert told.out.splitlines()[1] == "  base: 1 model Greta, 1 person (sustain stands in), 2 sustain"


def test_validate_gives_a_summary_or_every_error(polity: Polity, write: Write) -> None:
    told = polity("validate", "orchard/tragedy")
    assert (told.status, told.out.splitlines()[1]) == (0, "  one: 1 greedy, 3 sustain")
    write("e.yaml", "{game: orchard, config: {growth: -1, grth: 2}, seats: {0: {policy: greedy}}, colour: red}")
    assert polity("validate", "e.yaml").lines == [
        "e.yaml: colour: unknown; there are " + FORM_KEYS,
        "e.yaml: config.growth: -1; at least 0",
        "e.yaml: config.grth: unknown; did you mean growth?",
    ]
    write("e.yaml", "{game: orchard, conditions: {a: {config: {growth: -1, grth: 2}}, b: {seats: {0: {policy: x}}}}}")
    told = polity("validate", "e.yaml")
    assert told.status == 2
    assert told.lines == [
        "e.yaml: conditions.a.config.growth: -1; at least 0",
        "e.yaml: conditions.a.config.grth: unknown; did you mean growth?",
        "e.yaml: conditions.b.seats.0.policy: 'x'; there are greedy, random, sustain",
    ]
    errors = json.loads(polity("validate", "e.yaml", "--json").out)["errors"]
    assert errors[0] == {"source": "e.yaml", "path": "conditions.a.config.growth", "message": "-1; at least 0"}


FORM_KEYS = (
    "about, base, cells, conditions, config, control, delivered, factors, families, game, hypotheses, inert, look, "
    "mechanisms, pairing, people, profile, references, replicates, report, round_robin, seats, seeds, sensitivity, "
    "stopping, title, written"
)


# --- bad input ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (["run", "orchard/basline"], "scenario 'orchard/basline': orchard has no preset of that name; did you mean"),
        (["run", "orchrd/baseline"], "game 'orchrd': there is none of that name; did you mean orchard?"),
        (["run", "mining"], "scenario 'mining': mining has no preset of that name; name one: mining/adjudication"),
        (["run", "nowhere.yaml"], "nowhere.yaml: there is no such file"),
        (["run", "orchard/baseline", "--set", "grwth=3"], "--set: grwth: unknown; did you mean growth?"),
        (["run", "orchard/baseline", "--set", "growth"], "--set: 'growth'; write key=value"),
        (["run", "orchard/baseline", "--set", "growth=many"], "--set: growth: 'many'; a whole number is needed"),
        (["run", "orchard/baseline", "--set", "growth=a: b: c"], "--set growth: line 1: mapping values"),
        (["run", "orchard/baseline", "--set", "pickers=0"], "--set: pickers: 0; at least 1"),
        (["run", "mining/baseline", "--set", "rows=0"], "--set: rows: 0; at least 1"),
        (["run", "orchard/baseline", "--seeds", "5..1"], "--seeds: '5..1'; the last seed comes before the first"),
        (["run", "orchard/baseline", "--seed", "-1"], "--seed: -1; seeds are whole numbers"),
        (["run", "orchard/baseline", "--seed", "1", "--seeds", "1..3"], "--seed and --seeds: all say which"),
        (["run", "orchard/baseline", "--replicates", "0"], "--replicates: 0; from 1 to 100000"),
        (["run", "orchard/baseline", "--jobs", "0"], "--jobs: 0; from 1 to 256"),
        (["run", "orchard/baseline", "--jobs", "two"], "polity run: Invalid value for '--jobs': "),
        (["run", "orchard/baseline", "--agents", "no.yaml"], "no.yaml: cannot be read: No such file or directory"),
        (["run", "orchard/baseline", "--sed", "1"], "polity run: No such option: --sed"),
        (["run"], "polity run: Missing argument 'scenario'"),
        (["walk"], "polity walk: No such command 'walk'"),
        (["games", "chess"], "game 'chess': there is none of that name; there are"),
        (["verify", "."], ".: no run folder: it holds no run_manifest.json"),
        (["aggregate", "nowhere"], "nowhere: no run folder: it holds no run_manifest.json"),
        (["view", "nowhere"], "nowhere: no run folder: it holds no run_manifest.json"),
        (["bench", "chess"], "game 'chess': there is none of that name; there are"),
        (["bench", "orchard", "--seconds", "0"], "--seconds: 0.0; from 0.01 to 60"),
        (["new-game", "Fish-Pond"], "'Fish-Pond': a game's name is lower-case letters, digits and single underscores"),
        (["new-game", "import"], "'import': a game's name"),
        (["validate", "e.yaml"], "e.yaml: there is no such file"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_status_2_and_writes_nothing(
    args: list[str], told: str, polity: Polity, tmp_path: Path
) -> None:
    said = polity(*args, *(["--out", "out"] if args[0] == "run" and len(args) > 1 else []))
    assert said.status == 2
    assert len(said.lines) == 1, said.err
    assert said.lines[0].startswith(told)
    assert said.out == ""
    assert list(tmp_path.iterdir()) == []


def test_a_malformed_file_is_one_line_and_nothing_is_written(polity: Polity, write: Write, tmp_path: Path) -> None:
    for text in ("game: orchard\nconfig: {pickers: [", "game: orchard\nconditions: {a: 3}", "- 1", "", "a: !!set {b}"):
        write("e.yaml", text)
        said = polity("run", "e.yaml", "--out", "out")
        assert (said.status, len(said.lines)) == (2, 1), (text, said.err)
        assert said.lines[0].startswith("e.yaml: ")
    assert [path.name for path in tmp_path.iterdir()] == ["e.yaml"]


def test_out_that_is_taken_is_refused_before_anything_is_played(polity: Polity, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "mine.txt").write_text("mine")
    said = polity("run", "orchard/tragedy", "--out", "out")
    assert (said.status, said.out) == (2, "")
    assert said.lines == [
        "out: already exists; a run never writes into it. Name another --out, or replace it with --force"
    ]
    assert polity("run", "orchard/tragedy", "--out", "out/mine.txt/deeper").status == 2
    assert [path.name for path in tmp_path.rglob("*")] == ["out", "mine.txt"]


# --- processes ----------------------------------------------------------------------------------------


def test_the_help_is_whole_and_loads_nothing_that_takes_long() -> None:
    program = (
        "import sys\n"
        "from simsite.cli import main\n"
        "try:\n    main(['--help'])\nexcept SystemExit:\n    pass\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)\n"
    )
    told = subprocess.run(
        [sys.executable, "-c", program], env=os.environ | {"COLUMNS": "80"}, capture_output=True, text=True
    )
    assert set(told.stderr.split()) & {"django", "games", "agents_app", "numpy", "pydantic", "rich"} == set()
    assert "workers, beat, web." in told.stdout, "no command's sentence is cut"


@pytest.mark.parametrize("args", [["study", "open", "study.yaml"], ["people", "abc"], ["purge"], ["account", "zoe"]])
def test_commands_of_the_site_say_in_one_line_that_none_has_been_started(args: list[str], tmp_path: Path) -> None:
    (tmp_path / "study.yaml").write_text("{study: one, steps: {consent: {text: Do you agree?, agree: true}}}")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("POLITY_", "DJANGO_"))}
    environment = {**kept, "PYTHONPATH": str(ROOT), "POLITY_HOME": str(tmp_path / "home")}
    told = subprocess.run(
        [sys.executable, "-m", "simsite", *args], env=environment, cwd=tmp_path, capture_output=True, text=True
    )
    assert (told.returncode, len(told.stderr.splitlines())) == (2, 1), told.stderr
    assert "start the site once" in told.stderr


def _process(*args: str, **more: Any) -> subprocess.Popen[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "POLITY_GAMES": "tests.toygames"}
    call = [sys.executable, "-c", "from simsite.cli import main; main()", *args]
    # A shell's background jobs ignore Ctrl-C, and so would what they start: a terminal's processes do not.
    hears = partial(signal.signal, signal.SIGINT, signal.SIG_DFL)
    return subprocess.Popen(
        call, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, preexec_fn=hears, **more
    )


@contextmanager
def _ended(playing: subprocess.Popen[str]) -> Iterator[None]:
    """Whatever happens within, nothing of the process group is left."""
    try:
        yield
    finally:
        with suppress(ProcessLookupError):
            os.killpg(playing.pid, signal.SIGKILL)


@pytest.mark.parametrize(
    "args", [["games"], ["run", "orchard/baseline", "--out", "out"], ["validate", "orchard/tragedy"]]
)
def test_commands_without_the_site_work_where_django_cannot_be_imported(args: list[str], tmp_path: Path) -> None:
    block = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('django', 'channels', 'celery', 'ninja', 'litellm'):\n"
        "            raise ImportError(f'{name} is out of bounds here')\n"
        "sys.meta_path.insert(0, Block())\n"
        "from simsite.cli import main\n"
        "main()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "POLITY_GAMES": "tests.toygames"}
    told = subprocess.run(
        [sys.executable, "-c", block, *args],
        env=environment,
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr


def test_ctrl_c_ends_a_run_with_all_its_processes_and_leaves_nothing(tmp_path: Path) -> None:
    args = ("run", "mining/baseline", "--seeds", "1..2000", "--jobs", "2", "--out", "out")
    playing = _process(*args, cwd=tmp_path, start_new_session=True)
    with _ended(playing):
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".out.partial-*/parts/*")) and time.monotonic() < deadline:
            assert playing.poll() is None, playing.communicate()
            time.sleep(0.05)
        os.killpg(playing.pid, signal.SIGINT)
        _, err = playing.communicate(timeout=30)
        assert playing.returncode == 130
        assert err.splitlines() == ["broken off; nothing was kept"]
        assert list(tmp_path.iterdir()) == []
        assert _group_ends(playing.pid)


def _group_ends(group: int) -> bool:
    """Whether no process of a group is left, within a while: the last ones end when they see the parent gone."""
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.05)
    return False


def test_ctrl_c_while_the_processes_start_is_one_line_too(tmp_path: Path) -> None:
    args = ("run", "mining/baseline", "--seeds", "1..2000", "--jobs", "2", "--out", "out")
    playing = _process(*args, cwd=tmp_path, start_new_session=True)
    with _ended(playing):
        deadline = time.monotonic() + 60
        while not list(tmp_path.glob(".out.partial-*")) and time.monotonic() < deadline:
            time.sleep(0.01)
        os.killpg(playing.pid, signal.SIGINT)
        _, err = playing.communicate(timeout=30)
        assert (playing.returncode, err.splitlines()) == (130, ["broken off; nothing was kept"])
        assert list(tmp_path.iterdir()) == []
        assert _group_ends(playing.pid)
