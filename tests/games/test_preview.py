"""What a pasted link to a run shows: a title, and a picture of what any visitor may see of that moment."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import numpy as np
import pytest
from django.test import Client

from games.drive.conductor import conduct
from games.models import Run
from games.web.preview import HEIGHT, HUES, WIDTH

pytestmark = pytest.mark.django_db(transaction=True)


def pixels(png: bytes) -> Any:
    assert png[:8] == b"\x89PNG\r\n\x1a\n"
    at, body = 8, b""
    while at < len(png):
        length, kind = struct.unpack(">I4s", png[at : at + 8])
        if kind == b"IDAT":
            body += png[at + 8 : at + 8 + length]
        at += 12 + length
    lines = np.frombuffer(zlib.decompress(body), dtype=np.uint8).reshape(HEIGHT, 1 + 3 * WIDTH)
    return lines[:, 1:].reshape(HEIGHT, WIDTH, 3)


def widths(png: bytes) -> list[int]:
    """How many points the picture has of each of the first seats' colours."""
    picture = pixels(png)
    return [int((picture == np.array(hue, dtype=np.uint8)).all(axis=2).sum()) for hue in HUES[:3]]


def test_a_link_to_a_moment_names_it_and_has_its_picture(client: Client, make_run: Any) -> None:
    run = make_run(days=3)
    conduct(run.pk, "live")
    page = client.get(f"/m/{run.pk}?r=5").content.decode()
    assert 'property="og:title"' in page
    assert f"/m/{run.pk}/preview.png?r=5" in page
    early, late = (client.get(f"/m/{run.pk}/preview.png{query}") for query in ("?r=5", ""))
    assert (early.status_code, early["Content-Type"]) == (200, "image/png")
    assert sum(widths(late.content)) > 0
    assert early.content != late.content


def test_of_a_private_run_nothing_is_drawn_for_a_visitor(client: Client, make_run: Any) -> None:
    run = make_run(days=3)
    Run.objects.filter(pk=run.pk).update(audience={"kind": "private"})
    assert client.get(f"/m/{run.pk}/preview.png").status_code == 404
