"""The pages of a study, as browsers get them: the door, the way through, what is refused, the operator's view."""

from __future__ import annotations

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from games.errors.faults import BadScenario
from games.site.exports.sessions import codebook, tables_of
from games.site.models import Member, Participant, Run, Session
from games.site.studies import teaching
from games.site.studies.gathering import studies_continue
from games.site.studies.loading import study_read, study_text
from games.site.studies.paying import amount
from games.site.studies.walking import Place, session_open, study_of
from tests.studies.conftest import PAIRS, again, play_on, to_play

pytestmark = pytest.mark.django_db(transaction=True)


class Subject:
    """One browser."""

    def __init__(self, session: Session, label: str, lang: str = "en") -> None:
        self.client = Client()
        door = f"/s/{session.code}?PROLIFIC_PID={label}&STUDY_ID=s1"
        assert self.client.get(door).status_code == 200
        assert not Member.objects.filter(label=label).exists(), "a visit makes nobody a member"
        answer = self.client.post(door, {"lang": lang})
        assert answer.status_code == 302
        self.address = answer["Location"]

    @property
    def member(self) -> Member:
        return Member.objects.select_related("session").get(pk=self.address.rpartition("/")[2])

    def sees(self) -> Any:
        return self.client.get(self.address)

    def sends(self, **sent: str) -> Any:
        return self.client.post(self.address, {"at": str(Place.of(self.member)), **sent})


def test_a_subject_comes_by_a_panels_link_and_is_found_again(session: Session) -> None:
    ann = Subject(session, "ann", "zh")
    assert (ann.member.label, ann.member.extra, ann.member.language) == ("ann", {"STUDY_ID": "s1"}, "zh")
    assert "我同意" in ann.sees().content.decode()
    assert ann.client.get(f"/s/{session.code}?PROLIFIC_PID=ann")["Location"] == ann.address


def test_every_page_is_in_the_language_chosen_at_the_door_whatever_the_browser_speaks(session: Session) -> None:
    subjects = [Subject(session, f"p{n}", "zh") for n in range(4)]  # browsers that ask for no language read English
    ann = subjects[0]
    assert '<html lang="zh"' in ann.sees().content.decode()
    for one in subjects:
        to_play(one.member)
    studies_continue()
    seat = ann.sees()["Location"]
    page = ann.client.get(seat).content.decode()
    assert '<html lang="zh"' in page
    assert "你的席位" in page
    sent = {"path": f"/api/v1{seat}/language", "data": {"language": "en"}, "content_type": "application/json"}
    assert ann.client.post(**sent).status_code == 200
    assert ann.member.language == "en", "what is chosen at the seat holds for the pages after it"
    assert '<html lang="en"' in ann.client.get(seat).content.decode()


def test_the_instructions_bring_the_first_board_of_the_very_settings_through_a_seats_eyes(db: None) -> None:
    play = {**PAIRS["steps"]["play"], "config": {"rounds": 37, "known_length": False, "labels": "neutral"}}
    steps = {"rules": {"rules": "play"}, "play": play}
    ann = Subject(session_open(study_read({**PAIRS, "steps": steps})), "ann", "zh")
    page = ann.sees().content.decode()
    found = re.search(r'data-first-board><script type="application/json">(.*?)</script>', page)
    assert found
    board = json.loads(found[1])
    assert (board["game"], board["seat"], [one["name"] for one in board["seats"]]) == ("dilemma", 0, ["A", "B"])
    view = board["frame"]["view"]
    assert (view["moves"], view["rounds"], view["labels"]) == (["", ""], None, "neutral"), "a hidden length is not told"
    assert "37" not in found[1]
    assert "X 或 Y" in page


def test_a_page_names_what_is_missing_and_keeps_what_was_written(session: Session) -> None:
    ann = Subject(session, "ann")
    assert ann.sends(agree="yes").status_code == 302
    page = ann.sends(points="9").content.decode()
    assert "Not right" in page
    page = ann.sends(points="x").content.decode()
    assert "x; a whole number is needed" in page
    assert 'value="x"' in page


