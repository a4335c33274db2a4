"""The server on a run folder: it answers as the site's API does, with the run's own frames, on this machine only."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from pydantic import TypeAdapter

from games.core import codec
from games.core.game import All, SeatEyes
from games.core.registry import Registry
from games.errors.faults import Refused
from games.lab.analysis.result import analyse
from games.lab.folders import viewing
from games.lab.folders.bundle import Bundle
from games.lab.folders.experiment import plan_of, runs_of
from games.lab.folders.reading import RunFolder
from games.lab.folders.reel import FolderFrames, run_summary
from games.lab.folders.results import spread
from games.lab.folders.viewing import Answers, server
from games.lab.wire.frames import frame
from games.lab.wire.run import RunSummary


@pytest.fixture
def bundle(tmp_path: Path) -> Bundle:
    """A bundle of one script, in the form that Vite leaves."""
    built = tmp_path / "dist"
    for name, text in {
        ".vite/manifest.json": json.dumps({"src/main.ts": {"file": "assets/main-1.js", "css": ["assets/main-1.css"]}}),
        "assets/main-1.js": "1",
        "assets/main-1.css": "p{}",
        "alone/page.js": "const a = '</script>'",
        "alone/page.css": "p{}",
    }.items():
        (built / name).parent.mkdir(parents=True, exist_ok=True)
        (built / name).write_text(text)
    return Bundle(built)


@pytest.fixture
def port(folder: Path, registry: Registry, bundle: Bundle) -> Iterator[int]:
    served = server(RunFolder(folder, registry), bundle, 0)
    thread = threading.Thread(target=served.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield served.server_address[1]
    served.shutdown()
    thread.join()
    served.server_close()


def ask(port: int, path: str, method: str = "GET", host: str | None = None, **query: Any) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    connection.request(method, f"{path}?{urlencode(query)}", headers={"Host": host or f"127.0.0.1:{port}"})
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer.status, body


def told(port: int, path: str, **query: Any) -> Any:
    status, body = ask(port, f"/api/v1/{path}", **query)
    assert status == 200, body
    return json.loads(body)


def test_frames_are_what_each_pair_of_eyes_would_get_of_the_run(folder: Path, registry: Registry) -> None:
    opened = RunFolder(folder, registry)
    entry = opened.find("half-baskets", 2)
    config = opened.config(entry.condition)
    steps = list(opened.steps(entry))
    for eyes in (All(), SeatEyes(1)):
        reel = FolderFrames(opened, entry, eyes)
        for number in (7, 0, 20, 20, 1):
            record, step = steps[number]
            seen = frame(opened.pack.game, config, step, eyes, record["hash"], record["metrics"])
            assert json.loads(reel.one(number)) == json.loads(json.dumps(seen))


def test_a_run_that_no_longer_resolves_is_told_from_its_records_with_the_reason(
    folder: Path, registry: Registry, bundle: Bundle
) -> None:
    path = folder / "run_manifest.json"
    path.write_text(path.read_text().replace('"rules_version": 1', '"rules_version": 0'))
    answers = Answers(RunFolder(folder, registry), bundle)
    shown = json.loads(answers.answer("/api/v1/runs/one-1/snapshot", {"n": "2"}).body)
    assert (shown["frame"]["n"], shown["frame"]["view"]) == (2, {})
    assert "rules_version 0" in shown["run"]["error"]
    assert answers.answer("/api/v1/runs/one-1/snapshot", {"as": "0"}).status == 404
    assert answers.answer("/", {}).status == 200


def test_a_broken_record_leaves_what_came_before_it_drawn(folder: Path, registry: Registry) -> None:
    rounds = folder / "rounds.jsonl"
    lines = rounds.read_text().splitlines(keepends=True)
    lines[3] = lines[3].replace('"actions":[[0,', '"actions":[[7,')
    rounds.write_text("".join(lines))
    opened = RunFolder(folder, registry)
    reel = FolderFrames(opened, opened.entries[0], All())
    assert json.loads(reel.one(2))["view"]
    assert json.loads(reel.one(3))["view"] == {}
    assert reel.trouble is not None
    assert "step 3" in reel.trouble


def test_a_folder_says_of_a_run_what_the_site_says(folder: Path, registry: Registry) -> None:
    """The same names with the same kinds of values; `test_every_game` holds the site to them."""
    opened = RunFolder(folder, registry)
    for eyes in (All(), SeatEyes(1)):
        told = codec.plain(run_summary(FolderFrames(opened, opened.entries[0], eyes)))
        assert codec.plain(TypeAdapter(RunSummary).validate_python(told)) == told


def test_reels_that_were_looked_at_before_make_room(
    folder: Path, registry: Registry, bundle: Bundle, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers = Answers(RunFolder(folder, registry), bundle)
    first = answers.answer("/api/v1/runs/all-1/snapshot", {}).body
    monkeypatch.setattr(viewing, "KEPT_BYTES", 0)
    answers.answer("/api/v1/runs/all-2/snapshot", {})
    assert list(answers._reels) == [("all-2", None)]
    assert answers.answer("/api/v1/runs/all-1/snapshot", {}).body == first


def test_the_page_its_bundle_and_its_folder_are_served(port: int) -> None:
    status, body = ask(port, "/")
    assert status == 200
    assert b'src="/static/assets/main-1.js"' in body
    assert ask(port, "/static/assets/main-1.css") == (200, b"p{}")
    index = told(port, "folder")
    assert [one["name"] for one in index["conditions"]] == ["one", "all", "half-baskets"]
    assert index["conditions"][1]["replicates"] == [1, 2, 3]
    assert index["words"]["en"]["events"]["frost_fell"]["text"] == "Frost: nothing grows."
    assert index["robin"] is None


def test_runs_are_served_by_condition_and_replicate_as_the_site_serves_its_own(port: int) -> None:
    shown = told(port, "runs/all-2/snapshot")
    assert (shown["run"]["condition"], shown["run"]["replicate"], shown["run"]["status"]) == ("all", 2, "finished")
    assert shown["frame"]["n"] == shown["run"]["head"] == 4
    page = told(port, "runs/all-2/frames", after=0, limit=2)
    assert [one["n"] for one in page["frames"]] == [1, 2]
    assert len(told(port, "runs/all-2/frames", after=-1)["frames"]) == 5
    assert told(port, "runs/all-2/snapshot", **{"as": 1})["frame"]["metrics"] is None


def test_the_measures_of_a_condition_are_means_with_students_interval(port: int) -> None:
    index = told(port, "folder")
    runs = [told(port, f"runs/half-baskets-{n}/measures") for n in (1, 2, 3)]
    for metric, one in index["conditions"][2]["metrics"].items():
        values = [run[metric] for run in runs if run[metric] is not None]
        assert one["n"] == len(values)
        assert one["mean"] == pytest.approx(sum(values) / len(values), abs=1e-12)


def test_an_interval_worked_out_by_hand() -> None:
    found = spread([1.0, 2.0, 3.0])
    assert (found.mean, found.n) == (2.0, 3)
    assert found.half == pytest.approx(4.302652729911275 / 3**0.5)  # t(0.975, 2) x 1 / sqrt(3)
    assert spread([1.0]).half is None
    assert spread([]).plain() == {"mean": None, "half": None, "n": 0}


@pytest.mark.parametrize(
    ("path", "query", "why"),
    [
        ("/api/v1/runs/all-2/snapshot", {"n": 99}, "n: 99; from 0 to 4"),
        ("/api/v1/runs/all-2/snapshot", {"n": "x"}, "n: 'x'; a whole number is needed"),
        ("/api/v1/runs/all-2/frames", {"after": -2}, "after: '-2'; a whole number is needed"),
        ("/api/v1/runs/all-2/snapshot", {"as": 7}, "as: 7; this run has seats 0 to"),
        ("/api/v1/runs/..%2Fetc/snapshot", {}, "run '../etc': there is none of that name in this folder"),
        ("/../run_manifest.json", {}, "There is nothing here."),
        ("/rounds.jsonl", {}, "There is nothing here."),
        ("/files/rounds.jsonl", {}, "There is nothing here."),
        ("/files/..%2Fsecret.csv", {}, "There is nothing here."),
        ("/static/.vite/manifest.json", {}, "There is nothing here."),
        ("/static/assets/../.vite/manifest.json", {}, "There is nothing here."),
    ],
)
def test_what_is_not_there_is_refused_in_the_apis_shape(path: str, query: dict[str, Any], why: str, port: int) -> None:
    status, body = ask(port, path, **query)
    assert status == 404
    assert why in json.loads(body)["error"]["message"]


def test_nothing_is_changed_by_a_request_and_strange_hosts_get_no_answer(port: int) -> None:
    assert ask(port, "/", method="POST")[0] == 501
    assert ask(port, "/api/v1/folder", host="evil.example")[0] == 403
    assert ask(port, "/api/v1/folder", host=f"localhost:{port}")[0] == 200


def test_a_bundle_that_was_not_built_is_told_with_the_remedy(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="not built; `npm run build` in frontend makes it"):
        Bundle(tmp_path).styles  # noqa: B018 - reading it is the test


def test_a_folder_that_is_none_ends_the_command_with_one_line(polity: Callable[..., Any], tmp_path: Path) -> None:
    said = polity("view", str(tmp_path))
    assert (said.status, said.lines) == (2, [f"{tmp_path}: no run folder: it holds no run_manifest.json"])


def test_a_folder_says_of_which_runs_too_much_was_not_the_models_own(
    polity: Callable[..., Any], write: Callable[[str, str], Path], tmp_path: Path
) -> None:
    faults = "{faults: {prose: 1.0}}"
    file = write("silent.yaml", f"""
        game: dilemma
        config: {{rounds: 6}}
        seats:
          A: {{model: mock/TFT, profile: {{mock: {faults}, fallback_limit: 1.0}}}}
          B: {{policy: TFT}}
        """)  # fmt: skip
    said = polity("run", str(file), "--out", "out", "--seeds", "1")
    assert said.status == 0, said
    opened = RunFolder(tmp_path / "out")
    not_own = run_summary(FolderFrames(opened, opened.entries[0], All()))["not_own"]
    assert not_own is not None
    assert (not_own["share"], not_own["seats"], not_own["by"]["fallback"], not_own["unsound"]) == (0.5, [1, 0], 6, True)
    result = analyse(plan_of(opened), runs_of(opened, plan_of(opened)))
    assert [(one.reason, len(one.runs)) for one in result.left_out] == [("not_own", 1)]
