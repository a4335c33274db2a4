"""What an answer depends on, as parts of the report: measures by setting, a question under every defensible choice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from games.lab.analysis.intervals import Description
from games.lab.analysis.multiverse import Choice
from games.lab.analysis.report.drawing import Drawing
from games.lab.analysis.report.figures import Legend, intervals
from games.lab.analysis.report.labels import NOTHING, Labels, plain, probability
from games.lab.analysis.report.markup import card, figure, table, within
from games.lab.analysis.result import Result
from games.lab.analysis.sensitivity import MAIN, Index, Method

SENSITIVITY, MULTIVERSE = "sensitivity", "multiverse"


def exploring_figures(result: Result, labels: Labels) -> Iterator[tuple[str, Drawing]]:
    """A figure for each measure that is asked, and for each question that is asked in many ways."""
    design = result.plan.sensitivity
    for one in result.sensitivity:
        if design is not None and one.indices:
            runs = len(result.runs)
            drawn = by_setting(labels, design.method, one.metric, one.indices, len(design.points), runs)
            yield f"{SENSITIVITY}-{one.metric}", drawn
    for name, choices in result.multiverse.items():
        if any(one.size is not None for one in choices):
            yield f"{MULTIVERSE}-{name}", curve(labels, choices)


def by_setting(
    labels: Labels, method: Method, metric: str, indices: Sequence[Index], points: int, runs: int
) -> Drawing:
    """The settings by their main index, each with its interval."""
    kind = MAIN[method]
    rows = [
        (one.setting, Description(points, 0, one.value, None, one.low, one.high), ())
        for one in indices
        if one.kind == kind
    ]
    meaning = labels.say("sensitivity_fig", method=labels.say(f"sensitivity_{method}"), points=points, runs=runs)
    across = f"{labels.say(f'index_{kind}')}: {labels.metric(metric)}"
    return intervals(across, rows, None, plain, Legend(across, "", meaning))


def curve(labels: Labels, choices: Sequence[Choice]) -> Drawing:
    """Every choice's size of effect with its interval, by rising size."""
    rows = [
        (
            f"{labels.metric(one.metric)}, {labels.say(f'method_{one.found.outcome.method}')}, ≤ {one.leave_out:.0%}",
            Description(sum(one.found.n), 0, effect.estimate, None, effect.low, effect.high),
            (),
        )
        for one in choices
        if (effect := one.found.effect) is not None and effect.estimate is not None
    ]
    legend = Legend(labels.say("multiverse_across"), "", labels.say("multiverse_fig"))
    return intervals(labels.say("multiverse"), rows, None, plain, legend)


def sensitivity_card(result: Result, labels: Labels, drawings: Mapping[str, Drawing]) -> str:
    """What each measure depends on, the setting that matters most first; nothing where it was not asked."""
    design = result.plan.sensitivity
    if design is None:
        return ""
    body = ""
    for one in result.sensitivity:
        if one.undefined:
            told = labels.say("sensitivity_undefined", metric=labels.metric(one.metric), n=one.undefined)
            body += f"<p>{escape(told)}</p>"
            continue
        rows = [
            (index.setting, labels.say(f"index_{index.kind}"), within(labels, index.value, index.low, index.high))
            for index in one.indices
        ]
        body += figure(drawings, f"{SENSITIVITY}-{one.metric}", labels.metric(one.metric))
        body += table(labels, ("setting", "index", "value"), rows)
    ranges = [f"{name}: {low:g} – {high:g}" for name, (low, high) in design.ranges.items()]
    told = labels.say("sensitivity_note", method=labels.say(f"sensitivity_{design.method}"), ranges=ranges)
    return card(labels.say("sensitivity"), escape(told), body)


def multiverse_card(result: Result, labels: Labels, drawings: Mapping[str, Drawing]) -> str:
    """Each question under every choice; nothing where none was asked so."""
    body = ""
    for name, choices in result.multiverse.items():
        shown = sum(one.found.verdict == "shown" for one in choices)
        told = labels.say("multiverse_shown", name=name, shown=shown, all=len(choices))
        rows = [
            (
                one.metric,
                labels.say(f"method_{one.found.outcome.method}"),
                f"{one.leave_out:g}",
                NOTHING if one.size is None else plain(one.size),
                probability(one.found.outcome.p),
                labels.say(f"verdict_{one.found.verdict}"),
            )
            for one in choices
        ]
        made = table(labels, ("measure", "test", "leave_out", "effect", "p", "verdict"), rows)
        body += f"<p>{escape(told)}</p>{figure(drawings, f'{MULTIVERSE}-{name}', name)}"
        body += f"<details><summary>{escape(labels.say('multiverse_each'))}</summary>{made}</details>"
    return card(labels.say("multiverse"), escape(labels.say("multiverse_note")), body) if body else ""
