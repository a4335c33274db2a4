"""What is answered where the database is away: 503, when to try again, and a calm page that reads nothing of it."""

from __future__ import annotations

import sys

from django.db import InterfaceError, OperationalError
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.template.loader import render_to_string
from django.utils.translation import get_language_from_request
from django.views import defaults

from games.errors import sentences
from games.site.web.errors import RETRY_S, told


def server_error(request: HttpRequest) -> HttpResponse:
    """The answer to an exception that nobody caught, in a page or in what stands around it.

    503 and `Retry-After` where it says that the database is away, as JSON under ``/api/``; else 500.
    """
    error = sys.exc_info()[1]
    if not isinstance(error, OperationalError | InterfaceError):
        return defaults.server_error(request)
    said, headers = told(error, request.path), {"Retry-After": str(RETRY_S), "Cache-Control": "no-store"}
    if request.path.startswith("/api/"):
        return JsonResponse(said.body(), status=said.status, headers=headers)
    language = "zh" if get_language_from_request(request).startswith("zh") else "en"
    about = {
        "LANGUAGE_CODE": language,
        "title": sentences.title(language, said.code),
        "message": sentences.sentence(language, said.code, said.message, said.more),
        "again": request.get_full_path() if request.method == "GET" else "/",
    }
    return HttpResponse(render_to_string("away.html", about), status=said.status, headers=headers)
