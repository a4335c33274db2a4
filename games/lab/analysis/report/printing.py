"""A figure as PDF: the shapes of its SVG, drawn again on a page of its size, in ink on white."""

from __future__ import annotations

import io
import re
from typing import Any, Final
from xml.etree import ElementTree

from games.errors.faults import Refused
from games.lab.analysis.report.drawing import STYLE

FONT, BOLD, CHINESE = "Helvetica", "Helvetica-Bold", "STSong-Light"
SIZE: Final = 12
INK: Final = "#1b1f24"
COLOURS: Final = {
    "mut": "#5f6875",
    "grid": "#e1e4e8",
    "seed": "#8b95a1",
    "held": "#e3e6ea",
    "c0": "#0072b2",
    "c1": "#d55e00",
    "light": "#ffffff",
    **dict(re.findall(r"\.(m\d){fill:(#\w{6})}", STYLE)),
}
"""By class, as `drawing.STYLE` has them in the light; c0 and c1 are told apart by the colour-blind."""
WIDTHS: Final = {"line": 1.6, "bar": 3.0}
POINT: Final = re.compile(r"(-?[\d.]+),(-?[\d.]+)")
LATIN: Final = 0x2E80
"""Characters from here on stand in no Latin font."""


def pdf(svg: str, title: str) -> bytes:
    """One page that holds the figure. Raises `Refused` where the library is not installed."""
    try:
        from reportlab.pdfbase import pdfmetrics  # type: ignore[import-untyped]
        from reportlab.pdfbase.cidfonts import UnicodeCIDFont  # type: ignore[import-untyped]
        from reportlab.pdfgen.canvas import Canvas  # type: ignore[import-untyped]
    except ImportError:
        raise Refused("a figure as PDF needs reportlab: pip install 'polity-lab[pdf]'; SVG needs nothing") from None
    pdfmetrics.registerFont(UnicodeCIDFont(CHINESE))
    root = ElementTree.fromstring(svg)
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    out = io.BytesIO()
    canvas = Canvas(out, pagesize=(width, height), invariant=1)
    canvas.setTitle(title)
    for shape in root:
        _draw(canvas, shape, height)
    canvas.showPage()
    canvas.save()
    return out.getvalue()


def _draw(canvas: Any, shape: ElementTree.Element, height: float) -> None:
    """One shape; y goes up in a PDF and down in an SVG."""
    told, classes = shape.attrib, shape.attrib.get("class", "").split()
    at = {name: float(told[name]) for name in ("x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r") if name in told}
    colour = next((COLOURS[name] for name in classes if name in COLOURS), INK)
    canvas.setStrokeColor(colour)
    canvas.setFillColor(colour)
    canvas.setFillAlpha(0.2 if "band" in classes else 1.0)
    canvas.setStrokeAlpha(0.55 if "seed" in classes else 1.0)
    canvas.setLineWidth(next((WIDTHS[name] for name in classes if name in WIDTHS), 1.0))
    match shape.tag.rpartition("}")[2]:
        case "line":
            canvas.line(at["x1"], height - at["y1"], at["x2"], height - at["y2"])
        case "rect":
            tall = float(told["height"])
            canvas.rect(at["x"], height - at["y"] - tall, float(told["width"]), tall, stroke=0, fill=1)
        case "circle":
            canvas.circle(at["cx"], height - at["cy"], at["r"], stroke=0, fill=1)
        case "path":
            _path(canvas, told["d"], height, is_filled="band" in classes)
        case "text":
            _text(
                canvas, shape.text or "", at["x"], height - at["y"], told.get("text-anchor", "start"), "bold" in classes
            )


def _path(canvas: Any, way: str, height: float, is_filled: bool) -> None:
    path = canvas.beginPath()
    for place, (x, y) in enumerate(POINT.findall(way)):
        (path.lineTo if place else path.moveTo)(float(x), height - float(y))
    if way.endswith("Z"):
        path.close()
    canvas.drawPath(path, stroke=0 if is_filled else 1, fill=1 if is_filled else 0)


def _text(canvas: Any, text: str, x: float, y: float, anchor: str, is_bold: bool) -> None:
    is_latin = all(ord(sign) < LATIN for sign in text)
    canvas.setFont((BOLD if is_bold else FONT) if is_latin else CHINESE, SIZE)
    # the signs of numbers and ranges that the built-in fonts lack
    plain = text.replace("−", "–").replace("≤", "<=") if is_latin else text
    {"start": canvas.drawString, "middle": canvas.drawCentredString, "end": canvas.drawRightString}[anchor](x, y, plain)
