"""Pages of a study as its members will see them, before it has any: for whoever writes its file."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from games.site.models import Member, MemberState, Session
from games.site.studies.loading import Study
from games.site.web.studies import page_shown
from games.site.web.studyasked import Asking, asked_of
from games.site.web.studyend import end_page
from games.site.web.studyshown import study_response, text_in
from games.site.web.studyterms import pay_told

Choice = tuple[str, list[tuple[str, str]]]
"""An arm, and its pages: what stands for each, and what it is called."""


def pages_of(study: Study, lang: str) -> list[Choice]:
    """All that can be looked at: each arm from the door to the end."""
    door, end = ("入口", "结束") if lang == "zh" else ("the door", "the end")
    return [
        (arm, [(f"{arm}/", door), *((f"{arm}/{name}", name) for name in steps), (f"{arm}//", end)])
        for arm, steps in study.arms.items()
    ]


def page_at(study: Study, wanted: str) -> str:
    """The page that is asked for, else the first after the door."""
    known = [page for _, pages in pages_of(study, "en") for page, _ in pages]
    return wanted if wanted in known else known[1]


def page_of(request: HttpRequest, study: Study, at: str, lang: str) -> str:
    """One of these pages, as a document of its own whose forms send nothing."""
    arm, _, name = at.partition("/")
    return _shown(request, study, arm, name, lang).content.decode().replace("<form ", "<form inert ")


def _shown(request: HttpRequest, study: Study, arm: str, name: str, lang: str) -> HttpResponse:
    form = study.form
    if not name:
        return study_response(
            request, "study_door.html", lang, title=text_in(form.title, lang), minutes=form.minutes,
            pay=pay_told(study, lang), names=form.names, is_preview=True,
        )  # fmt: skip
    state = MemberState.DONE if name == "/" else MemberState.WALKING
    one = Member(pk="preview", session=Session(seed=0), number=0, arm=arm, step=name.strip("/"), state=state)
    if name == "/":
        return end_page(request, one, study, lang)
    step = study.step(arm, name)
    text = text_in(step.text, lang)
    left = int(step.limit_s) if step.limit_s else None
    return page_shown(request, one, study, lang, asked_of(step, lang, Asking()), text, {}, left, is_preview=True)
