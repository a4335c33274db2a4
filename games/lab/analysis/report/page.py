"""The report: one HTML file that opens from disk and asks no network, its figures inside, its numbers beside it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from pathlib import Path
from typing import Final

from games.lab.analysis.report import sentences
from games.lab.analysis.report.drawing import STYLE, Drawing
from games.lab.analysis.report.exploringcards import exploring_figures, multiverse_card, sensitivity_card
from games.lab.analysis.report.figures import Legend, intervals, panels, ranking, seeds_of, survival
from games.lab.analysis.report.hypothesescard import by_hypothesis, finding, hypotheses_card
from games.lab.analysis.report.labels import NOTHING, Labels, plain
from games.lab.analysis.report.markup import card, figure, table, within
from games.lab.analysis.report.planes import MAP, PLANE, plane_figures
from games.lab.analysis.report.referencescard import references_card
from games.lab.analysis.report.standingscard import standings_card
from games.lab.analysis.report.tables import Table, tables
from games.lab.analysis.result import Result
from games.lab.analysis.trends import Band

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""The file's own Content-Security-Policy: nothing is run, nothing may be fetched."""
SHEET: Final = (Path(__file__).parent / "page.css").read_text("utf-8")


@dataclass(frozen=True, slots=True)
class Report:
    """The page, the figures by file name, and the tables."""

    page: str
    figures: Mapping[str, str]
    tables: tuple[Table, ...]


def report(result: Result, labels: Labels) -> Report:
    """Everything that a report's folder holds."""
    figures = dict(_figures(result, labels))
    made = tuple(tables(result))
    drawn = {name: figure.svg(is_alone=True) for name, figure in figures.items()}
    return Report(_Page(result, labels, figures, made).html(), drawn, made)


def _figures(result: Result, labels: Labels) -> Iterator[tuple[str, Drawing]]:
    control = result.plan.control
    names = list(dict.fromkeys(name for told in result.summaries.values() for name in told))
    for metric in names if result.plan.sensitivity is None else ():
        rows = [
            (condition, told[metric], seeds_of(result, condition, metric))
            for condition, told in result.summaries.items()
            if metric in told
        ]
        if any(told.n for _, told, _ in rows):
            label = f"{labels.say('means')}: {labels.metric(metric)}"
            drawn = labels.say("fig_mean" if control is None else "fig_mean_held", control=control)
            stated = [one.reference for one in result.references if one.reference.metric == metric]
            theirs = {one.condition: one.theirs for one in stated}
            if theirs:
                drawn += " " + labels.say("fig_theirs")
            bounds = labels.bounds(metric, (value for _, _, seeds in rows for value in seeds))
            if any(told.low is not None and not bounds[0] <= told.low <= (told.high or 0) <= bounds[1]
                   for _, told, _ in rows):  # fmt: skip
                drawn += " " + labels.say("fig_share")
            legend = Legend(labels.metric(metric), "", drawn)
            number = partial(labels.number, metric)
            yield f"mean-{metric}", intervals(label, rows, control, number, legend, theirs, bounds)
    yield from exploring_figures(result, labels)
    yield from plane_figures(result, labels)
    for metric in result.plan.trends:
        bands = {condition: told[metric] for condition, told in result.bands.items()}
        told = labels.say("fig_trend" if control is None else "fig_trend_held", control=control, n=_runs(bands))
        legend = Legend(labels.say("fig_rounds"), labels.metric(metric), told)
        yield f"trend-{metric}", panels(f"{labels.say('trends')}: {labels.metric(metric)}", bands, control, legend)
    for metric in result.plan.times:
        curves = {condition: told[metric] for condition, told in result.curves.items()}
        ends = {
            condition: max((float(run.steps) for run in result.runs if run.condition == condition), default=1.0)
            for condition in curves
        }
        n = _span([one.n for one in curves.values()])
        told = labels.say("fig_time" if control is None else "fig_time_held", control=control, n=n)
        legend = Legend(labels.metric(metric), labels.say("fig_going"), told)
        yield (
            f"time-{metric}",
            survival(f"{labels.say('times')}: {labels.metric(metric)}", curves, ends, control, legend),
        )
    if result.standings is not None:
        yield (
            "standings",
            ranking(
                labels.say("standings"),
                result.standings,
                plain,
                Legend(labels.say("fig_payoff"), "", labels.say("fig_score")),
            ),
        )


def _runs(bands: Mapping[str, Band]) -> str:
    """How many runs a round's mean is of, from the fewest to the most."""
    return _span([told.n for band in bands.values() for told in band.values])


def _span(counts: Sequence[int]) -> str:
    low, high = min(counts, default=0), max(counts, default=0)
    return f"{high}" if low == high else f"{low}–{high}"


