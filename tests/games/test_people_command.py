"""`polity people`, on runs of the site."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from games.site.models import Run
from simsite.cli import main

pytestmark = pytest.mark.django_db(transaction=True)
MakeRun = Callable[..., Run]


def polity(capsys: Any, *args: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main(args)
    told = capsys.readouterr()
    return int(ended.value.code or 0), told.out, told.err


def test_the_operator_reads_the_addresses_and_begins_the_match_at_the_shell(make_run: MakeRun, capsys: Any) -> None:
    run = make_run(people=(0, 1))
    status, out, _ = polity(capsys, "people", run.pk)
    assert status == 0
    assert f"/join/{run.code}" in out
    assert out.count("/join/") == 3, "the run's code, and a link for each of two seats"
    status, out, _ = polity(capsys, "people", run.pk, "start", "--json")
    assert (status, json.loads(out)["begun"]) == (0, True)
    status, out, _ = polity(capsys, "people", run.pk, "csv")
    assert (status, out.splitlines()[0].split(",")[:3]) == (0, ["run", "seat", "name"])
    assert "label" not in out


@pytest.mark.parametrize(
    ("args", "told"),
    [
        (("nosuchrun",), "nosuchrun"),
        (("{run}", "dance"), "dance: unknown; one of show, start"),
        (("{run}", "relink", "--seat", "2"), "seat: 2; this is not a person's seat"),
        (("{run}", "extend", "--seconds", "9"), "no turn of people is open"),
        (("{run}", "remove", "--seat", "0"), "nobody holds it"),
        (("{run}", "forget", "--participant", "eve"), "nobody of that id"),
    ],
)
def test_what_cannot_be_done_is_told_in_one_line(make_run: MakeRun, capsys: Any, args: Any, told: str) -> None:
    run = make_run(people=(0, 1))
    status, out, err = polity(capsys, "people", *(word.format(run=run.pk) for word in args))
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1
