"""What every page of a study is shown with: its language, its words, and the steps of a member's way."""

from __future__ import annotations

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language, override

from games.site.models import Member
from games.site.studies.loading import Study
from games.site.studies.walking import Place
from games.site.web import waywords
from games.site.web.studyway import way_of
from games.site.web.studywords import words
from games.site.web.waywords import say

LANGUAGES: Final = ("en", "zh")


def language_of(request: HttpRequest) -> str:
    asked = request.GET.get("lang") or request.POST.get("lang") or ""
    return asked if asked in LANGUAGES else "zh" if (get_language() or "en").startswith("zh") else "en"


def study_response(request: HttpRequest, template: str, lang: str, status: int = 200, **more: Any) -> HttpResponse:
    with override(lang):  # so that the whole page says which language it is in, to its script and to who hears it read
        shown = render(request, template, {"lang": lang, "w": words(lang), **more}, status=status)
    shown.headers["Referrer-Policy"] = "same-origin"  # no other site learns the address; our own forms need it
    return shown


def nowhere(request: HttpRequest, message: str) -> HttpResponse:
    return study_response(request, "message.html", language_of(request), 404, title=message, message="")


def text_in(texts: Any, lang: str) -> str:
    """A text in a language; in English, or else in any that it has, where it has none in that."""
    told = texts or {}
    return str(told.get(lang) or told.get("en") or next(iter(told.values()), ""))


def way_response(
    request: HttpRequest, template: str, one: Member, study: Study, lang: str, **more: Any
) -> HttpResponse:
    """A page of the way: what it shows, the steps, and which of them this is."""
    way = way_of(one, study)
    return study_response(
        request, template, lang, member=one, at=str(Place.of(one)), title=text_in(study.form.title, lang),
        s=waywords.words(lang), way=way, number=say(lang, "number", n=one.number + 1),
        minutes=say(lang, "minutes", n=f"{study.form.minutes:g}") if study.form.minutes else "", **more,
    )  # fmt: skip


def minutes_of(seconds: float) -> str:
    """Minutes and seconds: 1:05."""
    whole = max(0, int(seconds))
    return f"{whole // 60}:{whole % 60:02d}"
