"""Runs from a program or a notebook: played, read, verified, drawn. Neither a site nor Django is needed.

::

    runs = play("mining/baseline", seeds=range(1, 21), seats={0: my_function})
    runs.frame("rounds")

Whatever is played lies in a run folder (a temporary one unless ``out`` names it), and `Runs` reads it: what `load`
opens is the same thing.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

import msgspec

from agents_app.ports import RunStop
from games.core.agents import Decider, Decision, Request
from games.core.answers import BadAction
from games.core.game import All, Eyes, Public, Seat, SeatEyes, Step
from games.core.registry import Registry
from games.errors.extras import remedy
from games.errors.faults import Refused, among
from games.lab.folders.additions import Aggregates
from games.lab.folders.folder import AGGREGATES
from games.lab.folders.reading import Entry, RunFolder
from games.lab.folders.runspec import RunFailed, RunSpec, RunStopped
from games.lab.folders.verifying import Verdict, unexplained
from games.lab.folders.verifying import verify as verdicts_of
from games.lab.scenarios.finding import game_target
from games.lab.scenarios.form import AgentForm
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load as load_scenario
from games.lab.scenarios.seating import FunctionSeat

if TYPE_CHECKING:
    import pandas

    from games.lab.analysis.result import Result
    from games.lab.folders.bundle import Bundle

Table: TypeAlias = Literal["runs", "rounds", "events", "decisions", "calls"]
LOGS: Final[Mapping[Table, str]] = {
    "rounds": "rounds.jsonl",
    "events": "events.jsonl",
    "decisions": "decisions.jsonl",
    "calls": "calls.jsonl",
}
MEASURE: Final = "metric."
"""Before the name of a measure that is a column of ``rounds``, as in the site's exports."""
Answer: TypeAlias = Callable[[Request[Any, Any]], Any]
"""An agent as a function: a request to a `Decision`, an action, or the plain JSON of one. None lets the turn go by."""
Sitter: TypeAlias = Answer | str | Mapping[str, Any]
"""Who sits in a seat: a function, the name of a policy, or what a scenario file may say of a seat."""
SOURCE: Final = "seats"


class Functions(Aggregates):
    """Puts the functions of a program into their seats; a game's own tables are written as in every folder."""

    def __init__(self, answers: Mapping[Seat, Answer]) -> None:
        self.answers = dict(answers)

    def deciders(self, spec: RunSpec) -> Mapping[Seat, Decider]:
        return {seat: deciding(answer) for seat, answer in self.answers.items()}


def deciding(answer: Answer) -> Decider:
    """A function as a decider. What it returns is read like anybody's answer; the run stops where it cannot be."""

    def decide(request: Request[Any, Any]) -> Decision[Any]:
        given = answer(request)
        if isinstance(given, Decision):
            return given
        if given is None or request.actions is None or not isinstance(given, dict | list | str | int | float | bool):
            return Decision(given)
        try:
            return Decision(request.actions.read(given))
        except BadAction as error:
            name = getattr(answer, "__name__", "the function")
            raise RunStop(f"seat {request.seat}: {name} answered {error}") from None

    return decide


def play(
    scenario: str | Path,
    seeds: int | Iterable[int] | None = None,
    *,
    config: Mapping[str, Any] | None = None,
    seats: Mapping[Seat, Sitter] | None = None,
    out: str | Path | None = None,
    jobs: int | None = None,
) -> Runs:
    """Play every condition of a scenario with every seed; `Refused` (one line: value, bound, remedy) on bad input.

    ``scenario``  a preset (``mining/baseline``), a scenario file, or a game's file (``my_game.py``)
    ``seeds``     one seed or several, 0 to 2**63-1; those of the scenario where None
    ``config``    settings over those of the scenario, nested as in a file
    ``seats``     who sits where, by seat, over what the scenario says; functions answer `Request`
    ``out``       the run folder to write; a temporary one, which goes with the result, where None
    ``jobs``      processes; as many as pay where None, and one where a function sits
    """
    from games.lab.folders.running import run

    sitters = dict(seats or {})
    answers = {seat: sitter for seat, sitter in sitters.items() if callable(sitter)}
    forms = {str(seat): _form(seat, sitter) for seat, sitter in sitters.items() if not callable(sitter)}
    layer = Layer("play()", config=dict(config or {}), seats=forms)
    chosen = load_scenario(game_target(str(scenario)), Registry(), [layer] if config or forms else [], _seeds(seeds))
    if answers:
        conditions = []
        for condition in chosen.conditions:
            seated = list(condition.seats)
            for seat, answer in answers.items():
                if not 0 <= seat < len(seated):
                    raise Refused(f"{SOURCE}: {seat}; {condition.name} has seats 0 to {len(seated) - 1}")
                seated[seat] = FunctionSeat(getattr(answer, "__name__", type(answer).__name__))
            conditions.append(replace(condition, seats=tuple(seated)))
        chosen = replace(chosen, conditions=tuple(conditions))
    held = tempfile.TemporaryDirectory(prefix="polity-") if out is None else None
    place = Path(out) if out is not None else Path(str(held and held.name)) / "runs"
    try:
        run(chosen, place, 1 if answers else jobs, additions=Functions(answers) if answers else None)
    except (RunFailed, RunStopped) as error:
        if held is not None:
            error.__notes__ = []  # they name the temporary folder
        raise
    return Runs(place, held)


