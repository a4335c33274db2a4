"""The end of a member's way: what came of it, what is paid for it, and what may be played without a group."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from games.errors import sentences
from games.site.audience import Forbidden
from games.site.models import ENDED, Member, MemberState, Participant, Run
from games.site.runs.visiting import playable, visit_begin
from games.site.studies.facts import facts_of, text_for
from games.site.studies.loading import Study
from games.site.studies.playing import scenario_of
from games.site.web.studypay import lines_of
from games.site.web.studyshown import text_in, way_response
from games.site.web.waywords import say

UNPAID: Final = "unpaid"
"""Where a browser's session keeps the code of the match that somebody without a group plays outside of the study."""


def end_page(request: HttpRequest, one: Member, study: Study, lang: str, fault: str = "") -> HttpResponse:
    end = study.form.ends.get(one.state)  # type: ignore[call-overload]
    lines, total = lines_of(one, study, lang)
    if one.state == MemberState.DONE:
        heading = say(lang, "thanks_earned", amount=total) if lines else say(lang, "thanks")
    else:
        heading = say(lang, "no_group" if one.state == MemberState.UNMATCHED else "ends_here")
    told = text_for(text_in(end.text, lang), facts_of(one, study), study, one.arm, lang) if end else ""
    code, url = (end.code, end.url) if end else (None, None)
    return way_response(
        request, "study_end.html", one, study, lang, heading=heading, text=told or say(lang, f"said_{one.state}"),
        lines=lines, total=total, code=code or "", url=url or "", matches=_own_matches(one), fault=fault,
        can_play=_game_to_play(one, study) is not None, participant=say(lang, "participant", n=one.number + 1),
    )  # fmt: skip


def _game_to_play(one: Member, study: Study) -> str | None:
    """The game that whoever found no group may play all the same, as any visitor may; None: they may not."""
    if one.state != MemberState.UNMATCHED or not settings.POLITY_VISITORS:
        return None
    step = study.form.steps.get(one.step)
    if step is None or not step.is_play:
        return None
    pack = scenario_of(step).pack
    return pack.slug if playable(pack) is not None else None


def unpaid_play(request: HttpRequest, one: Member, study: Study, lang: str) -> HttpResponse:
    """A match of its own, outside of the study, for whoever found no group."""
    game = _game_to_play(one, study)
    if game is None:
        return end_page(request, one, study, lang)
    begun = request.session.get(UNPAID)
    if begun and Run.objects.filter(code=begun).exclude(status__in=ENDED).exists():
        return redirect("join", code=begun)  # asked for twice
    try:
        request.session[UNPAID] = code = str(visit_begin(game=game).code)
        return redirect("join", code=code)
    except Forbidden as error:
        return end_page(request, one, study, lang, sentences.sentence(lang, error.code, str(error), error.more))


def _own_matches(one: Member) -> list[str]:
    """The matches that a member sat in, where anybody may see them."""
    if not one.session.is_public:
        return []
    return list(
        Participant.objects.filter(member=one, run__status__in=ENDED)
        .order_by("joined")
        .values_list("run_id", flat=True)
    )
