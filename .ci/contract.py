"""Writes the API's schema for the frontend, which makes its types from it: ``python .ci/contract.py [--check]``.

With --check nothing is written; the exit status is 1 where the written one is not the API's.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FILE = ROOT / "frontend" / "openapi.json"


def schema() -> str:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from games.api import api

    return json.dumps(api.get_openapi_schema(), indent=1, sort_keys=True, ensure_ascii=False, default=str) + "\n"


if __name__ == "__main__":
    text = schema()
    if "--check" in sys.argv:
        if not FILE.is_file() or FILE.read_text("utf-8") != text:
            sys.exit("frontend/openapi.json is not the API's schema: run `just contract`, and commit what it changes")
    else:
        FILE.write_text(text, "utf-8")
