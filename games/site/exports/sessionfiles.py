"""A session's tables as files, in one zip: CSV and Parquet, codebook, the study, and scripts that analyse them."""

from __future__ import annotations

import csv
import io
import json
import zipfile
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from games.site.exports.sessioncolumns import Field, Row
from games.site.exports.sessions import Tables, codebook, labels_of, plain, tables_of
from games.site.exports.writing import FORMULA
from games.site.models import Member, Session

SCRIPTS: Final = Path(__file__).parent / "scripts"
BOOK: Final = tuple(Field(name, "text", "") for name in ("table", "column", "kind", "meaning", "values"))
README: Final = """A session of a Polity study, a row a thing.

members, visits, answers, matches, seats, decisions, messages, payments
                as .csv (UTF-8, ISO 8601 times with their zone, an empty cell for what is not there) and as .parquet
codebook.csv    what each column and each question means, of what kind it is, what it can hold
study.json      the study as its members walked it, with its hash and the session's seed
analysis.py     python analysis.py: counts, balance of arms, drop-outs, differences between arms clustered by silo
analysis.R      Rscript analysis.R: the same

Members go by pseudonyms. Who they are stands in labels.csv, which operators get apart from this and can throw away.
Texts are as they were written: look through them for names before you pass them on.
"""


def data_zip(session: Session) -> bytes:
    """Everything but labels."""
    packed = io.BytesIO()
    about = {"study": session.study.document, "hash": session.study.document_hash, "seed": str(session.seed)}
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for name, data in files_of(tables_of(session), about, session.code).items():
            file.writestr(name, data)
    return packed.getvalue()


def files_of(told: Tables, about: Mapping[str, Any], code: str = "") -> dict[str, bytes]:
    """Tables, codebook, the study and scripts by name."""
    files = {"README.txt": README}
    parquets: dict[str, bytes] = {}
    for name, columns in told.columns.items():
        files[f"{name}.csv"] = csv_of(columns, told.rows[name])
        if find_spec("pyarrow") is not None:
            parquets[f"{name}.parquet"] = parquet_of(name, columns, told.rows[name])
    files["codebook.csv"] = csv_of(BOOK, codebook(told))
    files["study.json"] = json.dumps(about, ensure_ascii=False, indent=1)
    head = (
        f"# study {told.study.form.study}{f', session {code}' if code else ''}\n# arms: {', '.join(told.study.arms)}\n"
    )
    for script in ("analysis.py", "analysis.R"):
        files[script] = head + (SCRIPTS / f"{script}.txt").read_text(encoding="utf-8")
    return {name: text.encode() for name, text in files.items()} | parquets


def csv_of(columns: Sequence[Field], rows: Sequence[Row]) -> str:
    """Rows as CSV, with a header where there are none. What a spreadsheet would take for a formula is marked."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([one.name for one in columns])
    writer.writerows([_cell(one, row.get(one.name)) for one in columns] for row in rows)
    return text.getvalue()


def _cell(one: Field, value: Any) -> Any:
    is_formula = isinstance(value, str) and value.startswith(FORMULA) and one.kind != "number"
    return f"'{value}" if is_formula else plain(value)


def parquet_of(name: str, columns: Sequence[Field], rows: Sequence[Row]) -> bytes:
    """Rows as Parquet, each column of its kind, with what it means beside it."""
    pa: Any = import_module("pyarrow")
    kinds = {
        "text": pa.string(), "whole": pa.int64(), "number": pa.float64(), "truth": pa.bool_(),
        "time": pa.timestamp("ms", tz="UTC"), "json": pa.string(),
    }  # fmt: skip
    fields = [pa.field(one.name, kinds[one.kind], metadata={"about": one.about}) for one in columns]
    arrays = [pa.array([_typed(one, row.get(one.name)) for row in rows], type=kinds[one.kind]) for one in columns]
    table = pa.Table.from_arrays(arrays, schema=pa.schema(fields, metadata={"polity.table": name}))
    packed = io.BytesIO()
    import_module("pyarrow.parquet").write_table(table, packed, compression="zstd")
    return packed.getvalue()


def _typed(one: Field, value: Any) -> Any:
    if value is None:
        return None
    match one.kind:
        case "json":
            return json.dumps(value, ensure_ascii=False, sort_keys=True)
        case "number":
            return float(value)
        case "text":
            return str(value)
        case _:
            return value


def labels_csv(session: Session) -> str:
    """The key of the pseudonyms: label and what the panel's address said of each member."""
    rows = labels_of(session)
    names = list(rows[0]) if rows else ["session", "member", "number", "label"]
    return csv_of([Field(name, "text", "") for name in names], rows)


def payments_csv(session: Session) -> str:
    """``label,amount`` of everybody whose walk has ended, as panels' bulk payments take it. Labels are names."""
    rows = Member.objects.filter(session=session).exclude(ended=None).order_by("number")
    told: list[Row] = [{"label": one.label or one.pk, "amount": one.pay.get("bonus", "0")} for one in rows]
    return csv_of((Field("label", "text", ""), Field("amount", "number", "")), told)
