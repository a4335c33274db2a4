"""A text of the admin in the language of whoever reads it."""

from __future__ import annotations

from typing import Any

from django.utils.functional import lazy

from games.site.web.refusals import language


def _chosen(en: str, zh: str) -> str:
    return zh if language() == "zh" else en


said: Any = lazy(_chosen, str)
"""``said(en, zh)``: chosen when it is shown, and not when the table is declared."""