def test_the_seat_is_opened_for_whoever_has_the_members_link_and_for_nobody_else(session: Session) -> None:
    subjects = [Subject(session, f"p{n}") for n in range(4)]
    for one in subjects:
        to_play(one.member)
    assert "4 of 4" in subjects[0].sees().content.decode()
    studies_continue()
    answer = subjects[0].sees()
    seat = Participant.objects.get(member=subjects[0].member)
    assert answer["Location"] == f"/play/{seat.pk}"
    told = subjects[0].client.get(f"/api/v1/play/{seat.pk}?tab=t").json()
    assert told["next"] == subjects[0].address
    assert subjects[1].client.get(f"/api/v1/play/{seat.pk}?tab=t").status_code == 403
    assert Client().get(f"/api/v1/runs/{seat.run_id}").status_code == 403, "a match of subjects is theirs alone"
    assert Client().get("/api/v1/runs").json() == []


def test_a_page_says_which_step_of_how_many_it_is(session: Session) -> None:
    ann = Subject(session, "ann")
    assert "<span>1 of 5</span>" in ann.sees().content.decode()
    ann.sends(agree="yes")
    assert "<span>2 of 5</span>" in ann.sees().content.decode()
    ann.client.get(f"{ann.address}?lang=zh")
    assert "<span>2 / 5</span>" in ann.sees().content.decode()


def test_no_number_of_steps_is_told_before_the_arm_that_decides_it(db: None) -> None:
    steps = {**PAIRS["steps"], "more": {"text": "More.", "only": ["long"]}}
    ann = Subject(session_open(study_read({**PAIRS, "arms": {"long": {}, "short": {}}, "steps": steps})), "ann")
    assert '<p class="marks"></p>' in ann.sees().content.decode()


def test_a_stale_page_changes_nothing(session: Session) -> None:
    ann = Subject(session, "ann")
    old = str(Place.of(ann.member))
    ann.sends(agree="yes")
    assert ann.client.post(ann.address, {"at": old, "agree": "no"}).status_code == 302
    assert ann.member.step == "check"


def test_a_closed_session_and_a_wrong_code_are_told(session: Session) -> None:
    Session.objects.filter(pk=session.pk).update(is_open=False)
    assert Client().post(f"/s/{session.code}?PROLIFIC_PID=x").status_code == 403
    assert Client().get("/s/NOPE").status_code == 404
    assert Client().get("/me/NOPE").status_code == 404
    assert not Member.objects.exists()


def test_the_operator_sees_who_is_where_and_takes_the_data(session: Session) -> None:
    subjects = [Subject(session, f"p{n}") for n in range(4)]
    for one in subjects:
        to_play(one.member)
    for _ in range(4):
        studies_continue()
        play_on(session)
    for one in subjects:
        one.sends(trust="3")
        page = one.sees().content.decode()
        assert "Thank you. You earned 4.80 EUR" in page
        assert "<output>C1</output>" in page
        assert sums(page) == ["3.00", "1.80", "4.80"]
    assert Client().get(f"/sessions/{session.pk}").status_code == 403
    assert Client().get(f"/sessions/{session.pk}/data.zip").status_code == 403
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    page = operator.get(f"/sessions/{session.pk}").content.decode()
    assert page.count('<td class="at">done</td><td class="num">') == 4
    assert re.findall(r'<td class="num">([\d.]+)</td>', page) == ["4.80"] * 4, "each got what the others got"
    assert "19.20 EUR so far" in page
    assert re.search(r"<b>19.20</b> <span>ready to pay</span>", page)
    assert operator.get(f"/sessions/{session.pk}/data.zip").content[:2] == b"PK"
    assert operator.get(f"/sessions/{session.pk}/payments.csv").content.decode().splitlines()[1] == "p0,1.8"


def test_whoever_needs_the_operator_stands_first_and_each_match_names_its_members(session: Session) -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    subjects = [Subject(session, f"p{n}") for n in range(5)]
    assert "Nobody needs you." in operator.get(f"/sessions/{session.pk}").content.decode()
    silent = subjects[4].member
    Member.objects.filter(pk=silent.pk).update(seen=timezone.now() - timedelta(minutes=5))
    page = operator.get(f"/sessions/{session.pk}").content.decode()
    assert "1 gives no sign of life" in page
    assert page.index(">p4</a>") < page.index(">p0</a>")
    for one in subjects[:4]:
        to_play(one.member)
    studies_continue()
    page = operator.get(f"/sessions/{session.pk}").content.decode()
    assert len(re.findall(r'data-match="\w+" data-head="-?\d+"', page)) == 2
    assert re.search(r"M1 began: p[0-3], p[0-3]\.", page)
    assert len(re.findall(r">M[12], seat [AB]</a>", page)) == 4


