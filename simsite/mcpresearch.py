"""Research as tools: rules read, a design checked and registered, runs paid for within a purse, one answer read."""

from __future__ import annotations

import csv
import io
import time
import zipfile
from typing import Annotated, Any, Final, Literal

from mcp.server.mcpserver import Context
from pydantic import Field

from simsite.client import EXPERIMENT_ENDED, Polity
from simsite.mcpdoor import NO_KEY, Door, Site, hints, refused, site_of

INSTRUCTIONS: Final = (
    "To do research: read_game and read_preset, write an experiment's document, check_experiment (faults, foretold "
    "price, power), declare_experiment (its hypotheses are registered before the first run), start_experiment within a "
    "budget that you name and your purse bears, see_experiment until it is over, read_answer, read_figure, "
    "export_experiment. Refusals have a code, a message and mostly a remedy; each act stands in the site's audit log."
)
SEATED: Final = ("name", "runs", "calls", "usd", "unpriced", "seconds")
TOLD: Final = (
    "slug", "title", "game", "status", "reason", "conditions", "runs", "done", "failed", "left_s", "spent", "limits"
)  # fmt: skip
BEHIND: Final = {"mean": "summaries", "trend": "trends", "map": "summaries"}
"""The table behind each kind of figure, where it is called otherwise."""
LOOK_S: Final = 0.5
WAIT_MAX: Final = 60.0
Slug = Annotated[str, Field(description="The experiment's name in addresses.")]
Budget = Annotated[float, Field(gt=0, description="USD that all its models may cost in all.")]


def purse_of(site: Polity) -> dict[str, Any] | None:
    """What the key that acts may spend, has spent, holds for what is under way, and has left. None: no key."""
    if not site.has_key:
        return None
    key = site.ask("GET", "keys").json()[0]
    return {name: key[name] for name in ("prefix", "scopes", "budget_usd", "spent_usd", "held_usd", "left_usd")}


def _experiment(site: Polity, slug: str) -> dict[str, Any]:
    return dict(site.ask("GET", f"experiments/{slug}").json())


def _brief(found: dict[str, Any]) -> dict[str, Any]:
    told = {name: found[name] for name in TOLD}
    cells = [cell for cell in found["cells"] if cell["error"] or cell["unsound"]][:10]
    return {**told, **({"troubled": cells} if cells else {}), "example_run": _a_run(found)}


def _a_run(found: dict[str, Any]) -> str | None:
    return next((cell["run"] for cell in found["cells"] if cell["run"]), None)


def _entry(site: Polity, found: dict[str, Any]) -> dict[str, Any] | None:
    """The entry of the register with which an experiment was declared."""
    number = (found["provenance"] or {}).get("entry")
    return None if number is None else site.ask("GET", "register", after=number - 1, limit=1).json()[0]


