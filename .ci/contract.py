"""Writes the API's schema for the frontend, which makes its types from it, and the Python client's types, made from it
here: ``python .ci/contract.py [--check]``.

Beside what the API's routes name, the schema holds what is said on a run's line (`games.lab.wire.stream`).

With --check nothing is written; the exit status is 1 where what is written is not the API's.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "frontend" / "openapi.json"
MODELS = ROOT / "simsite" / "clientmodels.py"
HEADER = '''"""What the API tells and takes, as types for the client; made by `just contract` from the API's schema.

They check nothing while a program runs, and ask for no package: what comes is what the site sent.
"""'''


def schema() -> str:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from pydantic import TypeAdapter

    from games.lab.wire.errors import ErrorOut
    from games.lab.wire.stream import ClientMessage, ServerMessage
    from games.site.web.api import api

    whole = api.get_openapi_schema(whole=False)
    for name, shape in {"ServerMessage": ServerMessage, "ClientMessage": ClientMessage, "ErrorOut": ErrorOut}.items():
        said = TypeAdapter[Any](shape).json_schema(ref_template="#/components/schemas/{model}")
        whole["components"]["schemas"] |= said.pop("$defs")
        whole["components"]["schemas"][name] = said
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False, default=str) + "\n"


def extending(schema: str, least: int = 6) -> str:
    """The schema with each shape that has all fields of another, ``least`` or more, written as that one and the rest.

    pydantic writes an inherited field anew in every schema, and the generator has no option that finds it again.
    """
    whole = json.loads(schema)
    shapes = whole["components"]["schemas"]
    fields = {
        name: {key: (field, key in shape.get("required", ())) for key, field in shape.get("properties", {}).items()}
        for name, shape in shapes.items()
    }
    for name, shape in shapes.items():
        mine = fields[name]
        part = [other for other, its in fields.items() if least <= len(its) < len(mine) and its.items() <= mine.items()]
        if base := max(part, key=lambda other: len(fields[other]), default=None):
            own = {key: field for key, (field, _) in mine.items() if key not in fields[base]}
            required = [key for key in own if mine[key][1]]
            rest = {"type": "object", "properties": own, "required": required}
            for key in ("type", "properties", "required"):
                shape.pop(key, None)
            shape["allOf"] = [{"$ref": f"#/components/schemas/{base}"}, rest]
    return json.dumps(whole)


def models(schema: str) -> str:
    """The client's types for a schema, by datamodel-code-generator."""
    words = ["--input-file-type", "openapi", "--output-model-type", "typing.TypedDict"]
    words += ["--target-python-version", "3.11", "--no-use-closed-typed-dict", "--enum-field-as-literal", "all"]
    words += ["--use-schema-description", "--use-single-line-docstring", "--disable-timestamp"]
    words += ["--formatters", "ruff-format", "--custom-file-header", HEADER]
    program = [sys.executable, "-W", "ignore", "-m", "datamodel_code_generator", *words]
    return subprocess.run(
        program, input=extending(schema), cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


if __name__ == "__main__":
    text = schema()
    for path, made in ((SCHEMA, text), (MODELS, models(text))):
        if "--check" not in sys.argv:
            path.write_text(made, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != made:
            sys.exit(f"{path.relative_to(ROOT)} is not of the API: run `just contract`, and commit what it changes")