def load(folder: str | Path) -> Runs:
    """The runs of a folder that `play`, ``polity run`` or an export of a site wrote; raises `Refused`."""
    return Runs(Path(folder))


def verify(folder: str | Path) -> list[Verdict]:
    """Resolve every run of a folder again from its seed and actions; `Refused` where anything differs."""
    return load(folder).verify()


def replay(folder: str | Path, condition: str | None = None, replicate: int | None = None) -> Iterator[Step[Any, Any]]:
    """The steps of one run of a folder, resolved again, the start first."""
    return load(folder).steps(condition, replicate)


def figures(folder: str | Path, language: str = "en", out: str | Path | None = None) -> dict[str, str]:
    """The figures of a folder's report by name, each an SVG; with ``out`` written there, too: SVG, PDF and CSV."""
    return load(folder).figures(language, out)


class Runs:
    """The runs of one folder: ``folder`` is the reader, ``conditions`` and ``seeds`` what was played."""

    def __init__(self, path: Path, held: tempfile.TemporaryDirectory[str] | None = None) -> None:
        self.path, self._held = path, held
        self.folder = RunFolder(path, Registry())

    def __len__(self) -> int:
        return len(self.folder.entries)

    def __repr__(self) -> str:
        conditions = len(self.folder.conditions)
        return f"<{len(self)} run(s) of {self.folder.game}, {conditions} condition(s), in {self.path}>"

    @property
    def conditions(self) -> tuple[str, ...]:
        """Names of the conditions, in their order."""
        return tuple(self.folder.conditions)

    # --- data -------------------------------------------------------------------------------------

    def rows(self, table: Table = "rounds") -> Iterator[dict[str, Any]]:
        """The rows of a table as plain values; raises `Refused` for a table that there is not.

        ``runs``       one a run: condition, replicate, seed, steps, hash and every measure of the run
        ``rounds``     one a step: clock, stage, seats, payoffs (``payoff.SEAT``), hash, measures (``metric.NAME``)
        ``events``     one an event: kind, data, and ``to``, the seats that may know it (None: everyone)
        ``decisions``  one a seat and step: action, notes and flags
        ``calls``      one a call of a model, where models play
        """
        if table == "runs":
            yield from self._measures()
            return
        if table not in LOGS:
            raise Refused(f"table: {table!r}; {among(table, ['runs', *LOGS])}")
        files = self.folder.logs.files(LOGS[table])
        if not files:
            return
        self.folder.check_unaltered(only=files)
        decode = msgspec.json.Decoder().decode
        for line in self.folder.lines(LOGS[table]):
            row = decode(line)
            yield _round(row) if table == "rounds" else row

    def _measures(self) -> Iterator[dict[str, Any]]:
        self.folder.check_unaltered(only=(AGGREGATES,))
        parquet: Any = import_module("pyarrow.parquet")
        yield from parquet.read_table(self.path / AGGREGATES).to_pylist()

    def frame(self, table: Table = "rounds") -> pandas.DataFrame:
        """A table as a DataFrame; see `rows`."""
        import pandas

        return pandas.DataFrame.from_records(list(self.rows(table)))

    def steps(self, condition: str | None = None, replicate: int | None = None) -> Iterator[Step[Any, Any]]:
        """One run's steps, resolved again from its seed and actions, the start first."""
        return (step for _, step in self.folder.steps(self.entry(condition, replicate)))

    def entry(self, condition: str | None = None, replicate: int | None = None) -> Entry:
        """The run that is meant: the first of what fits; raises `Refused` where none does."""
        if condition is not None and condition not in self.folder.conditions:
            raise Refused(f"condition: {condition!r}; {among(condition, self.folder.conditions)}")
        for entry in self.folder.entries:
            if condition in (None, entry.condition) and replicate in (None, entry.replicate):
                return entry
        raise Refused(f"replicate: {replicate}; there is none of that number in {self.path}")

    # --- trust ------------------------------------------------------------------------------------

    def verify(self) -> list[Verdict]:
        """A verdict for each run, every step identical; `Refused` names the first step or file that is not."""
        verdicts = list(verdicts_of(self.folder))
        wrong = [str(verdict) for verdict in verdicts if verdict.difference is not None] or unexplained(self.folder)
        if wrong:
            raise Refused(wrong[0])
        return verdicts

    # --- pictures ---------------------------------------------------------------------------------

    def figures(self, language: str = "en", out: str | Path | None = None) -> dict[str, str]:
        """The figures of these runs' report by name, each an SVG: measures by condition, and over rounds.

        With ``out`` each is written to that folder, ready to be printed: NAME.svg, NAME.pdf, and the numbers that it
        shows as NAME.csv. Raises `Refused` where PDF cannot be made.
        """
        from games.lab.analysis.report.page import report
        from games.lab.folders.reporting import labels_of, print_figures

        result = self._result()
        drawn = dict(report(result, labels_of(self.folder, language)).figures)
        if out is not None:
            print_figures(drawn, result, Path(out))
        return drawn

    def report(self, out: str | Path | None = None, language: str = "en") -> Path:
        """Write the report of the runs (page, figures, numbers); returns the page's path."""
        from games.lab.folders.reporting import labels_of, write_report

        place = self.path / "report" if out is None else Path(out)
        return write_report(self.folder, self._result(), place, labels_of(self.folder, language).language)

    def _result(self) -> Result:
        """What these runs say; raises `Refused` where their hypotheses want tests that are not installed."""
        from games.lab.folders.reporting import result_of

        try:
            return result_of(self.folder)
        except ModuleNotFoundError as error:
            raise Refused(remedy(error) or str(error)) from None

    def html(
        self, condition: str | None = None, replicate: int | None = None, seat: Seat | Literal["public"] | None = None
    ) -> bytes:
        """One run as an HTML file that opens from disk: the page and the frames, and nothing of what those eyes may
        not see. ``seat`` None: everything. Raises `Refused` where the pages are not built.
        """
        from games.lab.folders.reel import FolderFrames
        from games.lab.folders.replayfile import of_reel

        eyes: Eyes = All() if seat is None else Public() if seat == "public" else SeatEyes(seat)
        reel = FolderFrames(self.folder, self.entry(condition, replicate), eyes)
        return of_reel(_bundle(), reel, seat if isinstance(seat, int) else None)

    def _repr_html_(self) -> str:
        """The first run's replay, inline in a notebook."""
        from html import escape

        page, title = escape(self.html().decode()), escape(repr(self))
        return f'<iframe srcdoc="{page}" title="{title}" style="width:100%;height:640px;border:0"></iframe>'


