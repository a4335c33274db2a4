"""One figure of what each rule does around several games: efficiency with its 95% interval over the seeds.

polity run docs/examples/rules-public-goods.yaml --out runs/public-goods      # and the three others
python docs/examples/rules_figure.py runs/public-goods runs/trust ... figure.svg
"""

import sys
from pathlib import Path
from xml.sax.saxutils import escape

from scipy.stats import t

import polity

ROW, LEFT, PANEL, GAP, TOP = 24, 170, 210, 26, 44
LOW, HIGH = -0.5, 1.0
"""What is drawn: 0 the selfish outcome, 1 the efficient one; a cost can bring it below, told as a number then."""


def interval(values):
    """Mean and half of its 95% interval (Student's t)."""
    n = len(values)
    mean = sum(values) / n
    deviation = (sum((one - mean) ** 2 for one in values) / (n - 1)) ** 0.5
    return mean, t.ppf(0.975, n - 1) * deviation / n**0.5


def panel(name, told, left):
    """A game's column: a dot and its interval for each rule."""

    def x(value):
        return left + (min(max(value, LOW), HIGH) - LOW) / (HIGH - LOW) * PANEL

    yield f'<text x="{left}" y="18" font-weight="600">{escape(name)}</text>'
    bottom = TOP + ROW * len(told)
    for at in (0, 0.5, 1):
        yield f'<path d="M{x(at):.1f} {TOP - 8}V{bottom}" stroke="#d8dce2"/>'
        yield f'<text x="{x(at):.1f}" y="{bottom + 16}" text-anchor="middle" fill="#606873">{at:g}</text>'
    for row, (mean, half) in enumerate(told.values()):
        y = TOP + ROW * row + ROW / 2
        yield f'<path d="M{x(mean - half):.1f} {y}H{x(mean + half):.1f}" stroke="#0072b2" stroke-width="3"/>'
        if mean < LOW:
            yield f'<text x="{x(LOW) + 4:.1f}" y="{y + 4}" fill="#963d00">{mean:.2f} ± {half:.2f}</text>'
        else:
            yield f'<circle cx="{x(mean):.1f}" cy="{y}" r="4.5" fill="#0072b2"/>'


def main(folders, out):
    games = {}
    for folder in folders:
        by_rule = {}
        for row in polity.load(folder).rows("runs"):
            if row["efficiency"] is not None:
                by_rule.setdefault(row["condition"], []).append(row["efficiency"])
        games[Path(folder).name] = {rule: interval(values) for rule, values in by_rule.items()}
    rules = list(next(iter(games.values())))
    parts = [
        f'<text x="{LEFT - 12}" y="{TOP + ROW * n + ROW / 2 + 4}" text-anchor="end">{escape(rule)}</text>'
        for n, rule in enumerate(rules)
    ]
    for n, (name, told) in enumerate(games.items()):
        parts += panel(name, {rule: told[rule] for rule in rules}, LEFT + n * (PANEL + GAP))
    width, height = LEFT + len(games) * (PANEL + GAP), TOP + ROW * len(rules) + 28
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" font-family="sans-serif"'
    Path(out).write_text(
        "\n".join([f'{head} font-size="12">', '<rect width="100%" height="100%" fill="white"/>', *parts, "</svg>\n"])
    )
    for name, told in games.items():
        row = ", ".join(f"{rule} {mean:.3f} ± {half:.3f}" for rule, (mean, half) in told.items())
        sys.stdout.write(f"{name}: {row}\n")


main(sys.argv[1:-1], sys.argv[-1])
