"""A refusal as a page of its own, in the visitor's language."""

from __future__ import annotations

from typing import Literal

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from games.errors import sentences
from games.site.web.errors import told


def language() -> Literal["en", "zh"]:
    """The language that the visitor reads."""
    return "zh" if (get_language() or "en").startswith("zh") else "en"


def refusal_page(request: HttpRequest, error: Exception) -> HttpResponse:
    """A page that says why there is nothing else to see."""
    said, tongue = told(error, request.path), language()
    about = {
        "code": said.code,
        "title": sentences.title(tongue, said.code),
        "message": sentences.sentence(tongue, said.code, said.message, said.more),
    }
    return render(request, "message.html", about, status=said.status)
