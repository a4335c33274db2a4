"""What the pages of a member's way are built with: their steps, their words, their pictures."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from games.site.web.marktext import markdown, markdown_line
from games.site.web.waywords import number, say

register = template.Library()
register.filter("markdown", markdown)
register.filter("markdown_line", markdown_line)


@register.simple_tag
def marks(way: Mapping[str, Any], n: int, lang: str) -> SafeString:
    """A mark for each step, and which of them it is; nothing where their number is not known yet."""
    of = way["of"]
    if not of:
        return SafeString('<p class="marks"></p>')
    kinds = (("done" if at < n else "now" if at == n else "",) for at in range(1, of + 1))
    drawn = format_html_join("", '<i class="{}" aria-hidden="true"></i>', kinds)
    return format_html('<p class="marks">{}<span>{}</span></p>', drawn, say(lang, "step_of", n=n, of=of))


@register.simple_tag
def part_number(way: Mapping[str, Any], part: str, is_look: bool) -> int:
    """The number of a part of the page's step among all steps; of one that is looked back at, that of its own page."""
    stops, here = way["stops"], way["here"]
    if not stops:
        return 0
    step = stops[here].step
    if part and part != "ask" and is_look:
        return next((at + 1 for at in range(here, -1, -1) if stops[at].part == part), here + 1)
    return next((at + 1 for at, stop in enumerate(stops) if stop.step == step and stop.part == part), here + 1)


@register.simple_tag
def named(name: str, lang: str) -> str:
    return say(lang, name)


@register.simple_tag
def time_title(way: Mapping[str, Any], lang: str) -> str:
    """What the part on time is called: with pay where there is any."""
    return say(lang, "time_pay" if any(stop.name in ("time_pay", "payment") for stop in way["stops"]) else "time")


@register.simple_tag
def things(acts: Sequence[Any], lang: str) -> str:
    return say(lang, "thing") if len(acts) == 1 else say(lang, "things", number=number(lang, len(acts)))


@register.simple_tag
def before(parts: Sequence[str], at: int) -> str:
    return parts[at - 1]


@register.simple_tag
def after(parts: Sequence[str], at: int) -> str:
    return parts[at + 1]


@register.simple_tag
def plain(value: Any) -> str:
    """Plain data for a script to read from an attribute."""
    return json.dumps(value, ensure_ascii=False)


@register.simple_tag
def pictured(rules: Mapping[str, Any], picture: str) -> SafeString:
    """The place for the picture of an act, where the match has that act."""
    act = next((one for one in rules["acts"] if one["picture"] == picture), None)
    if act is None:
        return SafeString("")
    return format_html('<div class="act-picture" data-act="{}" data-facts="{}"></div>', picture, plain(act["facts"]))


@register.simple_tag
def see_match(lang: str, n: int) -> str:
    return say(lang, "see_matches", n=n)