class _Page:
    """Writes the page part by part."""

    def __init__(self, result: Result, labels: Labels, figures: Mapping[str, Drawing], made: Sequence[Table]) -> None:
        self.result, self.labels, self.figures, self.made = result, labels, figures, made
        self.say = labels.say

    def html(self) -> str:
        parts = (
            self._head(),
            hypotheses_card(self.result, self.labels),
            references_card(self.result, self.labels),
            standings_card(self.result, self.labels, self.figures),
            sensitivity_card(self.result, self.labels, self.figures),
            multiverse_card(self.result, self.labels, self.figures),
            self._planes(),
            self._means(),
            self._trends(),
            self._times(),
            self._numbers(),
            self._differs(),
            self._left_out(),
            self._how(),
            self._played(),
        )
        language = "zh-Hans" if self.labels.language == "zh" else "en"
        return (
            f'<!doctype html>\n<html lang="{language}">\n<head>\n<meta charset="utf-8">\n'
            f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            '<meta name="color-scheme" content="light dark">\n'
            f"<title>{escape(self.labels.title)} · Polity</title>\n<style>{SHEET}{STYLE}</style>\n</head>\n<body>\n"
            f"<main>\n{''.join(parts)}</main>\n</body>\n</html>\n"
        )

    def _head(self) -> str:
        plan, found = self.result.plan, self.result.comparisons
        seeds = len({run.replicate for run in self.result.runs})
        size = self.say("conditions_by_seeds", conditions=len(plan.conditions), seeds=seeds, runs=len(self.result.runs))
        title, asked, told = self.labels.title, "", ""
        if found:
            asked = f'<p class="note">{escape(title)}</p>'
            title, numbers = finding(self.labels, found)
            told = f'<p class="lead">{escape(numbers)}</p>'
            grouped = by_hypothesis(found)
            shown = sum(all(one.verdict == "shown" for one in group) for group in grouped.values())
            lead = self.say("lead", shown=shown, all=len(grouped), tests=len(found))
        else:
            lead = self.say("lead_none")
        about = f"<p>{escape(self.labels.about)}</p>" if self.labels.about else ""
        about += "".join(f'<p class="warn">{escape(line)}</p>' for line in self._unsound())
        return (
            f"<header>{asked}<h1>{escape(title)}</h1>{about}{self._came_about()}{told}<p>{escape(lead)}</p>"
            f'<p class="note">{escape(self.labels.game)} · {escape(size)}</p></header>\n'
        )

    def _unsound(self) -> list[str]:
        """What must be known before any figure: runs that were left out, by arm, and whether the arms differ in it."""
        out = sum(len(one.runs) for one in self.result.left_out)
        if not out:
            return []
        gone = Counter(condition for one in self.result.left_out for condition, _ in one.runs)
        shares = {name: (gone[name], one.runs) for name, one in self.result.not_own.items() if one.runs}
        by_arm = [self.say("unsound_of", name=name, n=n, all=runs) for name, (n, runs) in shares.items()]
        total = sum(runs for _, runs in shares.values())
        lines = [self.say("unsound_head", n=out, all=total, arms=by_arm)]
        if len({n / runs for n, runs in shares.values()}) > 1:
            lines.append(self.say("unsound_arms"))
        return lines

    def _came_about(self) -> str:
        origin = self.labels.provenance
        if origin is None:
            return ""
        style = "some" if origin.is_marked else "good"
        lines = "".join(f"<li>{escape(text)}</li>" for text in self.labels.came_about())
        return f'<ul class="origin {style}">{lines}</ul>'

    def _means(self) -> str:
        control = self.result.plan.control
        note = self.say("means_note", control=control) if control else self.say("means_note_alone")
        names = [name.removeprefix("mean-") for name in self.figures if name.startswith("mean-")]
        body = "".join(
            figure(self.figures, f"mean-{name}", self.labels.metric(name), self.labels.abouts.get(name, ""))
            for name in names
        )
        return card(self.say("means"), escape(note), body) if body else ""

    def _planes(self) -> str:
        names = [name for name in self.figures if name.partition("-")[0] in (PLANE, MAP)]
        body = "".join(figure(self.figures, name, self.figures[name].label) for name in names)
        return card(self.say("planes"), escape(self.say("planes_note")), body) if body else ""

    def _trends(self) -> str:
        if not self.result.plan.trends:
            return ""
        control = self.result.plan.control
        note = self.say("trends_note", control=control) if control else self.say("trends_note_alone")
        body = "".join(
            figure(self.figures, f"trend-{name}", self.labels.metric(name)) for name in self.result.plan.trends
        )
        return card(self.say("trends"), escape(note), body)

    def _times(self) -> str:
        body = ""
        for metric in self.result.plan.times:
            rows = [
                (
                    condition,
                    str(told[metric].n),
                    str(told[metric].ended),
                    str(told[metric].censored),
                    within(self.labels, told[metric].median, told[metric].median_low, told[metric].median_high, 0),
                )
                for condition, told in self.result.curves.items()
            ]
            body += figure(
                self.figures, f"time-{metric}", self.labels.metric(metric), self.labels.abouts.get(metric, "")
            )
            body += table(self.labels, ("condition", "n", "ended", "censored", "median"), rows)
        return card(self.say("times"), escape(self.say("times_note")), body) if body else ""

    def _numbers(self) -> str:
        names = list(dict.fromkeys(name for told in self.result.summaries.values() for name in told))
        blocks = []
        names = names if self.result.plan.sensitivity is None else []
        columns = ["condition", "defined", "mean", "sd", "interval", *(["bootstrap"] if self.result.bootstraps else [])]
        for name in names:
            rows = [self._described(self.result, condition, name) for condition in self.result.summaries]
            if (everything := self.result.everything) is not None:
                for condition in everything.summaries:
                    label, *others = self._described(everything, condition, name)
                    rows.append([self.say("of_all_runs", name=label), *others])
            label = f"{escape(self.labels.metric(name))} <code>{escape(name)}</code>"
            formula = escape(self.labels.abouts.get(name, ""))
            described = table(self.labels, columns, rows)
            blocks.append(f"<details><summary>{label}</summary><p class=note>{formula}</p>{described}</details>")
        return card(self.say("numbers"), "", "".join(blocks)) if blocks else ""

    def _described(self, result: Result, condition: str, metric: str) -> list[str]:
        told = result.summaries[condition][metric]
        count = f"{told.n} ({told.undefined})" if told.undefined else str(told.n)
        sure = NOTHING
        if told.low is not None and told.high is not None:
            sure = sentences.interval(self.labels, metric, told.low, told.high)
        row = [
            condition, count, self.labels.number(metric, told.mean), self.labels.number(metric, told.sd), sure
        ]  # fmt: skip
        if result.bootstraps:
            resampled = result.bootstraps[condition][metric]
            row.append(NOTHING if resampled is None else sentences.interval(self.labels, metric, *resampled))
        return row

    def _differs(self) -> str:
        settings = self.labels.settings
        if not settings or self.result.plan.sensitivity is not None:
            return ""
        names = list(dict.fromkeys(name for told in settings.values() for name in told))
        head = "".join(f"<th>{escape(name)}</th>" for name in names)
        control = settings.get(self.result.plan.control or "", {})
        lines = ""
        for condition, told in settings.items():
            cells = "".join(
                f'<td class="{"" if told.get(name) == control.get(name) or not control else "diff"}">'
                f"{escape(told.get(name, NOTHING))}</td>"
                for name in names
            )
            lines += f"<tr><td>{escape(condition)}</td>{cells}</tr>"
        first = escape(self.say("col_condition"))
        settled = f"<table><thead><tr><th>{first}</th>{head}</tr></thead><tbody>{lines}</tbody></table>"
        return card(self.say("differs"), "", f'<div class="scroll">{settled}</div>')

    def _left_out(self) -> str:
        told = [
            self.say(
                f"left_out_{one.reason}",
                n=len(one.runs),
                beyond=f"{one.beyond:.0%}",
                runs=[f"{condition} {replicate}" for condition, replicate in one.runs],
            )
            for one in self.result.left_out
        ]
        described = [one for told in self.result.summaries.values() for one in told.values()]
        missing, every = sum(one.undefined for one in described), sum(one.n + one.undefined for one in described)
        lines = [*(told or [self.say("left_out_none")]), self.say("undefined_total", n=missing, all=every)]
        rows = [
            (
                condition,
                str(one.runs),
                str(one.decisions),
                NOTHING if one.share is None else f"{one.share:.1%}",
                str(one.unsound),
            )
            for condition, one in self.result.not_own.items()
        ]
        shares = ""
        if any(one.not_own for one in self.result.not_own.values()):
            note = f'<p class="note">{escape(self.say("not_own_note"))}</p>'
            shares = note + table(self.labels, ("condition", "n", "decisions", "not_own", "unsound"), rows)
        return card(self.say("left_out"), "", "".join(f"<p>{escape(line)}</p>" for line in lines) + shares)

    def _how(self) -> str:
        keys = ["how_paired" if self.result.plan.is_paired else "how_unpaired", "how_intervals"]
        if self.result.comparisons:
            keys += ["how_families", "how_smallest"]
            found = self.result.comparisons
            keys += [key for key, is_used in (
                ("how_resampled", any(one.outcome.exact is not None for one in found)),
                ("how_interest", any(one.comparison.interest is not None for one in found)),
                ("how_clusters", any(one.comparison.test in ("mixed", "clustered") for one in found)),
                ("how_shares", any(one.comparison.test == "proportion" for one in found)),
            ) if is_used]  # fmt: skip
        if self.result.halves:
            keys.append("how_halves")
        return card(self.say("method_title"), "", "".join(f"<p>{escape(self.say(key))}</p>" for key in keys))

    def _played(self) -> str:
        rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in self.labels.facts)
        numbers = ", ".join(f'<a href="{one.name}.csv">{one.name}.csv</a>' for one in self.made)
        figures = ", ".join(f'<a href="{name}.svg">{name}.svg</a>' for name in self.figures)
        body = (
            f'<table class="plain"><tbody>{rows}</tbody></table><p>{escape(self.say("files"))}: {numbers}</p>'
            f"<details><summary>{escape(self.say('figures'))}</summary><p>{figures}</p></details>"
            f'<p class="note">{escape(self.say("made"))}</p>'
        )
        return card(self.say("played"), "", body)
