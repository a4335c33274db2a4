"""Strikes keys out of whatever a vendor or its library says, before anybody stores or shows it."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Final

SECRET_NAMES: Final = ("KEY", "TOKEN", "SECRET", "PASSWORD", "CREDENTIALS")
"""How the name of a secret ends."""
LOOKS_SECRET: Final = re.compile(
    r"(?i:\b(?:bearer|basic)\s+[A-Za-z0-9._~+/=-]{8,})|\b(?:sk|rk|pk|gsk|xai|hf)[-_][A-Za-z0-9_*-]{8,}|\bAIza[\w-]{20,}"
)
URL_PASSWORD: Final = re.compile(r"(?<=://)[^\s/@]*:[^\s/@]+(?=@)")
STRUCK: Final = "[key]"
SHORTEST: Final = 6
"""Shorter values are no keys; striking them out would hide ordinary words."""


def redacted(text: str, environ: Mapping[str, str] = os.environ) -> str:
    """The text without any value of the environment that is a secret by its name, without what looks like a key, and
    without names and passwords in addresses."""
    if not text:
        return text
    for value in _secrets(environ):
        text = text.replace(value, STRUCK)
    return URL_PASSWORD.sub(STRUCK, LOOKS_SECRET.sub(STRUCK, text))


_seen: tuple[object, list[str]] = None, []
"""The environment when it was last looked through, and the secrets in it."""


def _secrets(environ: Mapping[str, str]) -> list[str]:
    """The values that are secrets, the longest first. Python decodes its environment name by name, which is dear to do
    for each reply; the dictionary beneath tells at once whether anything has changed.
    """
    global _seen
    beneath = getattr(environ, "_data", None)
    then, found = _seen
    if beneath is None or beneath != then:
        values = {environ.get(name, "").strip() for name in environ if name.endswith(SECRET_NAMES)}
        found = sorted((value for value in values if len(value) >= SHORTEST), key=len, reverse=True)
        _seen = beneath and dict(beneath), found
    return found


def one_line(error: BaseException, environ: Mapping[str, str] = os.environ) -> str:
    """An error as one redacted line of at most 300 characters."""
    return redacted(" ".join(f"{type(error).__name__}: {error}".split()), environ)[:300]
