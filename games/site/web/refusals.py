"""A refusal as a page of its own, in the visitor's language."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, Literal, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import get_language

from games.errors import sentences
from games.site.web.access import viewer_of
from games.site.web.errors import told

P = ParamSpec("P")


def language() -> Literal["en", "zh"]:
    """The language that the visitor reads."""
    return "zh" if (get_language() or "en").startswith("zh") else "en"


def refusal_page(request: HttpRequest, error: Exception) -> HttpResponse:
    """A page that says why there is nothing else to see."""
    said, tongue = told(error, request.path), language()
    about = {
        "code": said.code,
        "status": said.status,
        "title": sentences.title(tongue, said.code),
        "message": sentences.sentence(tongue, said.code, said.message, said.more),
    }
    return render(request, "message.html", about, status=said.status)


def for_operators(
    page: Callable[Concatenate[HttpRequest, P], HttpResponse],
) -> Callable[Concatenate[HttpRequest, P], HttpResponse]:
    """The page for those who may make and steer runs; 403 and the way to sign in for everybody else."""

    @wraps(page)
    def guarded(request: HttpRequest, /, *args: P.args, **more: P.kwargs) -> HttpResponse:
        if viewer_of(request.user).operator:
            return page(request, *args, **more)
        return render(request, "needs_account.html", {"next": request.get_full_path()}, status=403)

    return guarded
