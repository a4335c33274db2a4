"""A run as one HTML file: the page, the game's words and the frames, which opens from disk and asks no network.

Frames are lines of JSON, deflated and in base64; the browser inflates them itself. A file holds what one pair of eyes
may see, because whoever has the file has all that is in it.
"""

from __future__ import annotations

import base64
import json
import zlib
from collections.abc import Iterable, Mapping
from html import escape
from typing import Any, Final

from games.core.pack import Pack
from games.lab.folders.bundle import Bundle
from games.lab.folders.reel import FolderFrames, run_summary
from games.lab.story import Story
from games.lab.wire.run import RunSummary

NOSCRIPT: Final = (
    '<noscript><p class="message">This page draws a match and needs JavaScript. 此页面需要 JavaScript。</p></noscript>'
)
LANGUAGES: Final = ("en", "zh")
POLICY: Final = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; img-src data: blob:"
"""The file's own Content-Security-Policy: nothing may be fetched, from anywhere."""
ICON: Final = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 18 18'%3E%3Crect x='1' y='1' width='7' "
    "height='7' fill='%23606873'/%3E%3Crect x='10' y='10' width='7' height='7' fill='%237a6be0'/%3E%3C/svg%3E"
)


def replay_file(
    bundle: Bundle,
    run: RunSummary,
    frames: Iterable[bytes],
    words: Mapping[str, Any],
    seat: int | None = None,
    story: Story | None = None,
) -> bytes:
    """The file. ``run``, ``frames`` and ``story`` are what the API gives those eyes; ``words`` the game's, by language.

    ``seat`` says whose eyes they are, None everyone's or the public's.
    """
    script, styles = bundle.alone
    boot = {"page": "file", "run": dict(run), "as": seat, "words": dict(words), "story": story}
    title = escape(f"{run['game']} · {run['id']} · Polity")
    return b"".join(
        part if isinstance(part, bytes) else part.encode()
        for part in (
            '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f'<title>{title}</title>\n<link rel="icon" href="{ICON}">\n<style>',
            styles.replace("</style", "<\\/style"),
            '</style>\n</head>\n<body>\n<div id="app" data-page="file"></div>\n'
            f"{NOSCRIPT}\n"
            '<script type="application/json" id="boot">',
            inert(boot),
            '</script>\n<script type="text/plain" id="frames">',
            deflated(frames),
            '</script>\n<script type="module">',
            script.replace("</script", "<\\/script").replace("<!--", "<\\!--"),
            "</script>\n</body>\n</html>\n",
        )
    )


def inert(value: Any) -> str:
    """JSON that no text inside can end the element with that holds it."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"), allow_nan=False).replace("<", "\\u003c")


def deflated(frames: Iterable[bytes]) -> bytes:
    """Lines as zlib's deflate in base64; compressed as they come, so that only the result is held."""
    packer = zlib.compressobj(9)
    parts = [packer.compress(frame + b"\n") for frame in frames]
    return base64.b64encode(b"".join(parts) + packer.flush())


def words_of(pack: Pack) -> dict[str, Any]:
    """What a game calls its things, by language; without those that it does not bring."""
    words = pack.words
    return {lang: dict(words.book(lang)) for lang in LANGUAGES if words.brings(lang)}


def of_reel(bundle: Bundle, reel: FolderFrames, seat: int | None = None) -> bytes:
    """The file of a run in a folder."""
    reel.one(reel.head)  # now it is known whether all of it resolves
    frames = (reel.one(number) for number in range(reel.head + 1))
    return replay_file(bundle, run_summary(reel), frames, words_of(reel.folder.pack), seat, reel.story)
