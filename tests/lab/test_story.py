"""The story of a run: every sentence is held against the log that it was told from."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any

import pytest

from games.core.registry import Registry
from games.lab.story import Log, Story, plain_text, story
from games.lab.story.finders import FINDERS, Sought
from games.lab.story.rules import COMMON, new_log, rules_of

PACKS = Registry().packs()
LANGUAGES = ("en", "zh")
OWN = [slug for slug, pack in PACKS.items() if pack.files.story() is not None]


def record(
    step: int, *, gained: Mapping[int, float] = {}, events: Any = (), flags: Any = (), notes: Any = (), seats: int = 2
) -> dict[str, Any]:
    """One step of a match whose clock counts turns in one round, as it is stored."""
    return {
        "step": step, "clock": [["round", 1], ["turn", step]] if step else [],
        "seats": list(range(seats)) if step else [],
        "payoffs": [[seat, amount] for seat, amount in gained.items()],
        "events": [{"kind": kind, "data": data} for kind, data in events],
        "flags": [[seat, list(raised)] for seat, raised in flags],
        "notes": [[seat, [{"kind": "cut", "data": {}}]] for seat in notes], "metrics": {},
    }  # fmt: skip


def told(*records: dict[str, Any], seats: int = 2, over: bool = True, slug: str = "nations", **more: Any) -> Story:
    log = new_log(PACKS[slug])
    for one in (record(0), *records):
        log.add(one)
    return story(PACKS[slug], log, [""] * seats, over=over, **more)


def name(seat: int) -> str:
    return "ABCDEFGHIJKLMNOPQRSTUVWXYZ"[seat]


def title(one: Story, language: str = "en") -> str:
    return plain_text(one["title"], language, name)


def sentences(one: Story, language: str = "en") -> dict[str, str]:
    return {each["kind"]: plain_text(each["said"], language, name) for each in one["sentences"]}


# --- who won ------------------------------------------------------------------------------------------


def test_the_title_names_who_won_by_how_much_and_whom_it_passed_when() -> None:
    one = told(record(1, gained={0: 5, 1: 2}), record(2, gained={0: 1, 1: 9}), record(3, gained={0: 1, 1: 1}))
    assert title(one) == "B wins by 5 welfare, passing A in turn 2"
    assert title(one, "zh") == "B 以 5 福利之差获胜，在第 2 回合超过 A"
    assert (one["outcome"], one["first"], one["margin"]) == ("won", [1], 5)
    assert one["relative"] == pytest.approx(5 / 7)
    assert [(lead["seat"], lead["at"], lead["until"]) for lead in one["led"]] == [(0, 1, 1), (1, 2, 3)]


def test_who_passes_in_the_last_round_is_said_to() -> None:
    assert (
        title(told(record(1, gained={0: 5}), record(2, gained={1: 9})))
        == "B wins by 4 welfare, passing A in turn 2, the last"
    )


def test_who_was_ahead_all_the_time_is_said_to_have_been() -> None:
    one = told(record(1, gained={0: 1, 1: 1}), record(2, gained={0: 2, 1: 1}), record(3, gained={0: 1, 1: 1}))
    assert title(one) == "A wins by 1 welfare and is ahead from turn 2 to the end"
    assert "leads" not in sentences(one)


def test_a_tie_names_all_who_share_the_first_place_and_nobody_as_the_winner() -> None:
    one = told(record(1, gained={0: 2, 1: 2, 2: 1}, seats=3), seats=3)
    assert title(one) == "A and B share the first place with 2 welfare each"
    assert (one["outcome"], one["first"], one["margin"]) == ("tied", [0, 1], None)
    assert title(told(record(1, gained={0: 2, 1: 2}))) == "Everybody ends level, with 2 welfare each"


def test_sums_of_decimals_in_another_order_are_level() -> None:
    one = told(*(record(n, gained={0: a, 1: b}) for n, (a, b) in enumerate([(0.1, 0.3), (0.2, 0.2), (0.3, 0.1)], 1)))
    assert one["outcome"] == "level"


def test_a_match_of_no_round_and_one_without_gains_say_so() -> None:
    assert title(told()) == "No round was played"
    assert title(told(record(1))) == "Over after 1 round; nobody earned anything"


def test_a_match_under_way_is_told_as_it_stands() -> None:
    one = told(record(1, gained={0: 5, 1: 2}), over=False)
    assert title(one) == "A is ahead by 3 welfare after turn 1"
    assert not one["over"]


def test_planners_are_not_ranked_beside_workers() -> None:
    log = new_log(PACKS["economist"])
    for one in (record(0), record(1, gained={0: 2, 1: 1, 2: 90}, seats=3)):
        log.add(one)
    one = story(PACKS["economist"], log, ["worker", "worker", "planner"])
    assert one["first"] == [0]
    assert one["margin"] == 1


# --- who did not move ---------------------------------------------------------------------------------


def test_of_dead_models_nobody_is_ranked() -> None:
    one = told(*(record(n, gained={0: 3, 1: 1}, flags=[(0, ["fallback"]), (1, ["fallback"])]) for n in (1, 2)))
    assert title(one) == "Nobody is ranked: 4 of 4 moves were not the seats’ own"
    assert (one["outcome"], one["first"]) == ("unsound", [])
    assert sentences(one)["silent_all"] == "A and B never moved: none of 4 moves was their own."
    assert "margin" not in sentences(one)


def test_of_dead_models_no_behaviour_is_told() -> None:
    steps = [record(n, gained={0: 3, 1: 1}, flags=[(0, ["fallback"]), (1, ["fallback"])]) for n in (1, 2)]
    assert set(sentences(told(*steps))) == {"silent_all"}
    assert title(told(*steps, over=False)) == "Nobody is ranked: 4 of 4 moves were not the seats’ own"


def test_what_the_clock_played_is_no_answer_of_which_a_part_was_struck_out() -> None:
    one = told(*(record(n, gained={0: 3}, flags=[(1, ["timed_out"])], notes=[0, 1]) for n in range(1, 3)))
    assert one["struck"] == 2


def test_of_who_left_the_rounds_are_named() -> None:
    away = {4: ["substitute"], 5: ["timed_out"]}
    one = told(*(record(n, gained={0: 3, 1: 1}, flags=[(1, away[n])] if n in away else []) for n in range(1, 11)))
    assert sentences(one)["silent"] == "B did not decide itself 2 of 10 times, in turn 4 and turn 5."
    assert one["silent"] == [(1, 10, 2)]
    assert one["outcome"] == "won"


def test_what_was_struck_out_is_counted_by_decisions() -> None:
    one = told(record(1, gained={0: 1}, notes=[1]), record(2, gained={0: 1}, notes=[0, 1]))
    assert sentences(one)["struck"] == "Of 4 decisions 3 had a part struck out or changed, 2 of them of B."
    assert one["struck"] == 3


# --- what happened ------------------------------------------------------------------------------------


def test_promises_kept_and_broken_are_counted_and_the_first_breach_is_a_turning_point() -> None:
    broken = ("promise_broken", {"by": 1, "to": 0, "what": "grant", "amount": 3})
    kept = ("promise_kept", {"by": 0, "to": 1, "what": "grant", "amount": 3})
    one = told(record(1, gained={0: 4, 1: 1}, events=[kept]), record(2, gained={0: 1, 1: 1}, events=[broken, kept]))
    assert sentences(one)["promises"].startswith("3 promises to pay, cede or keep the peace fell due: 2 kept, 1 broken")
    assert (one["kept"], one["broken"]) == (2, 1)
    captions = [plain_text(turn["said"], "en", name) for turn in one["turning"]]
    assert "B breaks its word to A" in captions
    assert next(turn["at"] for turn in one["turning"] if "breaks" in str(turn["said"])) == 2


def test_who_wrote_and_was_never_answered_is_named() -> None:
    said = [("message_sent", {"by": 0, "to": [1], "text": "hello"})] * 2
    one = told(record(1, gained={0: 1}, events=said))
    assert sentences(one)["messages_silent" if "messages_silent" in sentences(one) else "messages"].startswith(
        "2 messages were written, most by A (2); B wrote none"
    )
    assert sentences(one)["unanswered"] == "A wrote 2 times to B, who never wrote back."


def test_sentences_are_at_most_eight_and_turning_points_three_in_the_order_of_time() -> None:
    for one in stories():
        assert 1 <= len(one["sentences"]) <= 8
        steps = [turn["at"] for turn in one["turning"]]
        assert steps == sorted(set(steps))
        assert len(steps) <= 3
        numbers = [each["turning"] for each in one["sentences"] if each["turning"]]
        assert sorted(numbers) == list(range(1, len(steps) + 1))


# --- held against logs that were played -----------------------------------------------------------------

PLAYED: tuple[tuple[str, int, dict[str, Any]], ...] = (
    ("nations/demo", 3, {}), ("mining/policies", 1, {"rounds": 25}), ("dilemma/demo", 1, {}),
    ("economist/five-epochs", 1, {}), ("adasociety/negotiation-easy", 1, {}), ("public_goods/default", 1, {}),
    ("double_auction/default", 1, {}), ("nations/rounds", 2, {}),
)  # fmt: skip


def played(target: str, seed: int, config: dict[str, Any]) -> tuple[str, list[dict[str, Any]], list[str]]:
    """A match of policies: its game, its records, the role of each seat."""
    import polity

    runs = polity.play(target, seeds=[seed], config=config)
    entry = runs.folder.entries[0]
    roles = [one["role"] for one in runs.folder.conditions[entry.condition]["agents"]]
    return runs.folder.game, list(runs.folder.records(entry, 0)), roles


@cache
def plays() -> list[tuple[str, list[dict[str, Any]], list[str]]]:
    return [played(*one) for one in PLAYED]


def logs() -> Iterator[tuple[str, list[dict[str, Any]], list[str], Log, Story]]:
    for slug, records, roles in plays():
        log = new_log(PACKS[slug])
        for one in records:
            log.add(one)
        yield slug, records, roles, log, story(PACKS[slug], log, roles)


def stories() -> Iterator[Story]:
    return (one for *_, one in logs())


def test_who_won_and_by_how_much_is_what_the_payoffs_sum_to() -> None:
    for slug, records, roles, _, one in logs():
        sums = {
            seat: 0.0
            for seat, role in enumerate(roles)
            if role in rules_of(PACKS[slug]).ranked or not rules_of(PACKS[slug]).ranked
        }
        for each in records:
            for seat, amount in each["payoffs"]:
                if seat in sums:
                    sums[seat] += amount
        order = sorted(sums, key=lambda seat: -sums[seat])
        top = [seat for seat in sorted(sums) if sums[seat] == pytest.approx(sums[order[0]])]
        assert sorted(one["first"]) == top, slug
        if len(top) == 1:
            assert one["margin"] == pytest.approx(sums[order[0]] - sums[order[1]]), slug


def test_every_lead_was_a_lead() -> None:
    for slug, records, roles, _, one in logs():
        ranked = rules_of(PACKS[slug]).ranked
        for lead in one["led"]:
            sums = {seat: 0.0 for seat, role in enumerate(roles) if not ranked or role in ranked}
            for each in records:
                for seat, amount in each["payoffs"]:
                    if each["step"] <= lead["until"] and seat in sums:
                        sums[seat] += amount
            assert all(sums[lead["seat"]] > sums[seat] for seat in sums if seat != lead["seat"]), (slug, lead)


def test_every_moment_that_a_sentence_names_is_a_step_of_the_log() -> None:
    for _, records, _, _, one in logs():
        steps = {each["step"] for each in records}
        for each in one["sentences"]:
            assert {each["at"], each["until"]} <= steps
            for language in LANGUAGES:
                for part in each["said"][language]:
                    if isinstance(part, dict) and "at" in part:
                        assert part["at"] in steps


def test_what_a_rule_of_a_game_finds_is_in_the_log() -> None:
    """Counts, firsts and pairs are reckoned again, without the finders."""
    for slug, records, roles, log, _ in logs():
        happened = [(each["step"], event["kind"], event["data"]) for each in records for event in each["events"]]
        for rule in rules_of(PACKS[slug]).tells:
            facts = FINDERS[rule["find"]](rule, Sought(log, range(len(roles)), {}))
            of = [(step, data) for step, kind, data in happened if kind in rule.get("of", ())]
            if facts is None:
                assert rule["find"] not in ("first", "most") or not of
                continue
            if rule["find"] == "first":
                step, data = of[-1 if rule.get("last") else 0]
                own = data.keys() - {"at", "times"}
                assert log.rounds[facts["at"]].first <= step <= log.rounds[facts["at"]].last
                assert {key: facts[key] for key in own} == {key: data[key] for key in own}
                assert facts["times"] == len(of)
            if rule["find"] == "pair":
                pairs = [(data[rule["by"]], on) for _, data in of for on in _each(data[rule["on"]])]
                assert facts["times"] == pairs.count((facts["by"], facts["on"]))
                assert facts["times"] == max(map(pairs.count, pairs))
            if rule["find"] == "total":
                for what, kinds in rule["counts"].items():
                    assert facts[what] == sum(kind in kinds for _, kind, _ in happened)
            if rule["find"] == "never":
                fields = [rule["on"]] if isinstance(rule["on"], str) else rule["on"]
                named = {seat for _, data in of for field in fields for seat in _each(data[field])}
                assert named.isdisjoint(facts["seats"])
                assert named | set(facts["seats"]) == set(range(len(roles)))


def _each(value: Any) -> list[int]:
    return value if isinstance(value, list) else [value]


def test_the_same_log_gives_the_same_story_and_nothing_is_left_unfilled() -> None:
    for slug, _, roles, log, one in logs():
        assert story(PACKS[slug], log, roles) == one
        for language in LANGUAGES:
            for text in (title(one, language), *sentences(one, language).values()):
                assert "–" not in text, text
                assert not any(mark in text for mark in "{}<>\x00\x01"), text


# --- the words ------------------------------------------------------------------------------------------


def test_every_sentence_stands_in_both_languages_with_the_same_facts() -> None:
    from games.core.words import placeholders

    assert COMMON["en"].keys() == COMMON["zh"].keys()
    # A count may be written by number in English and not in Chinese: the key is the same.
    for key in COMMON["en"]:
        assert placeholders(COMMON["zh"][key]) <= placeholders(COMMON["en"][key]), key


@pytest.mark.parametrize("slug", OWN)
def test_every_rule_of_a_game_looks_for_what_the_game_has(slug: str) -> None:
    pack, known = PACKS[slug], PACKS[slug].words.book("en")
    for rule in rules_of(pack).tells:
        assert rule["find"] in FINDERS
        if rule["find"] == "measures":
            assert set(rule["of"]) <= set(pack.metrics.about()), rule
            continue
        kinds = {*rule.get("of", ()), *(kind for kinds in rule.get("counts", {}).values() for kind in kinds)}
        assert kinds <= set(known["events"]), rule
        for words in (rule, *([rule["turning"]] if rule.get("turning") else [])):
            assert set(LANGUAGES) <= set(words), rule


def test_text_sets_latin_names_apart_from_chinese() -> None:
    said: dict[str, list[Any]] = {"zh": [{"seat": 0}, "获胜"]}
    naming: Callable[[int], str] = lambda seat: "Aldor"  # noqa: E731
    assert plain_text(said, "zh", naming) == "Aldor 获胜"
