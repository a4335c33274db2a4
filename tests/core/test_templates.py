"""Templates: blocks, conditions and what they refuse."""

from __future__ import annotations

from pathlib import Path

import pytest
from jinja2 import UndefinedError

from games.core.templates import Templates

TEXT = """\
% block system
You are {{ seat }}.{{ persona }}

% if rules

The rules:
% for rule in rules
- {{ rule | json }}
% endfor
% endif

Go.
% endblock
% block other
{{ price | general }} <b> & 100% {{ said | quoted }}
% endblock
"""


def test_conditions_take_their_own_lines_away_and_no_others(tmp_path: Path) -> None:
    (tmp_path / "en.md").write_text(TEXT)
    texts = Templates(tmp_path)
    bare = texts.say("en", "system", {"seat": 1, "persona": " ", "rules": ()})
    assert bare == "You are 1.\n\n\nGo."
    full = texts.say("en", "system", {"seat": 1, "persona": "", "rules": ([0, 1], "b")})
    assert full == 'You are 1.\n\n\nThe rules:\n- [0, 1]\n- "b"\n\nGo.'
    assert texts.lines("en", "system", {"seat": 1, "persona": "", "rules": ("a",)})[1:] == ("The rules:", '"a"', "Go.")


def test_nothing_is_escaped_and_a_name_that_nobody_gave_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "en.md").write_text(TEXT)
    texts = Templates(tmp_path)
    assert texts.say("en", "other", {"price": 0.50, "said": "a\nb"}) == '0.5 <b> & 100% "a\\nb"'
    with pytest.raises(UndefinedError, match="'seat' is undefined"):
        texts.say("en", "system", {"persona": ""})
