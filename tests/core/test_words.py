"""A game's words as the server and its prompts tell them: placeholders as on the page, notes in every language."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import Any

import pytest

from games.core import cleaning
from games.core.answers import Note
from games.core.codec import decode_note, encode_note
from games.core.faults import KINDS
from games.core.registry import get, packs
from games.core.settings import Settings, setting
from games.core.words import Voice, Words, placeholders

CASES = json.loads((Path(__file__).parent / "sentences.json").read_text("utf-8"))
NAMES = {"wood": "wood", "gem_mine": "gem ore", "one hammer": "a hammer"}
TERMS = {"mine_cap": "mining cap", "gather": "gathering"}
VOICE = Voice(
    lambda text: NAMES.get(text, text.replace("_", " ")),
    lambda seat: f"miner-0{seat + 1}",
    one=lambda text: NAMES.get(f"one {text}", text),
    term=lambda word: TERMS.get(word, word.replace("_", " ")),
)
CAPPED = Note("mining_capped", {"action": "mine", "cell": [1, 2], "stamina": 9, "most": 3})


@pytest.mark.parametrize(("template", "data", "told"), CASES, ids=[case[0] for case in CASES])
def test_a_sentence_is_filled_as_on_the_page(template: str, data: dict[str, Any], told: str) -> None:
    assert VOICE.sentence(template, data) == told


@pytest.mark.parametrize("language", ["en", "zh"])
def test_a_file_of_words_is_read_as_by_the_page(language: str) -> None:
    folder = Path(__file__).parent / "words"
    assert Words(folder).book(language) == json.loads((folder / "books.json").read_text("utf-8"))[language]


def test_the_schema_says_in_full_what_the_form_says_shorter() -> None:
    class Fishing(Settings):
        words = Words(Path(__file__).parent / "words")
        boats: int = setting(2, 1, 9, unit="boats", group="people")

    field = Fishing.model_json_schema()["properties"]["boats"]
    assert field == {
        "title": "Boats", "description": "How many boats go out (N).", "default": 2, "minimum": 1, "maximum": 9,
        "type": "integer", "group": "people", "unit": "boats",
    }  # fmt: skip


def test_words_that_somebody_wrote_stay_one_quoted_line() -> None:
    said = {"text": 'no"\n{by:seat}'}
    assert VOICE.sentence("{text:quote}.", said) == '“no\\"\\n{by:seat}”.'
    assert Voice(str, str).sentence("{text:quote}.", said) == '"no\\"\\n{by:seat}".'


def test_a_note_is_told_in_the_language_that_is_asked_for() -> None:
    words = get("mining").words
    assert words.note(CAPPED) == "Mine (1,2): 9 stamina; at most 3 (mining cap). Cut to 3."
    exact = words.note(CAPPED, "en", words.exact("en"))
    assert exact == "mine (1,2): 9 stamina; at most 3 (mine_cap). Cut to 3."
    assert words.note(CAPPED, "zh") == "开采 (1,2)：投入体力 9 点；至多 3 点（采矿上限）。已减为 3 点。"


def test_a_model_is_told_of_things_as_they_stand_in_its_answers() -> None:
    words = get("adasociety").words
    note = Note("nothing_to_pick", {"resource": "gem_mine"})
    assert "gem_mine" in words.note(note, "zh", words.exact("zh"))
    assert "宝石矿" in words.note(note, "zh")


def test_a_note_without_words_is_told_as_it_came(tmp_path: Path) -> None:
    assert Words(tmp_path).note(Note("odd_thing", {"n": 1})) == 'odd thing {"n":1}'


def test_a_note_is_read_back_and_a_sentence_of_an_older_record_stays_one() -> None:
    assert decode_note(encode_note(CAPPED)) == CAPPED
    old = decode_note("mine: 9 stamina on (1,2); at most 3. Cut to 3.")
    assert get("mining").words.note(old, "zh") == "mine: 9 stamina on (1,2); at most 3. Cut to 3."


@pytest.mark.parametrize("junk", [None, 3, {}, {"kind": 1, "data": {}}, {"kind": "x", "data": []}])
def test_what_is_no_note_is_refused(junk: Any) -> None:
    with pytest.raises(TypeError, match="kind, data"):
        decode_note(junk)


@pytest.mark.parametrize("slug", sorted(packs()))
def test_the_outcome_of_a_run_names_measures_that_its_game_has_alike_in_both_languages(slug: str) -> None:
    pack = packs()[slug]
    told = {lang: pack.words.book(lang)["outcome"] for lang in ("en", "zh")}
    assert [placeholders(one) for one in told["en"]] == [placeholders(one) for one in told["zh"]]
    assert set().union(*map(placeholders, told["en"])) <= set(pack.metrics.about())


def test_an_outcome_leaves_out_what_is_not_known_of_the_run() -> None:
    words = get("mining").words
    assert words.outcome({"turnover_rate": 0.041, "gini": 0.25})["en"] == "turnover 4.1%, Gini 0.25"
    assert words.outcome({"turnover_rate": None, "gini": 0.25}) == {"en": "Gini 0.25", "zh": "基尼系数 0.25"}
    assert words.outcome({}) == {}


@pytest.mark.parametrize("slug", sorted(slug for slug, pack in packs().items() if pack.folder is not None))
def test_a_game_has_words_for_each_note_of_its_sources_and_no_others(slug: str) -> None:
    """Those that no law meets too, such as why a plan ended."""
    pack = packs()[slug]
    assert pack.folder is not None
    files = (path for path in sorted(pack.folder.rglob("*.py")) if "tests" not in path.relative_to(pack.folder).parts)
    sources = [ast.parse(path.read_text("utf-8")) for path in files]
    nodes = [node for source in sources for node in ast.walk(source)]
    written = {node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    made = [node.args[0] for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "id", "") == "Note"]
    named = {kind.value for kind in made if isinstance(kind, ast.Constant)}
    added = [node.args[0] for node in nodes if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "add"]
    built = [_pattern(kind) for kind in (*made, *added) if isinstance(kind, ast.JoinedStr)]
    words = set(pack.words.book("en")["notes"])
    named -= {*pack.words.book("en").get("faults", ()), *KINDS.values()}  # what is wrong with a config or an answer
    assert named <= words, f"no words for {sorted(map(str, named - words))}"
    shared = ast.walk(ast.parse(Path(cleaning.__file__).read_text("utf-8")))
    written |= {node.value for node in shared if isinstance(node, ast.Constant) and isinstance(node.value, str)}
    unused = {kind for kind in words - written if not any(re.fullmatch(pattern, kind) for pattern in built)}
    assert not unused, f"words for notes that are never made: {sorted(unused)}"


def _pattern(kind: ast.JoinedStr) -> str:
    return "".join(re.escape(str(part.value)) if isinstance(part, ast.Constant) else ".+" for part in kind.values)


def test_placeholders_are_the_keys_that_a_sentence_names() -> None:
    assert placeholders("{n} {n|plot|plots} of {by:seat}, {tax.rate}") == {"n", "by", "tax"}