def test_the_operator_is_shown_those_asked_for_and_does_all_to_whoever_is_chosen(session: Session) -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    ann, bo = Subject(session, "ann"), Subject(session, "bo")
    bo.sends(agree="no")
    at = f"/sessions/{session.pk}"
    page = operator.get(f"{at}?show=gone").content.decode()
    assert (">ann</a>" in page, ">bo</a>" in page) == (False, True)
    assert "did not agree · consent" in page
    page = operator.get(f"{at}?find=an").content.decode()
    assert (">ann</a>" in page, ">bo</a>" in page) == (True, False)
    assert "Nobody of that name or kind." in operator.get(f"{at}?find=zoe").content.decode()
    assert 'class="chosenbar"' not in page
    page = operator.get(f"{at}?chosen={ann.member.pk}").content.decode()
    bar = page[page.index('class="chosenbar"') :]
    assert re.findall(r'name="do" value="(\w+)"', bar) == ["say", "nudge", "extend", "advance", "end", "erase"]
    order = {"member": ann.member.pk, "at": str(Place.of(ann.member))}
    back = operator.post(f"{at}?show=walking&chosen={ann.member.pk}", {"do": "say", "text": "Welcome.", **order})
    assert back["Location"] == f"{at}?show=walking&chosen={ann.member.pk}", "the page is as it was"
    assert "Welcome." in ann.sees().content.decode()
    assert "You said something to ann." in operator.get(at).content.decode()
    assert "你对 ann 说了一句话。" in operator.get(f"{at}?lang=zh").content.decode()


def test_two_wrong_tries_call_the_operator(db: None) -> None:
    check = {**PAIRS["steps"]["check"], "tries": 4}
    session = session_open(study_read({**PAIRS, "steps": {"check": check}}))
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    ann = Subject(session, "ann")
    ann.sends(points="9")
    assert "Nobody needs you." in operator.get(f"/sessions/{session.pk}").content.decode()
    ann.sends(points="9")
    assert "wrong 2 times" in operator.get(f"/sessions/{session.pk}").content.decode()


def test_what_is_earned_so_far_goes_up_with_the_match(session: Session) -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    subjects = [Subject(session, f"p{n}") for n in range(4)]
    for one in subjects:
        to_play(one.member)
    studies_continue()
    earned = re.compile(r'<td class="num">([\d.]+)</td>')
    assert earned.findall(operator.get(f"/sessions/{session.pk}").content.decode()) == ["3.00"] * 4
    play_on(session)
    page = operator.get(f"/sessions/{session.pk}").content.decode()
    assert earned.findall(page) == ["3.60"] * 4, "three points in each of two rounds"
    assert "M2 is over, after 2 rounds." in page


def test_the_operator_advances_and_ends_a_member(session: Session) -> None:
    ann = Subject(session, "ann")
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    order = {"member": ann.member.pk, "at": str(Place.of(ann.member))}
    operator.post(f"/sessions/{session.pk}", {"do": "advance", **order})
    assert ann.member.step == "check"
    operator.post(f"/sessions/{session.pk}", {"do": "end", **order})
    assert ann.member.state == "walking", "that place is past"
    operator.post(f"/sessions/{session.pk}", {"do": "end", **order, "at": str(Place.of(ann.member))})
    assert again(ann.member).state == "dropped"


def test_the_operators_pages_say_what_there_is(session: Session) -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    Subject(session, "ann")
    for path in ("/studies", f"/studies?study={session.study_id}", "/studies?preset=class-in-pairs&lang=zh"):
        assert operator.get(path).status_code == 200, path
        assert Client().get(path).status_code == 403, path
    assert f'"session": {session.pk}' in operator.get(f"/sessions/{session.pk}/screen").content.decode()
    assert "ann" not in operator.get(f"/sessions/{session.pk}/screen").content.decode(), "it names nobody"
    assert operator.get(f"/sessions/{session.pk}/receipts").status_code == 200
    assert operator.get(f"/sessions/{session.pk}/nosuch").status_code == 404
    told = operator.post("/studies", {"file": "study: x\nsteps: {a: {text: Hi, repeat: 3}}", "lang": "zh"})
    assert "页面没有这一项" in told.content.decode()
    opened = operator.post("/studies", {"file": "study: x\nsteps: {a: {text: Hi}}", "do": "open"})
    assert opened["Location"].startswith("/sessions/")