def tools(door: Door) -> None:
    """Everything from the rules to the export."""

    @door.does(hints(reads=True))
    def purse(site: Site) -> Any:
        """Your key: its scopes, its budget in USD, what is spent, held for what is under way, and left."""
        if (found := purse_of(site)) is None:
            raise refused(**NO_KEY)
        return found

    @door.does(hints(reads=True))
    def read_game(site: Site, game: str) -> Any:
        """A game's rules in words, its settings as JSON Schema, measures, policies that can sit, and presets."""
        found = site.ask("GET", f"games/{game}").json()
        return {
            "game": game,
            **{name: found[name] for name in ("title", "rules_version", "config", "measures", "default_policy")},
            "rules": site.ask("GET", f"games/{game}/rules").json()["sheet"],
            "policies": {one["name"]: one["rule"] for one in found["policies"]},
            "presets": {one["name"]: one["title"]["en"] for one in found["presets"]},
        }

    @door.does(hints(reads=True))
    def read_preset(site: Site, game: str, name: str, condition: str | None = None) -> Any:
        """A preset: the settings and seats of one of its conditions, and its seeds."""
        return site.ask("GET", f"games/{game}/presets/{name}", condition=condition).json()

    @door.does(hints(reads=True))
    def list_models(site: Site) -> Any:
        """The site's named models, with what a million tokens cost."""
        return [{k: one[k] for k in ("name", "about", "price", "key")} for one in site.ask("GET", "models").json()]

    @door.does(hints(reads=True))
    def check_experiment(site: Site, document: dict[str, Any]) -> Any:
        """What an experiment's document would come to: calls, price, power; or every fault with its place and remedy.
        Nothing is made. A document: {"base": "GAME/PRESET", "seeds": "1..20",
        "conditions": {NAME: {"config": {}, "seats": {}}},
        "hypotheses": {NAME: {"metric": MEASURE, "of": CONDITION, "against": CONDITION, "direction": "lower"}}}.
        """
        found = site.ask("POST", "experiments/check", {"document": document}).json()
        power = [{k: one[k] for k in ("hypothesis", "metric", "spread", "smallest")} for one in found["power"]]
        expected = [{name: one[name] for name in SEATED} for one in found["expected"]]
        names = ("game", "conditions", "seeds", "runs", "declared", "estimate")
        return {**{name: found[name] for name in names}, "expected": expected, "power": power}

    @door.does(hints())
    def declare_experiment(site: Site, slug: Slug, document: dict[str, Any]) -> Any:
        """Declare an experiment with its hypotheses, before any run. It is entered into the site's register, whose
        entry is told back, and cannot be changed any more. It does not start.
        """
        if not document.get("hypotheses"):
            raise refused("no_hypotheses", "document.hypotheses: none; say what you expect before you see anything")
        made = site.ask("POST", "experiments", {"slug": slug, "document": document, "freeze": True}).json()
        return {**_brief(made), "register": _entry(site, made)}

    @door.does(hints(calls=True))
    def start_experiment(site: Site, slug: Slug, budget_usd: Budget) -> Any:
        """Start an experiment, or let one go on that stands still, within a budget in USD, which counts what it has
        spent already. It may not exceed what your purse has left. Each run gets an equal share; name about twice
        the price that was foretold: what is not spent returns to the purse at the end.
        """
        before = _experiment(site, slug)["limits"]
        site.ask("PATCH", f"experiments/{slug}", {"limits": {**before, "usd": budget_usd}})
        started = site.ask("POST", f"experiments/{slug}/start").json()
        return {**_brief(started), "purse": purse_of(site)}

    @door.does(hints(destroys=True))
    def halt_experiment(site: Site, slug: Slug, act: Literal["pause", "cancel"]) -> Any:
        """Let an experiment stand still, or end it for good; what is played stays, what is held returns to the purse
        when it is cancelled.
        """
        return {**_brief(site.ask("POST", f"experiments/{slug}/{act}").json()), "purse": purse_of(site)}

    @door.does(hints(reads=True))
    def see_experiment(site: Site, slug: Slug, wait_s: float = 20) -> Any:
        """How far an experiment is and what it has spent; waits up to `wait_s` seconds (60 at most) for its end."""
        until = time.monotonic() + min(wait_s, WAIT_MAX)
        while (found := _experiment(site, slug))["status"] == "running" and time.monotonic() < until:
            time.sleep(LOOK_S)
        return {**_brief(found), "is_over": found["status"] in EXPERIMENT_ENDED, "purse": purse_of(site)}

    @door.does(hints(reads=True))
    def list_experiments(site: Site, limit: int = 10) -> Any:
        """The latest experiments."""
        names = ("slug", "title", "game", "status", "runs", "done")
        return [{k: one[k] for k in names} for one in site.ask("GET", "experiments", limit=limit).json()]

    @door.does(hints(reads=True))
    def read_answer(site: Site, slug: Slug) -> Any:
        """What an experiment says: of each hypothesis effect, interval, p, verdict; first, what weakens the answer."""
        found, result = _experiment(site, slug), site.ask("GET", f"experiments/{slug}/result").json()
        provenance = found["provenance"] or {}
        names = ("n", "mean_of", "mean_against", "difference", "effect", "p_adjusted", "family_size", "verdict")
        return {
            "status": found["status"],
            "warnings": (provenance.get("sentences") or {}).get("en", []),
            "registered": {name: provenance.get(name) for name in ("registered", "entry", "at", "exploratory")},
            "runs": result["runs"],
            "left_out": result["left_out"],
            "held": result.get("held"),
            "hypotheses": [
                {**one["comparison"], "p": (one["outcome"] or {}).get("p"), **{name: one[name] for name in names}}
                for one in result["comparisons"]
            ],
            "means": result["summaries"],
        }

    @door.does(hints(reads=True))
    def read_figure(site: Site, slug: Slug, figure: str | None = None, drawing: bool = False) -> Any:
        """One figure of an experiment's report: the rows of numbers behind it, and with `drawing` the SVG. Without a
        name, which figures there are.
        """
        files = _report_files(site, slug)
        names = sorted(name.removesuffix(".svg") for name in files if name.endswith(".svg"))
        if figure is None:
            return {"figures": names}
        if figure not in names:
            raise refused("no_such_figure", f"figure {figure!r}: there are {', '.join(names) or 'none'}")
        told = {"figure": figure, "rows": _rows_behind(files, figure)}
        return {**told, "svg": files[f"{figure}.svg"]} if drawing else told

    @door.does(hints(calls=True))
    def fork_run(
        site: Site,
        run: str,
        at: int,
        config: dict[str, Any] | None = None,
        seats: dict[str, Any] | None = None,
        budget_usd: float | None = None,
    ) -> Any:
        """Take a run up again after step `at`, with other settings or seats from there on: what would have happened.
        `budget_usd`: what the fork's models may cost; a key with a purse must name it where models sit.
        """
        body: dict[str, Any] = {"at": at, "config": config or {}, "seats": seats or {}}
        limits = {} if budget_usd is None else {"limits": {"usd": budget_usd}}
        fork = site.ask("POST", f"runs/{run}/fork", {**body, **limits}).json()
        return {**{k: fork[k] for k in ("id", "game", "status", "head")}, "purse": purse_of(site)}

    @door.does(hints(reads=True))
    def export_experiment(
        site: Site, slug: Slug, level: Literal["runs", "rounds", "decisions", "events"] = "runs"
    ) -> Any:
        """Where an experiment's data can be taken from: counted rows and columns of one level, addresses of files (the
        same key opens them), and the resource that holds the whole bundle.
        """
        plan = site.ask("POST", "exports/plan", {"filter": {"experiment": slug}, "level": level}).json()
        root = f"{site.address.rstrip('/')}/api/v1"
        return {
            **{name: plan[name] for name in ("level", "runs", "rows", "people", "pseudonymised")},
            "columns": [column["name"] for column in plan["columns"]],
            "files": {
                "data": f"{root}/exports?experiment={slug}&level={level}&format=csv",
                "run_folders": f"{root}/exports?experiment={slug}&format=zip",
                "report": f"{root}/experiments/{slug}/report.html",
                "figures": f"{root}/experiments/{slug}/report.zip",
                "publication": f"{root}/experiments/{slug}/publication.zip",
            },
            "bundle": f"experiment://{slug}/publication.zip",
        }


