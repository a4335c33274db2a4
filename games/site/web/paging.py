"""The next page of a list whose body is the list itself: named in a header, as RFC 8288 has it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse


def link_next(request: HttpRequest, response: HttpResponse, cursor: str) -> None:
    """Name the page after this one."""
    query = request.GET.copy()
    query["cursor"] = cursor
    response.headers["Link"] = f'<{request.path}?{query.urlencode()}>; rel="next"'
