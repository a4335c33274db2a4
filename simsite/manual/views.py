"""The pages at `/docs`."""

from __future__ import annotations

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
    page = reading.page(name) if name else None
    if name and page is None:
        raise Http404(f"no page {name[:80]!r} in the documentation; {request.build_absolute_uri('/docs')} lists them")
    pages = {one: found for one in reading.names() if (found := reading.page(one)) is not None}
    groups = [(head, [(one, pages[one].title) for one in group if one in pages]) for head, group in reading.GROUPS]
    decisions = [(one, found.title) for one, found in pages.items() if one.startswith("decisions/")]
    told = {"lang": language(), "groups": groups, "decisions": decisions, "name": name, "page": page, "sought": sought}
    return render(request, "docs.html", {**told, "found": searching.search(sought) if sought else []})
