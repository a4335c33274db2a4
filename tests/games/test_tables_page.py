"""The editor of a table of pays: what it is told at once, and that a stranger's file cannot hurt."""

from __future__ import annotations

import json
import resource
from typing import Any

import pytest
from django.test import Client

from games.declare.gambit import BYTES_MAX
from tests.declare.test_gambit import BAD

pytestmark = pytest.mark.django_db
GOOD = 'NFG 1 R "x" { "A" "B" } { { "a" "b" } { "c" "d" } }\n""\n1 1 0 0 0 0 2 2'


def posted(client: Client, **body: Any) -> Any:
    return client.post("/api/v1/tables", json.dumps(body), content_type="application/json")


def test_a_stranger_is_told_what_a_table_is_with_a_match_and_its_file(client: Client) -> None:
    told = posted(client, text=GOOD, bots=["beliefs", "reply"], rounds=10).json()
    assert [one["pays"] for one in told["equilibria"]] == [["1", "1"], ["2", "2"], ["2/3", "2/3"]]
    assert len(told["match"]["moves"]) == 10
    assert posted(client, text=told["nfg"]).json()["cells"] == told["cells"]


def test_the_page_opens_for_everybody_in_both_languages(client: Client) -> None:
    assert "Table of pays" in client.get("/tables").content.decode()
    assert "支付表" in client.get("/tables", headers={"accept-language": "zh"}).content.decode()


@pytest.mark.parametrize(("text", "line"), [one for one in BAD if isinstance(one[0], str)])
def test_a_hostile_upload_is_refused_with_its_line_and_what_would_do(client: Client, text: str, line: str) -> None:
    refused = posted(client, text=text)
    error = refused.json()["error"]
    if len(text) > BYTES_MAX:
        assert (refused.status_code, error["code"]) == (413, "too_big")
        return
    assert (refused.status_code, error["code"], error["field"]) == (422, "bad_table", "text")
    assert line in error["message"]


def test_the_dearest_file_and_match_that_are_taken_cost_little(client: Client) -> None:
    numbers = " ".join(f"{n}/{10**8 + n}" for n in range(1296 * 4))
    sets = " ".join("{ " + " ".join(f'"m{n}"' for n in range(6)) + " }" for _ in range(4))
    text = f'NFG 1 R "x" {{ "a" "b" "c" "d" }} {{ {sets} }}\n""\n{numbers}'
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    told = posted(client, text=text, bots=["beliefs"] * 4, rounds=19)
    assert told.status_code == 200
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 50_000
    assert posted(client, text=text, bots=["beliefs"] * 4, rounds=20).status_code == 422
