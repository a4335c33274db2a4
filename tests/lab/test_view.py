"""The viewer on a run folder: its frames equal the run's, and it answers this machine only."""

from __future__ import annotations

import http.client
import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest

from games.core.game import All
from games.lab import viewing
from games.lab.finding import Shelf
from games.lab.reading import RunFolder
from games.lab.viewing import Frames, server


@pytest.fixture
def port(folder: Path, shelf: Shelf) -> Iterator[int]:
    served = server(RunFolder(folder, shelf), 0)
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


def test_frames_hold_the_record_and_the_world_as_it_stood(folder: Path, shelf: Shelf) -> None:
    opened = RunFolder(folder, shelf)
    entry = opened.find("half-baskets", 2)
    frames, game = Frames(opened, entry), opened.pack.game
    steps = list(opened.steps(entry))
    for number in (0, 7, 3, 20, 20, 1):
        record, step = steps[number]
        frame = frames.frame(number)
        assert frame == {**record, "view": game.view(opened.config(entry.condition), step.state, All())}


def test_frames_are_found_again_when_they_are_no_longer_kept(
    folder: Path, shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(viewing, "KEPT", 4)
    opened = RunFolder(folder, shelf)
    frames = Frames(opened, opened.find("half-baskets", 1))
    seen = [frames.frame(number)["view"] for number in range(21)]
    assert [frames.frame(number)["view"] for number in reversed(range(21))] == seen[::-1]


def test_a_run_that_no_longer_resolves_is_shown_from_its_record_with_the_reason(folder: Path, shelf: Shelf) -> None:
    path = folder / "run_manifest.json"
    path.write_text(path.read_text().replace('"rules_version": 1', '"rules_version": 0'))
    opened = RunFolder(folder, shelf)
    frame = Frames(opened, opened.entries[0]).frame(2)
    assert (frame["view"], frame["step"]) == (None, 2)
    assert "rules_version 0" in frame["unresolved"]


def test_the_page_and_its_data_are_served(port: int) -> None:
    for path in ("/", "/page.js", "/page.css"):
        assert ask(port, path)[0] == 200
    index = json.loads(ask(port, "/index.json")[1])
    assert [one["name"] for one in index["conditions"]] == ["one", "all", "half-baskets"]
    assert index["words"]["events"]["frost_fell"]["text"] == "Frost: nothing grows."
    status, body = ask(port, "/frame.json", condition="all", replicate=2, step=1)
    assert (status, json.loads(body)["step"]) == (200, 1)
    series = json.loads(ask(port, "/series.json", condition="all", replicate=2)[1])
    assert series["apples"][-1] == 0


@pytest.mark.parametrize(
    ("path", "query", "told"),
    [
        ("/frame.json", {"condition": "all", "replicate": 2, "step": 99}, "step 99; from 0 to 4"),
        ("/frame.json", {"condition": "all", "replicate": "x", "step": 0}, "replicate: 'x'; a whole number is needed"),
        ("/frame.json", {"condition": "../etc", "replicate": 1, "step": 0}, "no run of condition '../etc'"),
        ("/../run_manifest.json", {}, "There is nothing here."),
        ("/rounds.jsonl", {}, "There is nothing here."),
    ],
)
def test_what_is_not_there_is_refused(path: str, query: dict[str, Any], told: str, port: int) -> None:
    status, body = ask(port, path, **query)
    assert status == 404
    assert told in body.decode()


def test_nothing_is_changed_by_a_request_and_strange_hosts_get_no_answer(port: int) -> None:
    assert ask(port, "/", method="POST")[0] == 501
    assert ask(port, "/index.json", host="evil.example")[0] == 403
    assert ask(port, "/index.json", host=f"localhost:{port}")[0] == 200
