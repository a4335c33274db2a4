"""The command that prints the economist's published claims."""

from __future__ import annotations

import pytest

from tests.bench.economist_claims import CLAIMS, interval, main


def test_a_claim_is_printed_and_an_unknown_one_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["1", "nothing"]) == 2
    assert ", ".join(CLAIMS) in capsys.readouterr().err
    assert main(["0"]) == 2
    assert main(["1", "detector"]) == 0
    rows = capsys.readouterr().out.splitlines()
    assert len(rows) == 4
    assert rows[0].startswith("detector: default: collusion_precision: 0.")


def test_intervals_are_students_and_leave_out_what_is_undefined() -> None:
    """Of 1, 2, 3: t(2) = 4.303 times 1 / sqrt(3)."""
    assert interval([1, None, 2, 3]) == "2.000 ± 2.484"
    assert (interval([0.5]), interval([None])) == ("0.500", "–")
