"""Steps of studies that packages bring: pages like any other, stored and exported, by name where missing."""

from __future__ import annotations

import json
import shutil
from typing import Any

import pytest
from django.test import Client

from games.core import plugs
from games.errors.faults import BadScenario
from games.errors.requests import BadRequest
from games.site.exports.sessions import codebook, tables_of
from games.site.models import Member, MemberState, Study
from games.site.studies.loading import study_read
from games.site.studies.rehearsing import rehearse
from games.site.studies.walking import member_join, session_open, study_kept
from tests.plugging import LAKE, Installed, forget
from tests.studies.conftest import again, sends

pytestmark = pytest.mark.django_db(transaction=True)
ENTRY = "[polity.steps]\nlake-belief = lake_belief:belief\n"
STUDY: dict[str, Any] = {
    "study": "beliefs",
    "steps": {
        "belief": {"plug": "lake-belief", "with": {"others": 3, "most": 6}},
        "greedy": {"if": {"belief.mean": {"at_least": 4}}, "text": "You think that they take {{belief.mean}}."},
    },
}
ANSWERS = {"person1": "6", "person2": "6", "person3": "3"}
RAISES = """
from lake_belief import Belief
class Step(Belief):
    def {what}(self, *given):
        raise KeyError("lost")
step = Step()
"""


@pytest.fixture
def lake(installed: Installed) -> Installed:
    installed.add("polity-lake", ENTRY, *sorted(LAKE.glob("lake_belief*")))
    return installed


def raising(lake: Installed, what: str) -> dict[str, Any]:
    """The study with a step whose method of that name raises."""
    lake.add("polity-ruin", "[polity.steps]\nruin = ruin:step\n", ruin=RAISES.format(what=what))
    return {**STUDY, "steps": {"belief": {"plug": "ruin", "with": {"others": 3, "most": 6}}}}


def test_what_a_package_scores_is_stored_exported_and_asked_by_later_pages(lake: Installed) -> None:
    session = session_open(study_read(STUDY), seed=1)
    member = member_join(session)
    assert sends(member, person1="6", person2="9", person3="3").keys() == {"person2"}, "its bounds hold"
    assert sends(member, **ANSWERS) == {}
    assert again(member).step == "greedy"
    found = tables_of(session)
    rows = {row["question"]: row for row in found.rows["answers"]}
    assert (rows["mean"]["number_value"], rows["person3"]["number_value"]) == (5.0, 3.0)
    assert rows["spread"]["number_value"] == pytest.approx(2**0.5)
    means = [row["meaning"] for row in codebook(found) if row["column"] == "question = mean, step = belief"]
    assert means == ["Mean of the fish that the others are thought to take. (lake-belief of polity-lake)"]
    page = Client().get(f"/me/{member.pk}").content.decode()
    assert "You think that they take 5" in page


def test_the_document_holds_what_was_asked_and_goes_on_where_the_package_is_gone(lake: Installed) -> None:
    session = session_open(study_read(STUDY), seed=1)
    document = Study.objects.get().document
    assert document["steps"]["belief"]["ask"]["person3"]["maximum"] == 6
    assert document["steps"]["belief"]["plugged"]["digest"] == plugs.plugs("steps")["lake-belief"].digest
    assert study_read(document).hash == study_read(STUDY).hash, "its own document is read again"
    member = member_join(session)
    shutil.rmtree(lake.place / "polity_lake-1.0.dist-info")
    forget()
    study_kept.cache_clear()
    assert sends(member, **ANSWERS) == {}
    assert again(member).state == MemberState.DONE, "nothing was scored that greedy could ask for"
    assert "no package brings it" in str(member.visits.get().data["unscored"])
    with pytest.raises(BadRequest, match=r"steps.belief.plug: step 'lake-belief': no package brings it"):
        session_open(study_kept(session.study_id))
    with pytest.raises(BadScenario, match=r"steps.belief.plug: step 'lake-belief': no package brings it"):
        study_read(STUDY)


def test_a_score_that_raises_costs_nobody_their_answers(lake: Installed, caplog: pytest.LogCaptureFixture) -> None:
    session = session_open(study_read(raising(lake, "score")), seed=1)
    member = member_join(session)
    assert sends(member, **ANSWERS) == {}
    assert Member.objects.get().state == MemberState.DONE
    assert member.visits.get().data["person1"] == 6
    assert "step ruin of polity-ruin 1.0: KeyError('lost')" in caplog.text


def test_a_page_that_raises_refuses_the_study_by_its_name_and_no_other(lake: Installed) -> None:
    broken = raising(lake, "page")
    with pytest.raises(BadScenario, match=r"steps.belief.plug: step ruin of polity-ruin 1.0: KeyError\('lost'\)"):
        study_read(broken)
    assert study_read(STUDY).arms


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"with": {"others": 99}}, "steps.belief.with.others"),
        ({"with": {"fish": 1}}, "steps.belief.with.fish"),
        ({"ask": {"more": {"title": "More?"}}}, "ask: the step that a package brings asks what it asks"),
        ({"scenario": "dilemma/tft-vs-alld"}, "no such key"),
    ],
)
def test_what_a_file_says_of_such_a_step_is_used_or_refused(lake: Installed, change: dict[str, Any], told: str) -> None:
    with pytest.raises(BadScenario, match=told):
        study_read({**STUDY, "steps": {"belief": {"plug": "lake-belief", **change}}})


def test_an_arm_cannot_change_what_a_package_asks(lake: Installed) -> None:
    arms = {"few": {}, "many": {"belief": {"with": {"others": 5}}}}
    with pytest.raises(BadScenario, match=r"arms.many.belief: an arm cannot change what a package's step asks"):
        study_read({**STUDY, "arms": arms})


def test_a_rehearsal_walks_it(lake: Installed) -> None:
    _, told = rehearse(study_read(STUDY), members=4)
    assert not told.stuck
    assert not told.faults


def test_its_page_names_the_module_that_draws_it_by_its_digest_alone(lake: Installed) -> None:
    member = member_join(session_open(study_read(STUDY), seed=1))
    page = Client().get(f"/me/{member.pk}").content.decode()
    address = page.partition('data-step="')[2].partition('"')[0]
    answer = Client().get(address)
    assert answer.status_code == 200
    assert b"Draws the step" in answer.content
    assert json.loads(page.partition('data-settings="')[2].partition('"')[0].replace("&quot;", '"'))["others"] == 3
    (lake.place / "lake_belief.step.js").write_text("export default () => {}")
    assert Client().get(address).status_code == 404
    assert 'name="person1"' in page, "it asks without scripts too"
