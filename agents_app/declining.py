"""A small judge of words: does a reply that cannot be used say, in plain text, that the model will not answer?

It only names what failed: it is asked about replies that nobody could use, and neither the correction nor the game
depends on what it says. It looks at the first `LOOKED_AT` characters after thinking in tags, in English and Chinese,
for a first person that cannot, will not or must decline to *take part or help*; what a model cannot do in the game ("I
cannot afford it") is none. A refusal in other words, or after a long preamble, is missed and stays ``unparseable``.
"""

from __future__ import annotations

import re
from typing import Final

from agents_app.tidying import without_thinking

LOOKED_AT: Final = 400
_ABLE = r"(?:not able|unable|not allowed|not comfortable|not going)(?: to)?"
_CANNOT = rf"(?:can(?:no|'?)t|won'?t|don'?t|will not|(?:am |'m ){_ABLE})"
_HELP = (
    r"(?:help|assist|participat\w*|take part|play (?:this|the|a|such|along)|engag\w*|comply|continue|do (?:that|this)"
    r"|(?:provide|give|offer|support|answer|process|discuss|respond)\w* (?:you |to |with )?"
    r"(?:an?|any|the|that|this|it|such|your)\b"
    r"|simulat\w*|role-?play|fulfil+)"
)
ENGLISH: Final = re.compile(
    rf"\bI ?{_CANNOT} (?:\w+ ){{0,2}}{_HELP}"
    r"|\bI (?:must|have to|need to|will|would|respectfully|politely)? ?(?:respectfully |politely )?(?:decline|refuse)\b"
    rf"|\bas an AI\b.{{0,60}}?{_CANNOT}"
    r"|(?:against|violat\w+) (?:my|the|our) (?:\w+ )?(?:guidelines|policy|policies|programming|principles)",
    re.IGNORECASE | re.DOTALL,
)
_NOT = r"(?:无法|不能够?|不会|不可以|不方便|没有办法|没办法)"
_DO = r"(?:帮|协助|参与|参加|继续|提供|满足|回答|回应|配合|执行|模拟|扮演|玩)"
CHINESE: Final = re.compile(
    rf"我.{{0,6}}?{_NOT}.{{0,6}}?{_DO}"
    rf"|(?:抱歉|对不起|不好意思|很遗憾).{{0,20}}?{_NOT}.{{0,6}}?{_DO}"
    rf"|作为.{{0,6}}?(?:AI|人工智能|语言模型|助手).{{0,20}}?{_NOT}"
    r"|我(?:必须|只能|要|想)?(?:婉拒|谢绝|拒绝)|违反.{0,8}?(?:准则|政策|规定|原则)",
    re.IGNORECASE,
)


def is_refusal(reply: str) -> bool:
    """Whether a reply that cannot be used declines to answer."""
    said = without_thinking(reply).text.lstrip()[:LOOKED_AT].replace("’", "'")
    return bool(ENGLISH.search(said) or CHINESE.search(said))
