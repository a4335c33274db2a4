"""The words on a member's way through a study, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

NUMBERS: Final[Mapping[str, tuple[str, ...]]] = {
    "en": ("No", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten"),
    "zh": ("零", "一", "两", "三", "四", "五", "六", "七", "八", "九", "十"),
}

WORDS: Final[Mapping[str, tuple[str, str]]] = {
    # the way
    "way": ("Your way through", "你的步骤"),
    "step_of": ("{n} of {of}", "{n} / {of}"),
    "here": ("Step {n} of {of}: {name}", "第 {n} 步，共 {of} 步：{name}"),
    "welcome": ("Welcome", "欢迎"),
    "what": ("What it is", "这是什么"),
    "do": ("What you can do", "你可以做什么"),
    "time": ("Time", "时间"),
    "time_pay": ("Time and pay", "时间与报酬"),
    "reading": ("Please read", "请阅读"),
    "questions": ("Questions", "问题"),
    "practice": ("Practice", "练习"),
    "game": ("The match", "对局"),
    "survey": ("Short survey", "简短问卷"),
    "payment": ("Payment", "报酬"),
    "end": ("The end", "结束"),
    "number": ("You are participant {n}.", "你是第 {n} 号参与者。"),
    "minutes": ("About {n} minutes in all.", "全部大约 {n} 分钟。"),
    # what stands at the foot
    "back": ("Back", "返回"),
    "to_questions": ("Go to the questions", "去答题"),
    "back_to_questions": ("Back to the questions", "回到问题"),
    "rules": ("Rules", "规则"),
    "go_on": ("Continue", "继续"),
    "agree": ("I agree", "我同意"),
    "disagree": ("I do not agree", "我不同意"),
    "agree_needed": ("Choose whether you agree.", "请选择同意或不同意。"),
    "ready": ("Ready?", "准备好了吗？"),
    "ready_lead": (
        "Read this at your own pace, then go on. While you play, “Rules” at the top brings it back.",
        "请按自己的节奏阅读，然后继续。对局中点上方的“规则”可以再看。",
    ),
    "next_questions": (
        "Next come questions, so that nobody starts without the rules. You can look back at any time.",
        "接下来有问题，以确保没有人不懂规则就开始。你可以随时回来看。",
    ),
    # what can be done
    "thing": ("One thing you can do", "你可以做的一件事"),
    "things": ("{number} things you can do", "你可以做的{number}件事"),
    "every_rule": ("Every rule in full", "全部规则"),
    "settled_lead": (
        "How it is settled, word for word as a model in the seats is told it.",
        "如何结算，与席位上的模型读到的一字不差。",
    ),
    "stay": ("Please stay to the end: the others play with you.", "请坚持到最后：其他人在和你一起玩。"),
    # time and pay
    "how_long": ("How long", "持续多久"),
    "no_answer": ("No answer", "没有作答"),
    "you_earn": ("You earn", "你的报酬"),
    "leaving": ("Leaving", "离开"),
    "others_see": ("Others see", "别人看到"),
    "each_turn": ("Each turn lasts {time} at most.", "每回合最多 {time}。"),
    "each_tick": ("A step comes every {time} at most.", "每步最多 {time}。"),
    "no_clock": ("Each turn waits until everybody has answered.", "每回合等所有人回答。"),
    "seconds": ("{n} s", "{n} 秒"),
    "minutes_short": ("{n} min", "{n} 分钟"),
    "times": ("It is played {n} times.", "共进行 {n} 次。"),
    "with_partner": ("You stay with the same people.", "始终与相同的人一起。"),
    "with_stranger": ("Who plays with you changes.", "每次与你对局的人会变。"),
    "with_perfect": ("Nobody meets the same person twice.", "同一个人不会遇到两次。"),
    "substitute_answers": ("A program plays that turn for you.", "该回合由程序代你行动。"),
    "out_after": (
        "After {n} turns without an answer in a row a program plays your seat to the end.",
        "连续 {n} 个回合没有作答，之后由程序代你玩到结束。",
    ),
    "out_after_one": (
        "After a turn without an answer a program plays your seat to the end.",
        "有一个回合没有作答，之后就由程序代你玩到结束。",
    ),
    "gone": (
        "Whoever is gone for {time} is replaced by a program until they come back.",
        "离开 {time} 后由程序代替，直到回来为止。",
    ),
    "missed_unpaid": (
        "A match in which you decide nothing yourself earns no points.",
        "你自己没有作出任何决定的一场对局不计分。",
    ),
    "earn_show_up": ("{amount} for taking part.", "参与费 {amount}。"),
    "earn_point": ("{amount} for each point.", "每得一分 {amount}。"),
    "earn_nothing": ("This match is not paid.", "这场对局不计报酬。"),
    "earn_one": ("One match is drawn by lot at the end, and that one is paid.", "结束时抽签选出一场对局，只为它付酬。"),
    "earn_round": (
        "One round of one match is drawn by lot at the end, and that one is paid.",
        "结束时抽签选出一场对局中的一个回合，只为它付酬。",
    ),
    "earn_between": (
        "In all at least {least} and at most {most}, if you stay to the end.",
        "坚持到最后，合计最少 {least}，最多 {most}。",
    ),
    "earn_least": ("In all at least {least}, if you stay to the end.", "坚持到最后，合计最少 {least}。"),
    "earn_most": ("In all at most {most}.", "合计最多 {most}。"),
    "leave_paid": (
        "Possible at any time, with “Leave” in the waiting room and in the match. You then get {amount}.",
        "随时可以离开：在等候室和对局中点“离开”。届时你得到 {amount}。",
    ),
    "leave_unpaid": (
        "Possible at any time, with “Leave” in the waiting room and in the match.",
        "随时可以离开：在等候室和对局中点“离开”。",
    ),
    "leave_earned": (
        "Possible at any time, with “Leave” in the waiting room and in the match. "
        "You keep what you have earned by then.",
        "随时可以离开：在等候室和对局中点“离开”。届时已得的报酬归你。",
    ),
    "see_seat": (
        "Your seat, and what the rules make known of what you do there; never your name.",
        "你的席位，以及规则让人知道的你在那里的行动；绝不会看到你的名字。",
    ),
    # questions
    "question": ("One question", "一个问题"),
    "many_questions": ("{number} questions", "{number}个问题"),
    "your_answers": ("Your answers do not change your pay.", "你的回答不影响报酬。"),
    "one_wrong": ("One answer is wrong. Read why, then choose again.", "有一个回答不对。请看原因，然后重新选择。"),
    "some_wrong": (
        "{n} answers are wrong. Read why, then choose again.",
        "有 {n} 个回答不对。请看原因，然后重新选择。",
    ),
    "faulty": ("Something is missing or cannot be read; see below.", "有内容缺失或无法读取，请看下方。"),
    "not_so": ("Not so.", "不对。"),
    "wrong": (
        "Not right. Read the instructions again and try once more.",
        "不对，请再看一遍说明后重试。",
    ),
    "needed": ("Please answer this.", "请作答。"),
    "picture": ("Look at the picture:", "请看图："),
    "row": ("Row", "行"),
    "choose_rank": ("rank", "名次"),
    "ranking_lead": ("1 comes first.", "1 为最先。"),
    "sum_lead": ("All together: {total}.", "合计：{total}。"),
    "sum_left": ("still to be given", "尚待分配"),
    "several_lead": ("Several may be chosen.", "可多选。"),
    "choose": ("choose", "请选择"),
    "slider_here": ("My answer is where the slider stands.", "滑块现在的位置就是我的回答。"),
    "slider_untouched": ("not set yet", "尚未设置"),
    "left": ("Time left", "剩余时间"),
    "left_lead": (
        "Then it goes on by itself, with what you have written by then.",
        "时间到就自动继续，届时已写的内容会保留。",
    ),
    "optional": ("may be left empty", "可以留空"),
    "yes": ("Yes", "是"),
    "no": ("No", "否"),
    "tries": ("{n} tries.", "共有 {n} 次机会。"),
    "tries_left": ("{n} tries left.", "还有 {n} 次机会。"),
    "try_left": ("This is the last try.", "这是最后一次机会。"),
    "then_next": (
        "If an answer is still wrong then, it goes on all the same.",
        "届时仍有回答不对，也会继续。",
    ),
    "then_end": ("If an answer is still wrong then, the study ends for you.", "届时仍有回答不对，研究对你就结束了。"),
    "then_end_paid": (
        "If an answer is still wrong then, the study ends for you with {amount}.",
        "届时仍有回答不对，研究对你就结束了，你得到 {amount}。",
    ),
    # waiting
    "wait_one": ("Waiting for one more", "还差一人"),
    "wait_more": ("Waiting for {n} more", "还差 {n} 人"),
    "wait_group": ("Waiting for your group", "等待成组"),
    "led": ("Match {n} of {of} is next", "接下来是第 {n} 场，共 {of} 场"),
    "led_busy": (
        "You play from match {n}; match {before} is being played",
        "第 {before} 场正在进行，从第 {n} 场起轮到你",
    ),
    "led_last": ("The last match is being played", "最后一场正在进行"),
    "led_lead": (
        "Whoever leads the class begins each match. Keep this page open: it goes on by itself.",
        "每一场由主持人开始。请保持此页面打开，它会自动继续。",
    ),
    "wait_now": ("Your group is complete", "人到齐了"),
    "wait_lead": (
        "A match of {of} starts by itself as soon as they are here. Keep this page open.",
        "{of} 人到齐，对局就自动开始。请保持此页面打开。",
    ),
    "wait_blind": (
        "We are putting a group together. It starts by itself; keep this page open.",
        "正在组成一组，会自动开始。请保持此页面打开。",
    ),
    "your_group": ("Your group", "你的组"),
    "group_before": ("The group before you", "你前面的一组"),
    "n_of": ("{n} of {of}", "{n} / {of}"),
    "starts_now": ("{n} of {of}, starts now", "{n} / {of}，马上开始"),
    "you": ("You", "你"),
    "present": ("here", "已到"),
    "open": ("open", "空缺"),
    "wait_since": ("You have waited", "你已等候"),
    "since_most": ("{since} of at most {most}", "{since}，最多 {most}"),
    "on_the_way": ("Still reading", "还在阅读"),
    "people": ("{n} people", "{n} 人"),
    "person": ("1 person", "1 人"),
    "after": ("After {time}", "{time}之后"),
    "then_fill": ("the match starts, with programs in the open seats.", "对局开始，空缺的席位由程序行动。"),
    "then_unmatched": ("it ends for you without a match.", "不再等待，研究到此结束。"),
    "then_unmatched_paid": (
        "it ends for you without a match, and you get {amount}.",
        "不再等待，研究到此结束，你得到 {amount}。",
    ),
    "starts_by_itself": ("Starts by itself", "会自动开始"),
    "leave": ("Leave", "离开"),
    "withdraw_title": ("Withdraw, or have your data erased", "退出研究，或删除我的数据"),
    "withdraw_about": (
        "You may withdraw at any time, without a reason. Erased are your answers, what you wrote, and what says who "
        "you are; your moves stay under a number, because others’ results rest on them. "
        "Where you are still to be paid, keep your participant number: afterwards nothing else leads to you.",
        "你可以随时退出，无需理由。删除的是你的回答、你写下的内容以及能说明你是谁的信息；你的行动以编号保留，因为其他人的结果以它们为依据。"
        "如果还要领取报酬，请记下你的参与者编号：之后没有别的信息能找到你。",
    ),
    "withdraw_sure": ("I am sure; this cannot be undone.", "我确定，此操作无法撤销。"),
    "withdraw": ("Withdraw", "退出"),
    "erase": ("Withdraw and erase", "退出并删除"),
    "erased_said": ("What you left was erased.", "你留下的内容已删除。"),
    "erase_later": (
        "What you left is erased as soon as the match that you sat in is over.",
        "你参加的对局一结束，你留下的内容就会删除。",
    ),
    "soon": ("One moment", "请稍候"),
    "soon_lead": ("It goes on by itself; keep this page open.", "会自动继续，请保持此页面打开。"),
    # the end
    "thanks": ("Thank you!", "谢谢你！"),
    "thanks_earned": ("Thank you. You earned {amount}", "谢谢你。你得到 {amount}"),
    "ends_here": ("The study ends here for you", "研究到此结束"),
    "no_group": ("No group was found", "没有组成一组"),
    "said_done": ("You have done all of it.", "你已完成全部步骤。"),
    "said_screened": (
        "The questions were not answered as needed, so it does not go on.",
        "检查题没有答对，因此不能继续。",
    ),
    "said_unmatched": (
        "Not enough people came for a group. That is not your fault. Thank you for waiting.",
        "没有足够的人组成一组。这不是你的问题。感谢你的等待。",
    ),
    "said_dropped": (
        "You were away for too long, and your match went on without you.",
        "你离开太久，对局没有等你，已经继续。",
    ),
    "said_declined": ("You did not agree to take part.", "你没有同意参加；没有保存任何作答。"),
    "said_late": (
        "All places are taken, or it takes nobody new any more. Thank you for coming.",
        "名额已满，或已停止接受新的参与者。感谢你的到来。",
    ),
    "said_left": ("You have left. Thank you for your time.", "你已退出。谢谢你付出的时间。"),
    "pay_show_up": ("Taking part", "参与费"),
    "pay_points": ("{points} points × {rate}", "{points} 分 × {rate}"),
    "pay_points_drawn": ("Match {n}, drawn by lot: {points} points × {rate}", "抽中第 {n} 场：{points} 分 × {rate}"),
    "pay_points_round": (
        "Round {round} of match {n}, drawn by lot: {points} points × {rate}",
        "抽中第 {n} 场第 {round} 回合：{points} 分 × {rate}",
    ),
    "pay_most": ("No more than {amount}", "最多 {amount}"),
    "pay_round": ("Rounded", "取整"),
    "pay_screened": ("Coming and reading the rules", "到场并阅读规则"),
    "pay_unmatched": ("Coming and waiting", "到场并等待"),
    "pay_late": ("Coming", "到场"),
    "pay_left": ("Taking part until you left", "离开前的参与"),
    "pay_dropped": ("Taking part", "参与费"),
    "pay_declined": ("Coming", "到场"),
    "total": ("Total", "合计"),
    "code": ("Your completion code", "你的完成码"),
    "copy": ("Copy", "复制"),
    "copied": ("Copied", "已复制"),
    "back_to_site": ("Back to the study site", "返回研究网站"),
    "may_close": (
        "You may close this page; what stands here stays at this address.",
        "你可以关闭此页面；这里的内容会一直保留在这个地址。",
    ),
    "see_match": ("See the match", "看对局"),
    "see_matches": ("See match {n}", "看第 {n} 场对局"),
    "receipt": ("Receipt:", "收据："),
    "participant": ("participant {n}", "第 {n} 号参与者"),
    "play_unpaid": ("Play unpaid", "不计酬地玩"),
    "play_unpaid_lead": (
        "You can also play this game now, with programs in the other seats. "
        "It is a match of its own, outside of the study, and is not paid.",
        "你也可以现在就玩这个游戏，其他席位由程序行动。那是研究之外的另一场对局，不计报酬。",
    ),
}


def words(lang: str) -> dict[str, str]:
    """Every word in one language, without its facts."""
    place = 1 if lang == "zh" else 0
    return {name: pair[place] for name, pair in WORDS.items()}


def say(lang: str, name: str, **facts: object) -> str:
    """One of them with its facts."""
    return WORDS[name][1 if lang == "zh" else 0].format(**facts)


def number(lang: str, n: int) -> str:
    """A small number as a word, as titles have it; in figures above ten."""
    known = NUMBERS["zh" if lang == "zh" else "en"]
    return known[n] if n < len(known) else str(n)
