"""`import polity`: the names that others may rest on, and what they do where there is no Django."""

from __future__ import annotations

import inspect
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import polity
from games.core.agents import Request

SURFACE = Path(__file__).with_name("public.txt")
BARRED = """
import sys
class Barred:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in {"django", "channels", "celery", "redis", "ninja", "daphne", "asgiref", "litellm"}:
            raise ImportError(f"{name} is barred here")
sys.meta_path.insert(0, Barred())
"""


def surface() -> str:
    """Each public name with its signature, and the public methods of classes that are ours to call."""
    lines = []
    for name in sorted(polity.__all__):
        value: Any = getattr(polity, name)
        if inspect.isfunction(value):
            lines.append(f"{name}{inspect.signature(value)}")
        elif inspect.isclass(value):
            lines.append(f"class {name}")
            methods = inspect.getmembers(value, inspect.isfunction) if name in ("Client", "Runs") else []
            lines += [f"    {method}{inspect.signature(f)}" for method, f in methods if not method.startswith("_")]
        else:
            lines.append(name)
    return "\n".join(lines) + "\n"


def test_the_public_names_and_their_signatures_are_those_of_the_file() -> None:
    assert surface() == SURFACE.read_text("utf-8"), f"a change of the public surface: write it into {SURFACE.name} too"


def test_a_name_that_is_not_there_is_told_with_those_that_are() -> None:
    with pytest.raises(AttributeError, match=r"polity has no 'plya'; it has Agent, .*play"):
        _ = polity.plya


def test_importing_polity_loads_the_standard_library_alone() -> None:
    program = "import sys; import polity; print(*{name.partition('.')[0] for name in sys.modules})"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert set(done.stdout.split()) & {"games", "agents_app", "simsite", "django", "numpy", "pydantic"} == set()


def test_every_game_is_played_verified_and_drawn_where_django_cannot_be_imported(tmp_path: Path) -> None:
    program = BARRED + (
        "import polity\n"
        "from games.core.registry import packs\n"
        "for slug, pack in packs().items():\n"
        "    name = next(name for name in ('demo', 'baseline', 'default') if name in pack.scenarios)\n"
        f"    runs = polity.play(f'{{slug}}/{{name}}', 7, out={str(tmp_path)!r} + '/' + slug)\n"
        "    assert runs.verify() and runs.figures(), slug\n"
        "    print(slug)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert "mining" in done.stdout.split()


# --- runs in a program ------------------------------------------------------------------------------


def test_a_function_sits_in_a_seat_and_its_moves_are_those_of_the_run() -> None:
    asked: list[int] = []

    def defector(request: Request[Any, Any]) -> dict[str, str]:
        asked.append(request.index)
        return {"move": "D"}

    runs = polity.play("dilemma/demo", 3, config={"rounds": 6}, seats={0: defector, 1: "ALLC"})
    decisions = [row for row in runs.rows("decisions") if row["seat"] == 0]
    assert asked == [1, 2, 3, 4, 5, 6]
    assert [row["action"] for row in decisions] == [{"move": "D"}] * 6
    assert runs.folder.conditions["base"]["agents"][0]["label"] == "defector"
    assert [verdict.identical for verdict in runs.verify()] == [6]


def test_rounds_are_a_frame_with_a_row_for_each_step_and_a_column_for_each_measure() -> None:
    runs = polity.play("mining/baseline", [1, 2], config={"rounds": 5})
    frame = runs.frame("rounds")
    assert list(frame.groupby("seed").size()) == [6, 6]
    assert {"payoff.0", "metric.gini", "stage", "hash"} <= set(frame.columns)
    assert list(runs.frame("runs")["seed"]) == [1, 2]


def test_what_was_written_opens_again_and_says_so_where_it_was_changed(tmp_path: Path) -> None:
    polity.play("dilemma/demo", 1, config={"rounds": 4}, out=tmp_path / "runs")
    assert [step.index for step in polity.replay(tmp_path / "runs")] == [0, 1, 2, 3, 4]
    log = tmp_path / "runs" / "rounds.jsonl"
    log.write_text(log.read_text().replace('"D"', '"C"', 1))
    with pytest.raises(polity.Refused, match=r"step [12] differs"):
        polity.verify(tmp_path / "runs")


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"scenario": "mining/basline"}, "basline"),
        ({"scenario": "dilemma/demo", "seeds": [1, 1]}, r"seeds: \[1, 1\]; one or more different"),
        ({"scenario": "dilemma/demo", "seeds": 1, "config": {"round": 3}}, "round"),
        ({"scenario": "dilemma/demo", "seeds": 1, "seats": {5: lambda request: None}}, "seats: 5; .* seats 0 to 1"),
        ({"scenario": "dilemma/demo", "seeds": 1, "seats": {0: "TTF"}}, "TTF"),
        ({"scenario": "dilemma/demo", "seeds": 1, "seats": {0: lambda request: "X"}}, "seat 0: <lambda> answered"),
    ],
    ids=lambda given: str(given)[:40],
)
def test_what_cannot_be_played_is_refused_in_one_line(given: dict[str, Any], line: str) -> None:
    with pytest.raises(polity.Refused, match=line):
        polity.play(**given)