def test_the_operators_room_counts_each_arm_and_who_dropped_out_of_it(db: None) -> None:
    operator = Client()
    operator.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    arms = {"long": {"play": {"config": {"rounds": 4}}}, "short": {}}
    fixed = {f"p{n}": ("long", "short")[n % 2] for n in range(4)}
    study = study_read({**PAIRS, "arms": arms, "assign": {"at": "consent", "how": "fixed", "fixed": fixed}})
    subjects = [Subject(session_open(study, seed=7), "p0")]
    session = subjects[0].member.session
    subjects += [Subject(session, f"p{n}") for n in range(1, 4)]
    subjects[0].sends(agree="no")
    page = operator.get(f"/sessions/{session.pk}").content.decode()
    part = page[page.index('data-part="arms"') :].partition("</section>")[0]
    told = {arm: re.findall(r"<b>(\d)</b>", row) for arm, row in re.findall(r"<dt>(\w+)</dt>(.*?)</div>", part)}
    assert told == {"long": ["1", "0", "1"], "short": ["2", "0", "0"]}
    assert "gone, 50%" in part


def sums(page: str) -> list[str]:
    """The amounts of the table at the end, without their currency."""
    return re.findall(r"<td>([\d.−]+) EUR</td>", page)


RULES: dict[str, Any] = {
    "rules": {"rules": "play"},
    "check": {
        "ask": {
            "cc": {"title": "Both C?", "type": "integer", "answer": 3, "why": "Both get 3.", "picture": "outcome"},
            "cd": {"title": "You C, other D?", "type": "integer", "answer": 0, "why": "The other takes it all."},
        },
        "tries": 3,
        "else": "screened",
    },
}


@pytest.fixture
def asked(db: None) -> Subject:
    """Somebody before the instructions of a study that then asks two questions."""
    steps = {**RULES, "play": {**PAIRS["steps"]["play"], "repeat": 1, "silo": 2}}
    return Subject(session_open(study_read({**PAIRS, "steps": steps}), seed=7), "ann")


def test_instructions_are_read_in_parts_that_are_counted_with_the_other_steps(asked: Subject) -> None:
    page = asked.sees().content.decode()
    assert re.findall(r'<section class="part[^"]*" id="(\w+)"', page) == ["what", "do", "time", "ask"]
    assert re.findall(r"<span>(\d) of 6</span>", page)[:3] == ["1", "2", "3"], "then check, play and the end"
    assert re.findall(r'data-act="(\w+)"', page) == ["outcome"] * 4, "one row an outcome, and no talk here"
    assert "3.00 EUR for taking part. 0.10 EUR for each point. In all at least 3.00 EUR, if you stay" in page
    assert re.findall(r'href="#(\w+)"', page[page.index('id="do"') :])[:2] == ["what", "time"]


def test_whoever_has_an_arm_reads_the_instructions_of_that_arm(db: None) -> None:
    play = {**PAIRS["steps"]["play"], "seats": {"A": {"person": True}}, "repeat": 1, "silo": 1}
    arms = {"short": {"play": {"config": {"rounds": 37}}}, "long": {"play": {"config": {"rounds": 73}}}}
    study = {**PAIRS, "arms": arms, "steps": {"rules": {"rules": "play"}, "play": play}}
    session = session_open(study_read(study), seed=7)
    read = {}
    for one in [Subject(session, f"p{n}") for n in range(2)]:
        told = one.sees().content.decode()
        read[one.member.arm] = [rounds for rounds in ("37", "73") if re.search(rf"\b{rounds}\b rounds", told)]
    assert read == {"short": ["37"], "long": ["73"]}


