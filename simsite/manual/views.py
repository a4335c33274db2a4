"""The pages at `/docs`."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from games.site.web.refusals import language
from simsite.manual import reading, searching


@require_safe
def manual(request: HttpRequest, name: str = "") -> HttpResponse:
    """A page of the documentation, what is found of ``?q=``, or where to begin."""
    if name.endswith(".md"):
        return redirect(f"/docs/{name.removesuffix('.md')}")
    sought = request.GET.get("q", "")[:200].strip()
    if name and reading.page(name) is None:
        raise Http404(f"no page {name[:80]!r} in the documentation; {request.build_absolute_uri('/docs')} lists them")
    found = searching.search(sought) if sought else []
    return render(request, "docs.html", {**told(name), "lang": language(), "sought": sought, "found": found})


def told(name: str) -> dict[str, Any]:
    """What the template is told of a page, or of the first one, and of the margin beside it."""
    pages = {one: found for one in reading.names() if (found := reading.page(one)) is not None}
    groups = [(head, [(one, pages[one].title) for one in group if one in pages]) for head, group in reading.GROUPS]
    decisions = [(one, found.title) for one, found in pages.items() if one.startswith("decisions/")]
    return {"groups": groups, "decisions": decisions, "name": name, "page": pages.get(name)}
