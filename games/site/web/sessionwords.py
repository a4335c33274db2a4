"""The sentences of a session's page, in English and Chinese, and how its times and amounts are written."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

from games.core.words import Voice

SENTENCES: Final[Mapping[str, tuple[str, str]]] = {
    "need_none": ("Nobody needs you.", "没有人需要你。"),
    "need": ("{n} {n|person needs|people need} you: {why}.", "有 {n} 人需要你：{why}。"),
    "lead_silent": ("{n} {n|gives|give} no sign of life", "{n} 人没有动静"),
    "lead_missed": ("{n} missed turns", "{n} 人错过了回合"),
    "lead_wrong": ("{n} {n|was|were} wrong twice or more", "{n} 人至少答错了两次"),
    "lead_knock": ("{n} {n|waits|wait} at the door with a second browser", "{n} 人带着第二个浏览器在门口等"),
    "came_of": ("{n} of {of} came", "{of} 个名额，来了 {n} 人"),
    "came": ("{n} came", "来了 {n} 人"),
    "run_none": ("no match runs.", "现在没有对局。"),
    "run": (
        "{n} {n|match runs, after|matches run, the slowest after} {round} of {rounds} {rounds|round|rounds}.",
        "{n} 场对局进行中，{n|已完成|最慢的已完成} {round} / {rounds} 回合。",
    ),
    "run_open_none": ("no match runs.", "现在没有对局。"),
    "run_open": (
        "{n} {n|match runs, after|matches run, the slowest after} round {round}.",
        "{n} 场对局进行中，{n|已完成|最慢的已完成} {round} 回合。",
    ),
    "matches": ("{going} under way, {over} over; slowest first", "{going} 场进行中，{over} 场已结束；最慢的在前"),
    "silent": ("no sign of life for {time}", "{time} 没有动静"),
    "missed": ("missed {n} {n|turn|turns}", "错过了 {n} 个回合"),
    "wrong": ("wrong {n} {n|time|times}", "答错 {n} 次"),
    "seat_in": ("M{n}, seat {seat}", "M{n}，席位 {seat}"),
    "at_step": ("{state} at {step}", "{state}，在 {step}"),
    "round_of": ("{n} of {of} {of|round|rounds}", "已完成 {n} / {of} 回合"),
    "round_at": ("after round {n}", "已完成 {n} 回合"),
    "not_begun": ("not begun", "尚未开始"),
    "fills": ("fills, {here} of {of}", "等人，{here} / {of}"),
    "fills_until": (
        "Starts when {of} {of|is|are} here; the first has waited enough in {time}.",
        "到齐 {of} 人就开始；最先来的人再等 {time} 为止。",
    ),
    "fills_then": ("Starts when {of} {of|is|are} here.", "到齐 {of} 人就开始。"),
    "not_own": ("{share} of the moves not their own.", "{share} 的行动不是本人作出的。"),
    "not_own_seat": ("{share} of a seat’s moves not its own.", "有席位 {share} 的行动不是本人作出的。"),
    "lasted": ("{n} {n|round|rounds} in {time}.", "{n} 回合，用时 {time}。"),
    "late_since": ("for {time}.", "已 {time}。"),
    "sits": ("{n} {n|person|people}", "{n} 人"),
    "programs_none": (".", "。"),
    "programs": (", {n} {n|program|programs}.", "，{n} 个程序。"),
    "so_far": ("so far", "到目前为止"),
    "of_most": ("of {most} {currency} at the most", "最多 {most} {currency}"),
    "sum": ("{total} {currency} so far", "目前共 {total} {currency}"),
    "due_done": ("ready to pay", "可以付款"),
    "due_gone": ("part payment by the study", "按研究规则部分付款"),
    # What was done, and what happened.
    "you": ("You", "你"),
    "did_opened": ("{who} opened the session.", "{who}开设了这一场。"),
    "did_close": ("{who} closed the door: nobody new is taken.", "{who}关了门：不再接受新人。"),
    "did_reopen": ("{who} opened the door again.", "{who}重新开了门。"),
    "did_begin": ("{who} began a match.", "{who}开始了一场对局。"),
    "did_pause": ("{who} let all matches stand still.", "{who}暂停了所有对局。"),
    "did_resume": ("{who} let all matches go on.", "{who}让所有对局继续。"),
    "did_finish": ("{who} ended the class for everybody.", "{who}为所有人结束了课堂。"),
    "did_unname": ("{who} took a name off the screen, of {member}.", "{who}从屏幕上撤下了{member}的名字。"),
    "did_show": ("{who} let everybody see the matches.", "{who}允许所有人观看对局。"),
    "did_say": ("{who} said something to everybody.", "{who}对所有人说了一句话。"),
    "did_say_to": ("{who} said something to {member}.", "{who}对{member}说了一句话。"),
    "did_nudge": ("{who} nudged {member}.", "{who}提醒了{member}。"),
    "did_extend": ("{who} gave {member} one minute more.", "{who}给{member}多一分钟。"),
    "did_advance": ("{who} sent {member} on.", "{who}让{member}往下走。"),
    "did_replace": ("{who} put a program in the seat of {member}.", "{who}让程序接替了{member}的席位。"),
    "did_end": ("{who} sent {member} to the end.", "{who}把{member}送到了结束。"),
    "did_admit": ("{who} let a second browser of {member} in.", "{who}让{member}的第二个浏览器进来了。"),
    "did_refuse": ("{who} sent a second browser of {member} away.", "{who}没有让{member}的第二个浏览器进来。"),
    "did_exported": ("{who} took the data.", "{who}下载了数据。"),
    "did_labels_read": ("{who} took the payment table.", "{who}下载了付款表。"),
    "ended_done": ("{member} is through.", "{member}走完了。"),
    "ended_screened": ("{member} did not pass {step}.", "{member}没有通过 {step}。"),
    "ended_unmatched": ("{member} found no group.", "{member}没有成组。"),
    "ended_dropped": ("{member} dropped out at {step}.", "{member}在 {step} 掉线。"),
    "ended_left": ("{member} left at {step}.", "{member}在 {step} 退出。"),
    "ended_declined": ("{member} did not agree.", "{member}没有同意。"),
    "ended_late": ("{member} came too late.", "{member}来得太晚。"),
    "match_began": ("M{n} began: {members}.", "M{n} 开始：{members}。"),
    "match_ended": ("M{m} is over, after {n} {n|round|rounds}.", "M{m} 结束，共 {n} 回合。"),
    "seat_gone": ("{member} lost the line in M{n}, round {round}.", "{member}在 M{n} 第 {round} 回合断线。"),
    "seat_back": ("{member} is back in M{n}.", "{member}回到了 M{n}。"),
    "seat_taken": (
        "{by} plays on for {member} in M{n} from round {round}, flagged in every export.",
        "{by}从第 {round} 回合起在 M{n} 中代替{member}，所有导出都有标记。",
    ),
}


VOICE: Final = Voice(str, str, term=str)


def said(lang: str, key: str, n: int | None = None, **facts: Any) -> str:
    """A sentence with its facts filled in, ``{n|one|many}`` by number; of none by ``KEY_none`` where there is one."""
    form = f"{key}_none" if n == 0 and f"{key}_none" in SENTENCES else key
    return VOICE.sentence(SENTENCES[form][1 if lang == "zh" else 0], {**facts, "n": n})


def clocked(time: timedelta | float) -> str:
    """As 0:41, 12:05 or 1:02:05; what is past is 0:00."""
    seconds = int(time.total_seconds() if isinstance(time, timedelta) else time)
    minutes, seconds = divmod(max(0, seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def money(value: Decimal | None) -> str:
    """An amount to the cent; a dash where it is not known yet."""
    return "–" if value is None else f"{value:.2f}"


def letter(seat: int) -> str:
    """A to Z, then AA, AB …: as the boards name a seat, counted from 0."""
    rest, place = divmod(seat, 26)
    return (letter(rest - 1) if rest else "") + chr(65 + place)