def test_a_wrong_answer_says_why_with_its_picture_and_keeps_the_others(asked: Subject) -> None:
    asked.sends()
    page = asked.sees().content.decode()
    assert "3 tries. If an answer is still wrong then, the study ends for you with 0.50 EUR." in page
    assert "Both get 3." not in page, "no answer is told before it is asked for"
    page = asked.sends(cc="5", cd="0").content.decode()
    told = page[page.index('id="ask"') :]
    assert "One answer is wrong." in told
    assert re.search(r"Not so\.</b> Both get 3\..*?data-act=\"outcome\"", told, re.S)
    assert re.search(r"✓ 0</b> The other takes it all\.", told)
    assert "2 tries left." in told
    assert told.count("<fieldset") == 2
    again_ = asked.sees().content.decode()
    assert "Both get 3." in again_, "also after a reload"
    assert 'value="5"' in again_
    assert 'name="cd" value="0"' in again_
    asked.sends(cc="4", cd="0")
    assert "This is the last try." in asked.sees().content.decode()
    asked.sends(cc="4", cd="0")
    assert asked.member.state == "screened"
    assert sums(asked.sees().content.decode()) == ["0.50", "0.50"]


def test_another_language_keeps_what_was_written(asked: Subject) -> None:
    asked.sends()
    page = asked.sends(cc="3", cd="7", do="speak-zh").content.decode()
    assert asked.member.language == "zh"
    assert ('value="3"' in page, 'value="7"' in page) == (True, True)
    assert "两个问题" in page
    assert asked.member.attempt == 0, "it is no try"


def test_the_rules_stand_beside_the_questions_for_whoever_looks_back(asked: Subject) -> None:
    asked.sends()
    page = asked.sees().content.decode()
    assert page.count('id="what"') == 1
    assert re.search(r'<a class="btn pri" href="#ask">Back to the questions</a>', page)
    assert re.findall(r'<section class="part first" id="(\w+)"', page) == ["ask"], "the questions come first"


def test_a_picture_beside_a_question_is_one_of_the_match(db: None) -> None:
    ask = {"cc": {**RULES["check"]["ask"]["cc"], "picture": "raid"}}
    with pytest.raises(BadScenario, match=r"steps.check.ask.cc.picture.*raid.*outcome"):
        study_read({**PAIRS, "steps": {"check": {"ask": ask}, "play": PAIRS["steps"]["play"]}})


def test_who_waits_sees_their_group_and_what_comes_when_the_wait_is_over(session: Session) -> None:
    subjects = [Subject(session, f"p{n}") for n in range(3)]
    for one in subjects[:2]:
        to_play(one.member)
    page = subjects[1].sees().content.decode()
    assert "Waiting for 2 more" in page
    assert re.findall(r'<li class="(you|present|open)">', page) == ["you", "present", "open", "open"]
    assert re.search(r"0:0\d of at most 5:00", page)
    assert "<dd>1 person</dd>" in page, "one is still reading"
    assert "it ends for you without a match, and you get 3.00 EUR." in page