def _round(row: dict[str, Any]) -> dict[str, Any]:
    """A record of a step as a flat row: payoffs by seat and measures as columns of their own."""
    plain = {name: row[name] for name in ("condition", "replicate", "seed", "step", "clock", "stage", "seats", "hash")}
    payoffs = {f"payoff.{seat}": value for seat, value in row["payoffs"]}
    return plain | payoffs | {f"{MEASURE}{name}": value for name, value in (row.get("metrics") or {}).items()}


def _form(seat: Seat, sitter: str | Mapping[str, Any]) -> AgentForm:
    from pydantic import ValidationError

    from games.core.answers import first_fault

    try:
        return AgentForm.model_validate({"policy": sitter} if isinstance(sitter, str) else dict(sitter))
    except ValidationError as error:
        raise Refused(f"{SOURCE}.{seat}: {first_fault(error)[0]}") from None


def _seeds(seeds: int | Iterable[int] | None) -> tuple[int, ...] | None:
    if seeds is None:
        return None
    given = (seeds,) if isinstance(seeds, int) else tuple(seeds)
    if not given or len(set(given)) < len(given) or not all(isinstance(one, int) and 0 <= one < 2**63 for one in given):
        raise Refused(f"seeds: {_shown(given)}; one or more different whole numbers from 0 to 2**63-1")
    return given


def _shown(given: Sequence[Any]) -> str:
    return str(list(given[:5])) + ("…" if len(given) > 5 else "")


def _bundle() -> Bundle:
    """The built pages: of an installed package, or of the clone that this file stands in."""
    from games.lab.folders.bundle import Bundle

    root = Path(__file__).resolve().parents[2]
    for place in (root / "frontend" / "dist", root / "simsite" / "bundle"):
        if place.is_dir():
            return Bundle(place)
    raise Refused("a replay needs the pages, which are not built here: `npm ci && npm run build` in frontend")
