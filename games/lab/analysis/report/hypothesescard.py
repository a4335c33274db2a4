"""The declared tests as tables in words, family by family."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import Final

from games.lab.analysis.comparing import Compared
from games.lab.analysis.report import sentences
from games.lab.analysis.report.labels import Labels, probability
from games.lab.analysis.report.markup import card, table
from games.lab.analysis.result import Result

FEW: Final = 6
"""Tests that a hypothesis shows at once; more are folded away."""


HYPOTHESIS: Final = (
    "contrast", "n", "of", "against", "difference", "test", "p", "adjusted", "effect", "smallest", "verdict"
)  # fmt: skip
"""Columns of a hypothesis; the check by the other test and the other size of effect are in the CSV."""


def hypotheses_card(result: Result, labels: Labels) -> str:
    """Every family with its hypotheses and their tests; nothing where none was declared."""
    found = result.comparisons
    if not found:
        return ""
    families: dict[str, list[Compared]] = {}
    for one in found:
        families.setdefault(one.comparison.family, []).append(one)
    body = "".join(_family(result, labels, name, group) for name, group in families.items())
    return card(labels.say("hypotheses"), "", body)


def _family(result: Result, labels: Labels, name: str, found: Sequence[Compared]) -> str:
    family = result.plan.family(name)
    head = labels.say(
        "family",
        name=name,
        tests=len(found),
        correction=labels.say(f"correction_{family.correction}"),
        alpha=f"{family.alpha:g}",
    )
    if family.across:
        head += labels.say("family_across", others=len(result.elsewhere.get(name, ())))
    of_all = by_hypothesis(result.everything.comparisons) if result.everything is not None else {}
    body = "".join(_hypothesis(labels, group, of_all.get(name, ())) for name, group in by_hypothesis(found).items())
    return f"<h3>{escape(head)}</h3>{body}"


def _hypothesis(labels: Labels, found: Sequence[Compared], of_all: Sequence[Compared]) -> str:
    """Its tests, and under them the same of all runs where some were left out."""
    asked = found[0].comparison
    text = asked.text.get(labels.language) or asked.text.get("en") or asked.hypothesis
    shown = sum(one.verdict == "shown" for one in found)
    if len(found) == 1:
        verdict = labels.say(f"verdict_{found[0].verdict}")
    else:
        verdict = labels.say("some_shown" if shown < len(found) else "all_shown", shown=shown, all=len(found))
    style = "good" if shown == len(found) else "some" if shown else "none"
    caption = " · ".join((labels.metric(asked.metric), *dict.fromkeys(sentences.method(labels, one) for one in found)))
    if asked.interest is not None:
        caption += f" · {labels.say('within_interest', bound=labels.number(asked.metric, asked.interest))}"
    rows = [_row(labels, one) for one in found]
    for contrast, *others in (_row(labels, one) for one in of_all):
        rows.append((labels.say("of_all_runs", name=contrast), *others))
    tests = table(labels, HYPOTHESIS, rows)
    seen = dict.fromkeys(
        (line, each.verdict == "not_delivered") for each in found for line in sentences.arrivals(labels, each)
    )
    notes = "".join(f'<p class="{"warn" if never else "note"}">{escape(line)}</p>' for line, never in seen)
    if len(found) > FEW:
        tests = f"<details><summary>{len(found)} × {escape(asked.metric)}</summary>{tests}</details>"
    return (
        f'<div class="hyp"><p><b>{escape(text)}</b> <span class="chip {style}">{escape(verdict)}</span></p>'
        f'<p class="note">{escape(caption)}</p>{notes}{tests}</div>'
    )


def _row(labels: Labels, one: Compared) -> tuple[str, ...]:
    metric = one.comparison.metric
    count = " + ".join(map(str, one.n))
    lost = [
        labels.say(key, **{name: number})
        for key, name, number in (
            ("undefined_pairs", "undefined", one.undefined),
            ("absent_pairs", "absent", one.absent),
        )
        if number
    ]
    return (
        sentences.contrast(labels, one.comparison),
        f"{count} ({', '.join(lost)})" if lost else count,
        labels.number(metric, one.mean_of),
        labels.number(metric, one.mean_against),
        sentences.difference(labels, one),
        sentences.tested(labels, one),
        probability(one.outcome.p),
        probability(one.p_adjusted),
        sentences.effect(labels, one.ranks if one.comparison.test == "rank" else one.effect),
        labels.number(metric, one.smallest),
        sentences.verdict(labels, one),
    )


RANKED: Final = ("shown", "opposite", "not_shown", "not_delivered", "untestable")


def finding(labels: Labels, found: Sequence[Compared]) -> tuple[str, str]:
    """What came out, as a title and in numbers: the first by verdict and size of effect, as on an experiment's page."""
    one = min(found, key=lambda each: (RANKED.index(each.verdict), -abs((each.effect and each.effect.estimate) or 0)))
    asked = one.comparison
    claim = (asked.text.get(labels.language) or asked.text.get("en") or asked.hypothesis).rstrip(".。")
    title = claim if one.verdict == "shown" else labels.say(f"finding_{one.verdict}", claim=claim)
    name, n, of, against, difference, tested, _, p, effect, *_ = _row(labels, one)
    numbers = labels.say(
        "finding_numbers", metric=labels.metric(asked.metric), name=name, n=n, of=of, against=against,
        difference=difference, test=tested, p=p, effect=effect,
    )  # fmt: skip
    return title, numbers


def by_hypothesis(found: Iterable[Compared]) -> dict[str, list[Compared]]:
    """Tests by the hypothesis that asks them."""
    groups: dict[str, list[Compared]] = {}
    for one in found:
        groups.setdefault(one.comparison.hypothesis, []).append(one)
    return groups
