"""Writes the API's schema for the frontend, which makes its types from it, and the Python client's types, made from it
here: ``python .ci/contract.py [--check]``. So are the types that a game's board reads, from the shapes of
view and events that the game declares (`Game.view_type`, `Game.event_types`).

With --check nothing is written; the exit status is 1 where what is written is not the API's.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from games.core.game import Game

ROOT = Path(__file__).resolve().parents[1]
SCHEMA = ROOT / "frontend" / "openapi.json"
CLIENT = ROOT / "simsite" / "client"
PLAIN = (
    (r"^.*The client to be awaited.*$", '"""The client; made by `just contract` from `asynchronous.py`."""'),
    (r"^import asyncio\n", ""),
    (r"async with asyncio\.timeout\((\w+)\):.*\n +(\w+) = await line\.recv\(\)", r"\2 = line.recv(\1)"),
    (r"asyncio\.sleep", "time.sleep"),
    (r"websockets\.asyncio", "websockets.sync"),
    (r"\basync |\bawait ", ""),
    (r"Awaitable\[(\w+)\]", r"\1"),
    (r"Awaitable, ", ""),
    (r"aclose\(\)", "close()"),
    (r"__a(enter|exit)__", r"__\1__"),
    (r"\b(_?)Async(\w+)", r"\1\2"),
)
"""How the client that waits is made of the one that is awaited."""
HEADER = '''"""What the API tells and takes, as types for the client; made by `just contract` from the API's schema.

They check nothing while a program runs, and ask for no package: what comes is what the site sent.
"""'''


def schema() -> str:
    sys.path.insert(0, str(ROOT))
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()
    from games.site.web.api import api

    whole = api.get_openapi_schema(whole=False)
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


def plain(source: str) -> str:
    """The client whose calls wait, from the one whose calls are awaited."""
    for of, to in PLAIN:
        source = re.sub(of, to, source, flags=re.MULTILINE)
    ruff = [sys.executable, "-m", "ruff"]
    for words in (["check", "--quiet", "--select=I,UP028,UP034", "--fix", "--unsafe-fixes"], ["format"]):
        program = [*ruff, *words, "--stdin-filename", str(CLIENT / "synchronous.py"), "-"]
        source = subprocess.run(program, input=source, cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True).stdout
    return source


def typescript(schema: dict[str, Any]) -> str:
    """The TypeScript type of what a JSON Schema describes, as pydantic writes it."""
    match schema:
        case {"$ref": name}:
            return str(name).rpartition("/")[2]
        case {"const": value}:
            return _literal(value)
        case {"enum": values}:
            return " | ".join(map(_literal, values))
        case {"anyOf": parts}:
            return " | ".join(map(typescript, parts))
        case {"type": "array", "prefixItems": parts}:
            return f"readonly [{', '.join(map(typescript, parts))}]"
        case {"type": "array", "items": part}:
            inner = typescript(part)
            return f"readonly ({inner})[]" if " " in inner else f"readonly {inner}[]"
        case {"type": "object", "additionalProperties": part}:
            return f"Readonly<Record<string, {typescript(part)}>>"
        case {"type": kind}:
            return "number" if kind == "integer" else str(kind)
    return "unknown"


def _literal(value: Any) -> str:
    return f"'{value}'" if isinstance(value, str) else json.dumps(value)


def interface(name: str, shape: dict[str, Any]) -> str:
    """A record's TypeScript, under the record's own description."""
    text = " ".join(shape.get("description", "").split())
    fields = "".join(
        f"  readonly {field}{'' if field in shape.get('required', ()) else '?'}: {typescript(part)}\n"
        for field, part in shape["properties"].items()
    )
    return f"{f'/** {text} */' + chr(10) if text else ''}export interface {name} {{\n{fields}}}\n"


def shapes(game: Game[Any, Any, Any, Any]) -> str:
    """What a game's board reads, as TypeScript: its view, the data of its events, and ``Events``, those by kind."""
    from pydantic import TypeAdapter

    kinds = {"": game.view_type, **game.event_types}
    types, whole = TypeAdapter.json_schemas([(kind, "validation", TypeAdapter(kinds[kind])) for kind in kinds])
    texts = [interface(name, shape) for name, shape in whole["$defs"].items()]
    by_kind = {kind: types[kind, "validation"] for kind in game.event_types}
    texts.append(interface("Events", {"properties": by_kind, "required": by_kind}))
    return "\n".join([f"/** Made by `just contract` from what {game.module} declares. */\n", *texts])


def files() -> dict[Path, str]:
    """Every file that is made here, as it is to be."""
    text = schema()
    from games.core.registry import packs

    drawn = {pack.folder: pack.game for pack in packs().values() if pack.game.view_type is not None}
    boards = {folder / "board" / "shapes.ts": shapes(game) for folder, game in drawn.items() if folder is not None}
    waits = plain((CLIENT / "asynchronous.py").read_text("utf-8"))
    return {SCHEMA: text, CLIENT / "models.py": models(text), CLIENT / "synchronous.py": waits, **boards}


if __name__ == "__main__":
    for path, text in files().items():
        if "--check" not in sys.argv:
            path.write_text(text, "utf-8")
        elif not path.is_file() or path.read_text("utf-8") != text:
            sys.exit(f"{path.relative_to(ROOT)} is out of date: run `just contract`, and commit what it changes")