def _report_files(site: Polity, slug: str) -> dict[str, str]:
    """The report's files by their name in it."""
    with zipfile.ZipFile(io.BytesIO(site.ask("GET", f"experiments/{slug}/report.zip").content)) as packed:
        return {name.partition("/")[2]: packed.read(name).decode() for name in packed.namelist()}


def _rows_behind(files: dict[str, str], figure: str) -> list[dict[str, str]]:
    """The rows of a report's table that a figure, called by kind and measure, draws."""
    kind, _, measure = figure.partition("-")
    rows = csv.DictReader(io.StringIO(files.get(f"{BEHIND.get(kind, kind)}.csv", "")))
    return [row for row in rows if row.get("metric", measure) == measure]


def resources(door: Door) -> None:
    """Documents by address."""

    @door.shows("rules://{game}", "text/markdown")
    def rules(game: str, ctx: Context) -> str:
        """A game's rule sheet."""
        return str(site_of(ctx).ask("GET", f"games/{game}/rules").json()["sheet"])

    @door.shows("experiment://{slug}/report.html", "text/html")
    def report(slug: str, ctx: Context) -> str:
        """An experiment's report, as one page."""
        return site_of(ctx).ask("GET", f"experiments/{slug}/report.html").text

    @door.shows("experiment://{slug}/publication.zip", "application/zip")
    def bundle(slug: str, ctx: Context) -> bytes:
        """An experiment with its data, declaration, report and runs, as an RO-Crate; the key must be for export."""
        return site_of(ctx).ask("GET", f"experiments/{slug}/publication.zip").content

    @door.shows("register://{number}", "application/json")
    def entry(number: int, ctx: Context) -> dict[str, Any]:
        """An entry of the site's register."""
        found = site_of(ctx).ask("GET", "register", after=number - 1, limit=1).json()
        return dict(found[0]) if found else {}


def prompts(door: Door) -> None:
    """What a person may ask an agent for by name."""

    @door.prompt()
    def design_an_experiment(question: str, budget_usd: str = "") -> str:
        """Design, check and register an experiment that answers a question."""
        bound = f" Spend at most {budget_usd} USD." if budget_usd else ""
        return (
            f"Answer this question by an experiment on the site: {question}{bound}\n"
            "Choose a game and preset (list_scenarios, read_game, read_preset). Vary one thing between conditions. "
            "Write down each hypothesis with measure, direction and the smallest difference that matters. Use "
            "check_experiment until it names no fault, shows enough power and a price within the purse. Show me the "
            "design and its price, then declare it. Start it only when I agree to the budget."
        )

    @door.prompt()
    def report_a_result(slug: str) -> str:
        """Report an experiment's answer so that a reader can trust it."""
        return (
            f"Report experiment {slug} (read_answer, read_figure). Begin with the warnings. For each registered "
            "hypothesis give the effect with its interval, the corrected p and the verdict in one sentence; say what "
            "was not shown. Report one figure with its numbers. Name the register's entry, the runs left out and what "
            "it cost. Keep what you noticed afterwards apart, as exploratory."
        )
