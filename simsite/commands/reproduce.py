"""`polity reproduce`: what the games' sources state, played, with ours beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from simsite.commands.packages import registry
from simsite.commands.printing import as_json, progress, say, table, watcher

if TYPE_CHECKING:
    from games.lab.sources.rows import Row, Source

COLUMNS = ("where", "theirs", "ours", "95% interval", "n", "difference", "verdict")


def reproduce(
    source: Annotated[
        str | None,
        typer.Argument(help="A game, all that have a source if left out; or a publication: a folder or zip."),
    ] = None,
    what: Annotated[
        str | None, typer.Argument(help="Rows of this place alone: table-2, or a preset's name.", show_default=False)
    ] = None,
    stored: Annotated[bool, typer.Option("--stored", help="Show what is kept; play nothing.")] = False,
    write: Annotated[
        bool, typer.Option("--write", help="Keep what was found in the game's folder, for this command and /sources.")
    ] = False,
    jobs: Annotated[int | None, typer.Option(help="Processes; as many as pay, if left out.")] = None,
    json: Annotated[bool, typer.Option("--json", help="For programs.")] = False,
) -> int:
    """Play what the games' sources state beside ours, or make a publication anew. Status 1 where something differs."""
    from games.errors.faults import Refused, among
    from games.lab.scenarios.finding import pack_named
    from games.lab.scenarios.scenario import load
    from games.lab.sources.playing import keep, reproduced
    from games.lab.sources.rows import filled, kept_of, sources

    if source is not None and Path(source).exists():
        return again(Path(source), json)
    if jobs is not None and not 1 <= jobs <= 256:
        raise Refused(f"--jobs: {jobs}; from 1 to 256")
    games = registry()
    known = sources(games)
    chosen = [one for one in known if source in (None, one.game)]
    if not chosen:
        raise Refused(f"{source}: no game of that name has a source; {among(str(source), [one.game for one in known])}")
    rows = [row for one in chosen for row in one.rows if what is None or _is_of(row, what)]
    if not rows:
        places = dict.fromkeys(slug(row.table) for one in chosen for row in one.rows)
        raise Refused(f"{what}: no row stands there; {among(str(what), list(places))}")
    changed: list[str] = []
    if not stored:
        wanted = dict.fromkeys((row.game, row.preset) for row in rows if row.preset)
        for game, preset in wanted:
            pack = pack_named(games, game)
            scenario = load(f"{game}/{preset}", games)
            with progress(f"playing {game}/{preset}") as tell:
                found = reproduced(scenario, jobs, watcher(tell))
            before = kept_of(pack).get(preset, {})
            if before.get("plan") == found["plan"] and before.get("rows") != found["rows"]:
                changed.append(f"{game}/{preset}")
            if write:
                keep(pack, {preset: found})
            rows = [filled(row, found) if (row.game, row.preset) == (game, preset) else row for row in rows]
    if json:
        as_json([row.plain() for row in rows])
    else:
        for one in chosen:
            _show(one, [row for row in rows if row.game == one.game])
        _sum(rows)
    for name in changed:
        say(f"{name}: played by the same plan, it gives other numbers than those that are kept")
    return 1 if changed and not write else 0


def again(path: Path, json: bool) -> int:
    """A publication, held to what its runs say: "n of n equal", or the first that is not."""
    from games.errors.faults import Refused
    from games.lab.folders.bundle import Bundle
    from games.lab.folders.reproducing import opened, reproduce
    from simsite.commands.built import built

    bundle: Bundle | None = built()
    equal, wrong = 0, list[tuple[str, str]]()
    with opened(path) as place, progress(f"reproducing {path}") as tell:
        for name, fault in reproduce(place, registry(), bundle):
            equal += fault is None
            if fault is not None:
                wrong.append((name, fault))
            tell(equal + len(wrong), equal + len(wrong), name)
    if not equal + len(wrong):
        raise Refused(f"{path}: it holds nothing to reproduce")
    if json:
        faults = [{"name": name, "why": why} for name, why in wrong]
        as_json({"equal": equal, "of": equal + len(wrong), "differing": faults})
        return 1 if wrong else 0
    for name, why in wrong[:1]:
        say(f"{name}: {why}")
    say(
        f"{equal} of {equal + len(wrong)} equal" + ("" if bundle else "; replays by their digests, pages are not built")
    )
    return 1 if wrong else 0


def slug(table_name: str) -> str:
    """A place as it is typed: ``table-2``."""
    return table_name.lower().replace(" ", "-")


def _is_of(row: Row, what: str) -> bool:
    return what in (slug(row.table), row.preset, row.key, row.key.partition("#")[2])


def _show(source: Source, rows: Sequence[Row]) -> None:
    if not rows:
        return
    year = f" ({source.form.year})" if source.form.year else ""
    title = f"{source.game}: {source.form.title}{year}"
    table(COLUMNS, [_cells(row) for row in rows], title)
    say("")


def _cells(row: Row) -> tuple[str, ...]:
    place = row.place + (f": {row.claim['en']}" if row.claim else "")
    if row.claim and row.condition:
        place += f" ({row.condition})"
    theirs = "" if row.theirs is None else f"{row.theirs:g}" + ("" if row.spread is None else f" ± {row.spread:g}")
    sure = "" if row.low is None or row.high is None else f"{row.low:.4g} to {row.high:.4g}"
    why = "; ".join(text for text in (row.why.get("en", ""), row.note.get("en", "")) if text)
    verdict = f"{row.verdict}: {why}" if why else row.verdict
    apart = row.difference if row.theirs is not None else None
    return (
        place,
        theirs,
        "" if row.ours is None else f"{row.ours:.4g}",
        sure,
        str(row.n or ""),
        "" if apart is None else f"{apart:+.4g}",
        verdict,
    )


def _sum(rows: Sequence[Row]) -> None:
    from collections import Counter

    counts = Counter(row.verdict for row in rows)
    say(f"{len(rows)} rows: " + ", ".join(f"{number} {verdict}" for verdict, number in counts.most_common()))
