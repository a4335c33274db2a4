"""`polity register`: what the site has registered, and whether its chain holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from simsite.commands.printing import as_json, say, table


def register(
    last: Annotated[int, typer.Option(min=1, help="So many of the last entries.")] = 20,
    json: Annotated[bool, typer.Option("--json", help="All entries, for programs.")] = False,
    stamp: Annotated[
        Path | None,
        typer.Option("--stamp", metavar="FILE.tsq", help="Write a request for a time stamp (RFC 3161) of the head."),
    ] = None,
    receipt: Annotated[
        Path | None, typer.Option("--receipt", metavar="FILE.tsr", help="Hold the register to an authority’s answer.")
    ] = None,
    root: Annotated[
        list[Path] | None, typer.Option(metavar="CA.pem", help="Whose signature to believe; may be repeated.")
    ] = None,
) -> int:
    """Show the last entries and the head of the register; status 1 where an entry was changed or is missing."""
    from simsite.setup import set_django_up

    set_django_up()
    if stamp is not None:
        return _stamp(stamp)
    if receipt is not None:
        return _receipt(receipt, root or [])
    from games.site.experiments.registering import faults
    from games.site.models import RegisterEntry

    wrong = list(faults())
    entries = list(RegisterEntry.objects.order_by("number"))
    if json:
        rows = [
            {
                "number": one.number,
                "at": one.at.isoformat(),
                "kind": one.kind,
                "subject": one.subject,
                "digest": one.digest,
                "hash": one.hash,
                "document": one.document,
            }
            for one in entries
        ]
        as_json({"entries": rows, "faults": wrong})
        return 1 if wrong else 0
    if entries:
        head = ["entry", "time", "what", "of", "digest"]
        cells = [[str(one.number), f"{one.at:%Y-%m-%d %H:%M:%S}", one.kind, one.subject, one.digest] for one in entries]
        table(head, cells[-last:], numbers=0)
    for line in wrong:
        say(line)
    if not wrong:
        say(f"{len(entries)} entries, the chain holds" + (f"; head {entries[-1].hash}" if entries else ""))
    return 1 if wrong else 0


def _stamp(path: Path) -> int:
    from games.errors.faults import Refused
    from games.site.experiments.receipts import request

    made = request()
    try:
        with path.open("xb") as file:
            file.write(made)
    except OSError as error:
        raise Refused(f"--stamp: {path}: {error.strerror}") from None
    say(f"written: {path}; its answer comes from an authority of your choice, such as:")
    say(f"curl -H 'Content-Type: application/timestamp-query' --data-binary @{path} AUTHORITY > {path.stem}.tsr")
    return 0


def _receipt(path: Path, roots: list[Path]) -> int:
    from games.errors.faults import Refused
    from games.site.experiments.receipts import read
    from games.site.experiments.registering import faults

    try:
        found = read(path.read_bytes(), [root.read_bytes() for root in roots])
    except OSError as error:
        raise Refused(f"{error.filename}: {error.strerror}") from None
    if not found.entry:
        say(f"{path}: no entry of this register has the hash that was stamped at {found.at:%Y-%m-%d %H:%M:%S} UTC")
        return 1
    signed = (
        "its signature holds" if found.is_signed else "its signature was not looked at; name a certificate by --root"
    )
    say(f"entries 1 to {found.entry} stood there at {found.at:%Y-%m-%d %H:%M:%S} UTC; {signed}")
    wrong = list(faults())
    for line in wrong:
        say(line)
    return 1 if wrong else 0
