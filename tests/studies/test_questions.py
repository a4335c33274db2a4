"""The kinds of questions, their order, conditions on what was answered, and what is put into texts."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client

from games.errors.faults import BadScenario
from games.site.exports.sessions import codebook, tables_of
from games.site.models import Member, Visit
from games.site.studies.facts import order_of
from games.site.studies.loading import study_read
from games.site.studies.questions import Question
from games.site.studies.rehearsing import rehearse
from games.site.studies.values import answer_read, fields_of
from games.site.studies.walking import member_join, session_open, study_of
from tests.studies.conftest import again, sends

pytestmark = pytest.mark.django_db(transaction=True)

KINDS: dict[str, dict[str, Any]] = {
    "choice": {"choices": ["Never", "Often"]},
    "drop": {"choices": [{"en": "Town", "zh": "城"}, {"en": "Land", "zh": "乡"}], "as": "select"},
    "yes": {"type": "boolean"},
    "scale": {"type": "integer", "minimum": 1, "maximum": 7, "as": "likert", "low": "not at all", "high": "fully"},
    "warm": {"type": "integer", "minimum": 0, "maximum": 10, "as": "slider"},
    "age": {"type": "integer", "minimum": 18},
    "rate": {"type": "number", "minimum": 0, "maximum": 1},
    "why": {"as": "area"},
    "name": {},
    "uses": {"choices": ["Bus", "Bike", "Car"], "as": "several", "maximum": 2},
    "trust": {
        "as": "matrix", "type": "integer", "minimum": 1, "maximum": 5, "rows": {"law": "The law", "press": "The press"}
    },
    "goods": {"choices": ["Peace", "Money", "Time"], "as": "ranking"},
    "split": {"type": "integer", "as": "allocation", "total": 10, "rows": {"me": "You", "other": "The other"}},
    "risk": {
        "as": "prices", "once": True,
        "prices": [{"a": [0.1, 2, 1.6], "b": [0.1, 3.85, 0.1]}, {"a": [0.9, 2, 1.6], "b": [0.9, 3.85, 0.1]}],
    },
}  # fmt: skip
SENT: dict[str, str] = {
    "choice": "Often", "drop": "Land", "yes": "no", "scale": "7", "warm": "0", "warm.moved": "yes", "age": "20",
    "rate": "0.5", "why": "so", "name": "x", "uses.1": "yes", "uses.3": "yes", "trust.law": "2", "trust.press": "5",
    "goods.1": "3", "goods.2": "1", "goods.3": "2", "split.me": "6", "split.other": "4", "risk.1": "a", "risk.2": "b",
}  # fmt: skip
VALUES: dict[str, Any] = {
    "choice": "Often", "drop": "Land", "yes": False, "scale": 7, "warm": 0, "age": 20, "rate": 0.5, "why": "so",
    "name": "x", "uses": ["Bus", "Car"], "trust": {"law": 2, "press": 5}, "goods": ["Money", "Time", "Peace"],
    "split": {"me": 6, "other": 4}, "risk": ["a", "b"],
}  # fmt: skip


ALONE: dict[str, Any] = {
    "scenario": "dilemma/tft-vs-alld",
    "seats": {"A": {"person": True, "substitute": "RANDOM"}, "B": {"policy": "ALLD"}},
}


def asks(**pages: dict[str, Any]) -> Member:
    """Somebody at the first page of a study of these pages."""
    return member_join(session_open(study_read({"study": "asks", "steps": pages}), seed=3), label="a")


def titled(questions: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {name: {"title": f"{name}?", **one} for name, one in questions.items()}


def question(name: str, **more: Any) -> Question:
    return Question.model_validate({"title": "?", **KINDS[name], **more})


def faulty(data: dict[str, Any]) -> str:
    with pytest.raises(BadScenario) as caught:
        study_read({"study": "bad", **data})
    return "; ".join(f"{one.path}: {one.message}" for one in caught.value.faults)


def test_fourteen_kinds_are_read_as_values_of_their_kind_and_shown_again_as_written() -> None:
    member = asks(one={"ask": titled(KINDS)}, end={"text": "Bye."})
    client = Client()
    shown = client.get(f"/me/{member.pk}").content.decode()
    assert all(f'name="{name}"' in shown for name in SENT if not name.endswith(".moved"))
    assert sends(member, **SENT) == {}
    assert Visit.objects.get(member=member).data == VALUES
    for name, value in VALUES.items():
        assert answer_read(question(name), name, fields_of(question(name), name, value)) == (value, None)


@pytest.mark.parametrize(
    ("name", "sent", "said"),
    [
        ("uses", {}, "needed"),
        ("uses", {"1": "yes", "2": "yes", "3": "yes"}, "3; at most 2"),
        ("trust", {"law": "2"}, "needed"),
        ("trust", {"law": "2", "press": "6"}, "'6'; one of 1, 2, 3, 4, 5"),
        ("goods", {"1": "1", "2": "1", "3": "2"}, "each rank from 1 to 3 once"),
        ("split", {"me": "6", "other": "5"}, "11; all together must be 10"),
        ("split", {"me": "11", "other": "-1"}, "-1; at least 0"),
        ("split", {"me": "x", "other": "1"}, "x; a whole number is needed"),
        ("risk", {"1": "b", "2": "a"}, "you went over to the second option and back; change once at the most"),
        ("risk", {"1": "b"}, "needed"),
    ],
)
def test_what_is_wrong_with_an_answer_of_parts_is_said(name: str, sent: dict[str, str], said: str) -> None:
    member = asks(one={"ask": titled({name: KINDS[name]})}, end={"text": "Bye."})
    assert sends(member, **{f"{name}.{part}": one for part, one in sent.items()}) == {name: said}
    assert again(member).step == "one"


def test_each_part_is_a_typed_row_and_stands_in_the_codebook() -> None:
    member = asks(one={"ask": titled(KINDS)}, end={"text": "Bye."})
    sends(member, **SENT)
    told = tables_of(member.session)
    rows = {(row["question"], row["part"]): (row["value"], row["number_value"]) for row in told.rows["answers"]}
    assert [rows["uses", one] for one in ("Bus", "Bike", "Car")] == [("true", 1.0), ("false", 0.0), ("true", 1.0)]
    assert (rows["goods", "Money"], rows["split", "me"], rows["trust", "law"]) == (("1", 1.0), ("6", 6.0), ("2", 2.0))
    assert (rows["risk", "2"], rows["rate", ""]) == (("b", None), ("0.5", 0.5))
    book = {row["column"]: row["meaning"] for row in codebook(told) if row["table"] == "answers"}
    assert book["question = risk, step = one, part = 2"] == "90%: 2, 10%: 1.6 / 90%: 3.85, 10%: 0.1"
    assert {f"question = {question}, step = one" + f", part = {part}" * bool(part) for question, part in rows} <= set(
        book
    )


def test_a_box_that_is_unticked_is_gone_from_the_draft() -> None:
    member = asks(one={"ask": titled({"uses": KINDS["uses"]})}, end={"text": "Bye."})
    client = Client()
    at = {"at": "one.0.0"}
    client.post(f"/me/{member.pk}/sign", {**at, "uses.1": "yes", "uses.2": "yes"})
    client.post(f"/me/{member.pk}/sign", {**at, "uses.2": "yes"})
    ticked = re.findall(
        r'name="(uses\.\d)" value="yes" data-value="\w+"( checked)?', client.get(f"/me/{member.pk}").content.decode()
    )
    assert ticked == [("uses.1", ""), ("uses.2", " checked"), ("uses.3", "")]


def test_the_order_is_each_members_own_and_blocks_stay_together() -> None:
    asked = titled({name: {"block": name[0]} for name in ("a1", "a2", "a3", "b1", "b2", "c1")})
    session = session_open(study_read({"study": "s", "steps": {"one": {"ask": asked, "shuffle": "both"}}}), seed=5)
    members = [member_join(session, label=f"p{n}") for n in range(12)]
    step = study_of(session).form.steps["one"]
    orders = {tuple(order_of(one, "one", step)) for one in members}
    assert len(orders) > 6
    assert all(re.fullmatch(r"((a\d)*(b\d)*|(b\d)*(a\d)*)*c1.*|.*", "".join(order)) for order in orders)
    for order in orders:
        letters = "".join(name[0] for name in order)
        assert sorted(order) == sorted(asked)
        assert all(letter * letters.count(letter) in letters for letter in "abc")
    shown = Client().get(f"/me/{members[3].pk}").content.decode()
    assert re.findall(r'name="([abc]\d)"', shown) == order_of(members[3], "one", step)
    sends(members[3], **dict.fromkeys(asked, "x"))
    places = {row["question"]: row["position"] for row in tables_of(session).rows["answers"]}
    assert sorted(places, key=places.__getitem__) == order_of(members[3], "one", step)


def test_a_question_and_a_page_are_asked_where_their_conditions_hold_and_only_then() -> None:
    ask = titled({
        "plays": {"type": "boolean"},
        "hours": {"type": "integer", "if": {"plays": True}},
    })  # fmt: skip
    pages = {
        "one": {"ask": ask},
        "many": {"text": "You play a lot.", "if": {"one.hours": {"at_least": 10}}},
        "never": {"text": "You do not play.", "if": {"one.plays": False}},
        "end": {"text": "Bye."},
    }
    heavy, none, light = (asks(**pages) for _ in range(3))
    assert sends(heavy, plays="yes") == {"hours": "needed"}
    assert (sends(heavy, plays="yes", hours="12"), again(heavy).step) == ({}, "many")
    assert (sends(none, plays="no", hours="3"), again(none).step) == ({}, "never")
    assert Visit.objects.get(member=none).data == {"plays": False}, "what was not asked is not kept"
    assert (sends(light, plays="yes", hours="2"), again(light).step) == ({}, "end")
    shown = Client().get(f"/me/{asks(**pages).pk}").content.decode()
    assert 'data-if="{&quot;plays&quot;: true}"' in shown, "a script shows it in time"


def test_answers_and_results_are_put_into_later_texts_in_the_readers_language() -> None:
    pages = {
        "one": {"ask": titled({"place": KINDS["drop"], "uses": KINDS["uses"]})},
        "end": {"text": {"en": "From {{one.place}} by {{ one.uses }}.", "zh": "来自{{one.place}}，{{one.uses}}。"}},
    }
    member = asks(**pages)
    sends(member, place="Land", **{"uses.1": "yes", "uses.3": "yes"})
    client = Client()
    assert "From Land by Bus, Car." in client.get(f"/me/{member.pk}").content.decode()
    assert "来自乡，Bus、Car。" in client.get(f"/me/{member.pk}?lang=zh", follow=True).content.decode()


def test_results_of_a_match_are_put_into_texts_and_decide_on_pages() -> None:
    data = {
        "study": "results",
        "steps": {
            "play": {**ALONE, "config": {"rounds": 2}},
            "poor": {"text": "You: {{play.points}}, they: {{play.others}}.", "if": {"play.points": {"at_most": 2}}},
            "rich": {"text": "Well done.", "if": {"play.points": {"at_least": 3}}},
        },
    }  # fmt: skip
    session, _ = rehearse(study_read(data), members=6, seed=4)
    came = {visit.member_id: visit.step for visit in Visit.objects.exclude(step="play")}
    for one in Member.objects.filter(session=session):
        assert came[one.pk] == ("rich" if one.pay["points"] >= 3 else "poor")


def test_checks_of_attention_are_never_told_counted_and_end_a_walk_at_the_bound() -> None:
    check = {"choices": ["Blue", "Red"], "answer": "Red", "attention": True}
    steps = {name: {"ask": titled({"colour": check})} for name in ("one", "two", "three")}
    study = study_read({"study": "s", "steps": steps, "attention": {"failed": 2}})
    session = session_open(study, seed=1)
    careful, careless = (member_join(session, label=name) for name in "ab")
    assert sends(careless, colour="Blue") == {}
    assert again(careless).step == "two", "nothing is told of it"
    assert sends(careless, colour="Blue") == {}
    assert again(careless).state == "screened"
    sends(careful, colour="Red"), sends(careful, colour="Blue"), sends(careful, colour="Red")
    assert again(careful).state == "done"
    told = tables_of(session).rows
    assert [row["attention_failed"] for row in told["members"]] == [1, 2]
    assert [row["why"] for row in told["visits"] if row["number"] == 1] == ["answered", "inattentive"]


def test_one_round_of_one_match_is_drawn_for_pay_and_told() -> None:
    steps = {
        "play": {
            "scenario": "dilemma/tft-vs-alld",
            "config": {"rounds": 5},
            "repeat": 2,
            "seats": {"*": {"person": True, "substitute": "RANDOM"}},
        }
    }
    session, _ = rehearse(study_read({"study": "s", "steps": steps, "pay": {"point": 1, "play": "round"}}), members=2)
    told = tables_of(session).rows
    for row in told["members"]:
        gained = [
            one["payoff"] for one in told["decisions"]
            if (one["member"], one["round"], one["game_round"]) == (row["member"], row["paid_match"], row["paid_round"])
        ]  # fmt: skip
        assert gained == [row["points"]]
        shown = Client().get(f"/me/{Member.objects.get(session=session, number=row['number']).pk}").content.decode()
        assert f"Round {row['paid_round']} of match {row['paid_match'] + 1}, drawn by lot" in shown


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ({"a": {"text": "{{b.x}}"}}, "steps.a.text: 'b.x'; there are number, points"),
        (
            {"a": {"ask": {"x": {"title": "?", "if": {"y": 1}}, "y": {"title": "?"}}}},
            "steps.a.ask.x.if: 'y'; there are number, points",
        ),
        (
            {"a": {"ask": {"x": {"title": "?", "type": "integer"}}}, "b": {"text": "t", "if": {"a.x": "5"}}},
            "steps.b.if.a.x: answer: '5'; the question is a integer",
        ),
        ({"a": {"ask": {"x": {"title": "?", "as": "matrix"}}}}, "as: matrix needs rows"),
        ({"a": {"ask": {"x": {"title": "?", "total": 3}}}}, "total: only a question with as: allocation has it"),
        ({"a": {"ask": {"x": {"title": "?", "attention": True}}}}, "attention: a check needs an answer"),
        ({"a": {"ask": {"x": {"title": "?"}}, "shuffle": "some"}}, "steps.a.shuffle: 'some'; one of"),
    ],
)
def test_what_can_never_be_asked_is_an_error_of_check(steps: dict[str, Any], said: str) -> None:
    assert said in faulty({"steps": steps})
