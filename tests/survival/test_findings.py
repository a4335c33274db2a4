"""Every finding names the tests that hold it, and they are there."""

from __future__ import annotations

import re
from pathlib import Path

from tests.analysis import faults_back as evidence
from tests.sites import ROOT
from tests.studies import faults_back as studies

TABLE = Path(__file__).with_name("findings.md")
FAULTS = (*evidence.FAULTS, *studies.FAULTS)


def test_every_finding_names_tests_that_exist() -> None:
    rows = [line for line in TABLE.read_text().splitlines() if line.startswith("| ") and "| tests |" not in line]
    named = [re.findall(r"`(tests/\S+?\.py)::(\w+)`", row) for row in rows]
    assert [row for row, found in zip(rows, named, strict=True) if not found] == []
    missing = [(path, test) for row in named for path, test in row if f"def {test}(" not in (ROOT / path).read_text()]
    assert missing == []


def test_every_fault_that_can_be_put_back_stands_in_the_code_and_its_test_in_the_table() -> None:
    table = TABLE.read_text()
    assert [one.finding for one in FAULTS if (ROOT / one.file).read_text("utf-8").count(one.old) != 1] == []
    assert [one.test for one in FAULTS if f"`{one.test.partition('[')[0]}`" not in table] == []
