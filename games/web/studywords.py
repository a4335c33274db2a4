"""The words of the operator's pages of studies, and of what is new on members' pages, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    "studies": ("Studies", "研究"),
    "about": (
        "A study is one file: pages, questions and matches in order, with arms, pay and ends.",
        "一项研究就是一个文件：依次排列的页面、问题和对局，以及分组、报酬和结束方式。",
    ),
    "presets": ("To begin with", "现成的研究"),
    "kept": ("On this site", "本站的研究"),
    "file": ("A study file (YAML)", "研究文件（YAML）"),
    "check": ("Check", "检查"),
    "preview": ("Preview", "预览"),
    "open_session": ("Open a session", "开设一场"),
    "sessions": ("Sessions", "场次"),
    "none_yet": ("None yet.", "还没有。"),
    "faults": ("This file cannot be used yet", "这个文件还不能使用"),
    "good": ("The file is good. This is what its members see.", "文件没有问题。参与者会看到以下内容。"),
    "arm": ("Arm", "分组"),
    "play_step": ("A match", "对局"),
    "times": ("times", "次"),
    "matched": ("matched", "匹配"),
    "waits_most": ("Waits for a group", "等待组成一组"),
    "members_here": ("members", "人"),
    "project": ("Projector", "投影"),
    "receipts": ("Receipts", "收据"),
    "show_all": ("Let everybody see the matches", "让所有人可以观看对局"),
    "shown": ("Everybody may see the matches.", "所有人都可以观看对局。"),
    "say_all": ("Say to everybody", "告诉所有人"),
    "say": ("Say", "发送"),
    "nudge": ("Nudge", "提醒"),
    "extend": ("+1 min", "+1 分钟"),
    "advance": ("Advance", "推进"),
    "replace": ("Replace", "换人"),
    "end": ("End", "结束"),
    "waits_for": ("Waits for", "等待"),
    "missed": ("Missed", "错过"),
    "elsewhere": ("Looked away", "离开页面"),
    "come_in": ("Open this address on your phone or laptop", "请用手机或电脑打开这个地址"),
    "code": ("Code", "参与码"),
    "walking": ("reading", "阅读中"),
    "waiting": ("waiting", "等待中"),
    "playing": ("playing", "对局中"),
    "done": ("done", "已完成"),
    "screened": ("screened out", "未通过"),
    "unmatched": ("no group", "未成组"),
    "dropped": ("dropped out", "掉线"),
    "left": ("left", "退出"),
    "declined": ("did not agree", "未同意"),
    "late": ("too late", "迟到"),
    "receipt": ("Receipt", "收据"),
    "received": ("Received", "已收到"),
    "signature": ("Signature", "签名"),
    "date": ("Date", "日期"),
    "number": ("Number", "编号"),
    "minutes": ("It takes about {n} minutes in all.", "全部大约需要 {n} 分钟。"),
    "still_waiting": ("We are putting a group together.", "正在组成一组。"),
    "confirm_end": ("Does this end it for them?", "确定要结束此人的参与吗？"),
    "print": ("Print", "打印"),
    "others": ("others", "其他人"),
    "an_answer": ("their answer", "此人作答"),
    "a_group": ("a group", "成组"),
    "need": ("Need you", "需要你"),
    "over": ("At their end", "已结束"),
    "nobody_needs": ("Nobody needs you.", "没有人需要你。"),
    "came": ("came", "人来过"),
    "matches": ("Matches under way", "进行中的对局"),
    "no_matches": ("None now.", "现在没有。"),
    "match_waits": ("waits for", "等待"),
    "their_silo": ("the others of their silo", "同组的其他人"),
}


def words(lang: str) -> dict[str, str]:
    """Every word in one language."""
    place = 1 if lang == "zh" else 0
    return {name: pair[place] for name, pair in WORDS.items()}