def test_whose_group_is_made_while_the_page_is_asked_for_is_led_on(
    session: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = Subject(session, "a")
    to_play(one.member)
    monkeypatch.setattr("games.site.web.studywait.queue_of", lambda member: [])  # they were given a place in between
    answer = one.sees()
    assert (answer.status_code, answer.headers.get("Location")) == (302, one.address)


def test_who_finds_no_group_is_told_what_it_pays(session: Session) -> None:
    ann = Subject(session, "ann")
    to_play(ann.member)
    Member.objects.filter(pk=ann.member.pk).update(until=timezone.now() - timedelta(seconds=1))
    studies_continue()
    page = ann.sees().content.decode()
    assert "No group was found" in page
    assert "Coming and waiting" in page
    assert sums(page) == ["3.00", "3.00"]


def test_the_lines_of_the_end_add_up_where_the_sum_is_rounded_or_cut(db: None) -> None:
    for pay, lines in (
        ({"show_up": 3, "point": 0.13, "round_to": 0.5}, ["3.00", "2.34", "0.16", "5.50"]),
        ({"show_up": 3, "point": 0.5, "most": 5}, ["3.00", "9.00", "−7.00", "5.00"]),
    ):
        subject = Subject(session_open(study_read({**PAIRS, "pay": pay}), seed=7), f"ann {lines[-1]}")
        reckoned = amount(study_of(subject.member.session).form.pay, None, True, [18.0], (7, 0))
        Member.objects.filter(pk=subject.member.pk).update(
            state="done", ended=timezone.now(),
            pay={
                "points": reckoned.points, "show_up": str(reckoned.show_up), "bonus": str(reckoned.bonus),
                "total": str(reckoned.total), "currency": "EUR", "paid_run": None,
            },
        )  # fmt: skip
        assert sums(subject.sees().content.decode()) == lines
        assert sum(float(one.replace("−", "-")) for one in lines[:-1]) == pytest.approx(float(lines[-1]))


def test_the_door_says_what_it_pays_and_between_what_bounds(db: None) -> None:
    def told(pay: dict[str, Any], lang: str = "en") -> str:
        session = session_open(study_read({**PAIRS, "pay": pay}))
        found = re.search(
            r"<p>(?:You earn: |你的报酬：)(.*?)</p>", Client().get(f"/s/{session.code}?lang={lang}").content.decode()
        )
        return found[1] if found else ""

    assert told({}) == ""
    assert told({"show_up": 3}) == "3.00 EUR for taking part."
    assert told({"point": 0.1, "most": 7}) == "0.10 EUR for each point. In all at most 7.00 EUR."
    both = {"show_up": 3, "point": 0.1, "play": "one", "most": 7}
    assert told(both) == (
        "3.00 EUR for taking part. 0.10 EUR for each point. "
        "One match is drawn by lot at the end, and that one is paid. "
        "In all at least 3.00 EUR and at most 7.00 EUR, if you stay to the end."
    )
    assert told(both, "zh").endswith("坚持到最后，合计最少 3.00 EUR，最多 7.00 EUR。")


WORDED: dict[str, Any] = {
    "title": {"en": "How often?", "zh": "多久一次？"},
    "choices": [{"en": "Never", "zh": "从不"}, {"en": "Often", "zh": "经常"}, 7],
}


def test_choices_are_read_in_each_language_and_stored_in_one(db: None) -> None:
    check = {"ask": {"often": {**WORDED, "answer": "Often"}, "cc": {**WORDED, "answer": 7}}, "tries": 2}
    session = session_open(study_read({**PAIRS, "steps": {"check": check, "play": PAIRS["steps"]["play"]}}))
    ann = Subject(session, "ann", "zh")
    page = ann.sees().content.decode()
    assert re.findall(r'name="often" value="(\w+)">(\w+)</label>', page) == [
        ("Never", "从不"),
        ("Often", "经常"),
        ("7", "7"),
    ]
    page = ann.sends(often="Often", cc="Never").content.decode()
    page = ann.sees().content.decode()
    assert "✓ 经常</b>" in page, "what was right is read back in their language"
    assert 'name="cc" value="Never" checked>从不' in page
    ann.sends(often="Often", cc="7")
    assert ann.member.step == "play"
    assert ann.member.visits.get(why="answered").data == {"often": "Often", "cc": 7}
    assert {"Never | Often | 7"} <= {row["values"] for row in codebook(tables_of(session))}


def test_choices_that_would_be_stored_alike_are_refused(db: None) -> None:
    ask = {"often": {**WORDED, "choices": [{"en": "Often", "zh": "经常"}, {"en": "Often", "zh": "很少"}]}}
    with pytest.raises(BadScenario, match=r"steps.check.ask.often: choices: 'Often' stands there twice"):
        study_read({**PAIRS, "steps": {"check": {"ask": ask}, "play": PAIRS["steps"]["play"]}})


def unmatched(session: Session) -> Subject:
    """Somebody for whom no group was found."""
    ann = Subject(session, "ann")
    to_play(ann.member)
    Member.objects.update(until=timezone.now() - timedelta(seconds=1))
    studies_continue()
    return ann


def test_who_finds_no_group_may_play_unpaid_outside_of_the_study(session: Session, settings: Any) -> None:
    ann = unmatched(session)
    assert "Play unpaid" in ann.sees().content.decode()
    first, second = ann.sends(do="play_unpaid"), ann.sends(do="play_unpaid")
    run = Run.objects.get()
    assert first["Location"] == second["Location"] == f"/join/{run.code}", "pressed twice, it is one match"
    assert (run.session, [one.name for one in run.tags.all()]) == (None, ["visitor"])
    assert (ann.member.state, ann.member.pay["total"]) == ("unmatched", "3.0")
    settings.POLITY_VISITORS = False
    assert "Play unpaid" not in ann.sees().content.decode()
    assert ann.sends(do="play_unpaid").status_code == 200
    assert Run.objects.count() == 1


def test_only_who_found_no_group_is_offered_a_match(session: Session) -> None:
    ann = Subject(session, "ann")
    ann.sends(do="play_unpaid")
    ann.sends(agree="no")
    assert ann.member.state == "declined"
    assert "Play unpaid" not in ann.sees().content.decode()
    ann.sends(do="play_unpaid")
    assert not Run.objects.exists()


def test_an_early_end_marks_no_step_that_was_not_come_to(session: Session) -> None:
    page = unmatched(session).sees().content.decode()
    assert re.findall(r'<li class="(done|now|)">', page) == ["done", "done", "", "", "now"], "neither match nor survey"
    assert re.search(r"Receipt: .*? · participant 1 · \d{4}-", page)


@pytest.mark.parametrize(
    "typed",
    ["{0} {1}", "{0}-{1}", " {0}\u2013{1} ", "http://x/s/{0}{1}/", "http://x/s/{0}{1}?lang=zh", "wide", "lower"],
)
def test_a_code_may_be_typed_or_pasted_in_any_way(session: Session, typed: str) -> None:
    code = session.code
    wide = "".join(chr(ord(letter) + 0xFEE0) for letter in code)
    text = {"wide": wide, "lower": code.lower()}.get(typed) or typed.format(code[:3], code[3:])
    assert Client().get("/join", {"code": text})["Location"] == f"/s/{code}"


@pytest.mark.parametrize(
    "typed", ["NOSUCH", "\u0410\u0412\u0421", "\u0631\u0645\u0632", "<b>x</b>", "A" * 300, "../..", "\u200f"]
)
def test_a_code_that_is_none_is_told_as_one_message_and_kept_to_be_mended(db: None, typed: str) -> None:
    answer = Client().get("/join", {"code": typed})
    page = answer.content.decode()
    assert (answer.status_code, page.count('role="alert"')) == (404, 1)
    assert "<b>" not in page.partition("<main")[2].replace("<b>Polity</b>", "")


def test_the_button_of_the_door_pressed_twice_makes_one_member(db: None) -> None:
    session = session_open(study_read(PAIRS))
    door = f"/s/{session.code}"
    found = re.search(r'name="ticket" value="([^"]+)"', Client().get(door).content.decode())
    assert found is not None
    sent = {"lang": "en", "ticket": found[1]}
    answers = [client.post(door, sent) for client in (Client(), Client())]  # the second comes before the first cookie
    assert answers[0]["Location"] == answers[1]["Location"]
    assert Member.objects.count() == 1
    Client().post(door, {"lang": "en", "ticket": found[1] + "x"})
    Client().post(door, {"lang": "en"})
    assert Member.objects.count() == 3, "no ticket, or a changed one, is somebody else's"


@pytest.mark.parametrize("game", teaching.SCENARIOS)
def test_a_class_of_each_game_is_a_study_that_can_be_opened(game: str) -> None:
    study = study_text(teaching.class_text(game, 20, "partner", True))
    (steps,) = study.arms.values()
    play = steps["play"]
    assert (play.match, play.repeat, study.form.minutes, study.form.names) == ("partner", 3, 20, True)


@pytest.fixture
def operator() -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def test_three_choices_and_one_press_open_a_class(operator: Client) -> None:
    page = operator.get("/studies?teach=trust").content.decode()
    assert 'value="trust" checked' in page
    assert "study: class-trust" in page  # its file is there, for whoever wants it
    asked = {"teach": "trust", "minutes": "30", "match": "random", "do": "class"}
    opened = operator.post("/studies", asked)
    session = Session.objects.get()
    assert opened.headers["Location"] == f"/sessions/{session.pk}"
    document = session.study.document
    assert (document["minutes"], document["names"], document["steps"]["play"]["match"]) == (30, False, "random")


def test_a_choice_that_there_is_not_opens_nothing(operator: Client) -> None:
    assert operator.post("/studies", {"teach": "chess", "do": "class"}).status_code == 200
    assert not Session.objects.exists()
