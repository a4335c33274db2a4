"""A study's file beside its pages: whoever writes it sees each page of each arm as its members will."""

from __future__ import annotations

import html
import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from games.site.models import Member, Session, Study
from games.site.studies import presets
from games.site.studies.keys import file_keys
from games.site.studies.keywords import MEANS
from games.site.studies.loading import study_text

pytestmark = pytest.mark.django_db

FILE = """
study: two-arms
title: {en: Two ways, zh: 两种方式}
arms: {told: {}, untold: {about: {text: {en: Four make a group., zh: 四人一组。}}}}
steps:
  consent: {agree: true, text: {en: Do you agree?, zh: 你同意吗？}}
  about: {text: {en: Two of four are models., zh: 四人中有两个模型。}, limit_s: 65}
  rules: {rules: play}
  play: {scenario: dilemma/tft-vs-alld, config: {rounds: 2}, seats: {"*": {person: true}}}
  survey: {ask: {trust: {title: {en: Trust?, zh: 信任？}, type: integer, minimum: 1, maximum: 5, as: likert}}}
pay: {currency: EUR, show_up: 3}
ends: {done: {code: C-77}}
"""


@pytest.fixture
def writer(db: None) -> Client:
    client = Client()
    client.force_login(get_user_model().objects.create_user("op", is_superuser=True))
    return client


def shown(writer: Client, at: str = "", text: str = FILE, **more: str) -> list[str]:
    """The pages in the frames; they are the same in both."""
    page = writer.post("/studies", {"file": text, "do": "check", "at": at, **more}).content.decode()
    return [html.unescape(one) for one in re.findall(r'srcdoc="([^"]*)"', page)]


def test_each_page_of_each_arm_is_seen_as_on_a_laptop_and_a_phone(writer: Client) -> None:
    told = {
        "told/": "3.00 EUR for taking part",
        "told/consent": "Do you agree?",
        "told/about": "Two of four are models.",
        "untold/about": "Four make a group.",
        "told/rules": 'id="do"',
        "told/play": 'id="do"',
        "untold/survey": "Trust?",
        "told//": "C-77",
    }
    for at, text in told.items():
        frames = shown(writer, at)
        assert len(frames) == 2, at
        assert text in frames[0], at
        assert "<!doctype html>" in frames[0]
    assert "两种方式" in shown(writer, "told/consent", lang="zh")[0]
    assert not Member.objects.exists()
    assert not Study.objects.exists(), "to look at a page keeps nothing"
    assert not Session.objects.exists()


def test_a_page_that_is_looked_at_gives_no_sign_of_life_and_goes_nowhere(writer: Client) -> None:
    about = shown(writer, "told/about")[0]
    assert '<b role="timer" data-left="65">1:05</b>' in about
    assert "data-sign" not in about
    assert "data-again" not in about
    assert about.count("<form") == about.count("<form inert") > 0


def test_a_fault_leaves_the_last_good_page_and_says_what_is_wrong(writer: Client) -> None:
    page = writer.post("/studies", {"file": FILE.replace("agree:", "agrees:"), "do": "check"}).content.decode()
    assert re.search(r'role="alert">▼ steps\.consent\.agrees', page)
    assert page.count("data-keep") == 2
    assert shown(writer, text=FILE.replace("agree:", "agrees:")) == []
    assert "Do you agree?" in shown(writer, "no/such")[0], "a page that is gone: the first"


@pytest.mark.parametrize("name", presets.names())
def test_every_page_of_the_published_studies_can_be_seen_in_both_languages(writer: Client, name: str) -> None:
    study = study_text(presets.text_of(name))
    for arm, steps in study.arms.items():
        for step in steps:
            for lang in ("en", "zh"):
                assert len(shown(writer, f"{arm}/{step}", presets.text_of(name), lang=lang)) == 2, (arm, step)


def test_the_page_of_keys_lists_all_of_the_schema_with_an_example_of_each(writer: Client) -> None:
    page = writer.get("/studies/keys").content.decode()
    listed = re.findall(r'<tr id="([^"]+)">', page)
    assert listed == [one.path for one in file_keys()]
    assert html.escape('{"else": "fill", "wait_s": 300}') in page
    assert re.findall(r'<tr id="([^"]+)">', Client().get("/studies/keys").content.decode()) == listed


def test_the_page_of_keys_says_in_chinese_what_each_means_and_holds(writer: Client) -> None:
    page = writer.get("/studies/keys?lang=zh").content.decode()
    keys, english = file_keys("zh"), file_keys()
    assert set(MEANS) == {one.path for one in english}
    assert [one.path for one in keys if html.escape(one.about) not in page] == []
    assert [one.path for one, other in zip(keys, english, strict=True) if one.about == other.about] == []
    wait = next(one for one in keys if one.path == "steps.STEP.gather.wait_s")
    assert wait.kind == "数，5 到 86400"
    assert html.escape(wait.kind) in page
    assert "whole number" not in page
