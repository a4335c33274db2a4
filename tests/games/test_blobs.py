"""The log's blobs: what goes in comes out, from many threads too."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from games.lab.wire.plainjson import encoded
from games.site.record.blobs import Base, named, pack, packed, unpack

JSON: Any = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
)

THREADS = """
import threading
from games.lab.wire.plainjson import encoded
from games.site.record.blobs import Base
before = {"owners": list(range(400))}
base = Base(16, encoded(before))
after = [encoded({"owners": [i if i != n else -1 for i in range(400)]}) for n in range(50)]
wrong = []
def work():
    for _ in range(200):
        for one in after:
            if base.text(base.pack(one)) != one:
                wrong.append(one)
threads = [threading.Thread(target=work) for _ in range(6)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
assert not wrong
"""


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(JSON, JSON)
def test_what_is_packed_is_unpacked(snapshot: Any, position: Any) -> None:
    lines = encoded(snapshot), encoded(position)
    base = Base(0, b"\n".join(lines))
    assert base.unpack(base.pack(lines[1])) == position
    assert unpack(pack(position)) == position
    read = Base.read(0, packed(b"\n".join(lines)))
    assert read.unpack(base.pack(lines[1])) == position
    assert [read.unpack(named(number)) for number in (0, 1)] == [snapshot, position]


def test_what_was_packed_without_a_snapshot_is_still_read() -> None:
    record = {"step": 17, "events": [{"kind": "plot_claimed", "data": {"plot": 3}}]}
    assert Base(16, encoded({"owners": [0] * 50})).unpack(pack(record)) == record


def test_a_base_is_shared_by_many_threads_without_a_crash() -> None:
    done = subprocess.run([sys.executable, "-c", THREADS], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-500:] or f"ended by signal {-done.returncode}"
