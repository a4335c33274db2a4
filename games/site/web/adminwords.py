"""The admin in Chinese: the theme's own words, for which it brings no catalogue, and the names of tables and columns.

English stands in the theme and in the models; a migration knows nothing of either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.apps import apps
from django.utils.translation import trans_real

from games.site.web.admintext import said
from games.site.web.profilewords import profile_words

CATALOGUE: Final = "zh-hans"
APPS: Final[Mapping[str, tuple[str, str]]] = {"games": ("Games", "游戏"), "agents_app": ("Agents", "智能体")}
PASSWORDS: Final = (
    "Raw passwords are not stored, so there is no way to see this "
    "user’s password, but you can change the password using "
    '<a href="{}" class="text-primary-600 dark:text-primary-500">this form</a>.'
)
EMPTY: Final = "This page yielded into no results. Create a new item or reset your filters."
THEME: Final[Mapping[str, str]] = {
    PASSWORDS: "密码不以明文保存，因此无法查看；"
    '可以用<a href="{}" class="text-primary-600 dark:text-primary-500">这个表单</a>修改。',
    "(click to clear)": "（点击清除）",
    "Add row": "添加一行",
    "After you've created a user, you’ll be able to edit more user options.": "建立用户之后，可以修改更多选项。",
    "All applications": "所有应用",
    "Apply Filters": "应用筛选",
    "Cancel": "取消",
    "Code": "代码",
    "Collapse": "收起",
    "Comment": "备注",
    "Dark": "深色",
    "Date": "日期",
    "Date from": "起始日期",
    "Date to": "截止日期",
    "Default": "默认",
    "Edit": "编辑",
    "Expand row": "展开此行",
    "False": "否",
    "Filters": "筛选",
    "From": "从",
    "General": "常规",
    "Go back": "返回",
    "Group": "组",
    "Light": "浅色",
    "Link": "链接",
    "Loading more results...": "正在加载更多结果……",
    "More actions": "更多操作",
    "Name": "名称",
    "New": "新建",
    "Next": "下一页",
    "No data": "没有数据",
    "No recent searches": "没有最近的搜索",
    "No results found": "没有结果",
    "No results matching your query": "没有符合条件的结果",
    "Object": "对象",
    "Object permissions": "对象权限",
    "Previous": "上一页",
    "Recent searches": "最近的搜索",
    "Reset filters": "清除筛选",
    "Reset to default": "恢复默认",
    "Return to site": "回到网站",
    "Run": "执行",
    "Search apps and models...": "搜索应用和表……",
    "Select action": "选择操作",
    "Select action to run": "选择要执行的操作",
    "Select all rows": "选择所有行",
    "Select record": "选择此行",
    "Select value": "选择一个值",
    "Submit": "提交",
    "System": "跟随系统",
    "This item will be deleted.": "这一项将被删除。",
    "This object doesn't have a change history.": "没有修改记录。",
    EMPTY: "这里没有内容。可以新建一项，或清除筛选。",
    "To": "到",
    "Toggle password visibility": "显示或隐藏密码",
    "True": "是",
    "Type to search": "输入以搜索",
    "Value": "值",
    "Welcome": "欢迎",
    "You have been successfully logged out from the administration": "你已退出管理后台。",
    "admin": "管理后台",
}
NAMES: Final[Mapping[str, str]] = {
    "about": "说明",
    "account": "账号",
    "address": "地址",
    "agent profile": "智能体配置",
    "agent profiles": "智能体配置",
    "answer": "回答",
    "answers": "回答数",
    "api key": "API 密钥",
    "api keys": "API 密钥",
    "arm": "分组",
    "at": "时间",
    "attempt": "第几次",
    "audience": "观众",
    "audit entry": "操作记录",
    "audit trail": "操作记录",
    "away since": "离开时间",
    "batch": "批次",
    "begun": "已开始",
    "budget usd": "预算（美元）",
    "call": "调用",
    "calls": "调用",
    "changed": "修改时间",
    "clock": "时钟",
    "code": "参与码",
    "condition": "条件",
    "config": "设置",
    "config hash": "设置哈希",
    "cost usd": "费用（USD）",
    "created": "建立时间",
    "data": "数据",
    "decision": "决策",
    "decisions": "决策",
    "declared": "预先声明",
    "deleted usd": "已删除对局的费用（美元）",
    "demo": "演示",
    "disabled": "停用时间",
    "document": "文件",
    "document hash": "文件哈希",
    "ended": "结束时间",
    "entered": "进入时间",
    "error": "错误",
    "estimated": "估计值",
    "events": "事件",
    "experiment": "实验",
    "experiments": "实验",
    "expires": "到期",
    "extra": "附加",
    "failing": "开始失败",
    "failure": "失败",
    "fallbacks": "后备动作数",
    "fingerprint": "指纹",
    "fork at": "分支于",
    "from cache": "来自缓存",
    "frozen at": "冻结时间",
    "game": "游戏",
    "head": "最后一步",
    "head hash": "末步哈希",
    "is open": "开放中",
    "is public": "公开",
    "key": "密钥",
    "label": "标签",
    "language": "语言",
    "latency ms": "延迟（毫秒）",
    "left": "离开时间",
    "limits": "限额",
    "member": "参与者",
    "members": "参与者",
    "message": "消息",
    "messages": "消息",
    "metrics": "指标",
    "model": "模型",
    "name": "名称",
    "number": "编号",
    "on": "对象",
    "order": "次序",
    "pace": "速度",
    "parent": "来源",
    "pay": "报酬",
    "people": "真人条款",
    "place": "位置",
    "prefix": "前缀",
    "profile": "配置",
    "prompt": "提示",
    "prompt hash": "提示哈希",
    "purpose": "用途",
    "queue": "队列",
    "reason": "原因",
    "reasoning": "思考过程",
    "replicate": "重复",
    "reply": "回复",
    "revoked": "吊销时间",
    "round": "回合",
    "rules version": "规则版本",
    "run": "对局",
    "runs": "对局",
    "scenario": "场景",
    "scenarios": "场景",
    "scopes": "权限范围",
    "seat": "席位",
    "seed": "种子",
    "seen": "最后出现",
    "sender": "发送者",
    "session": "场次",
    "sessions": "场次",
    "silo": "匹配池",
    "since": "开始时间",
    "slug": "代号",
    "started": "开始时间",
    "state": "状态",
    "status": "状态",
    "step": "步",
    "stop": "停止规则",
    "studies": "研究",
    "study": "研究",
    "study round": "研究回合",
    "study step": "研究步骤",
    "tally": "统计",
    "text": "内容",
    "title": "标题",
    "to": "收件人",
    "tokens in": "输入词元",
    "tokens out": "输出词元",
    "told": "告知",
    "until": "期限",
    "used": "最后使用",
    "user": "用户",
    "visit": "停留",
    "visits": "停留",
    "webhook": "事件通知",
    "webhooks": "事件通知",
    "what": "操作",
    "who": "执行人",
    "why": "原因",
}
STATES: Final[Mapping[str, str]] = {
    "queued": "排队中",
    "running": "进行中",
    "waiting": "等待中",
    "paused": "已暂停",
    "finished": "已结束",
    "stopped": "已停止",
    "failed": "出错",
    "cancelled": "已取消",
    "draft": "草稿",
    "live": "即时",
    "bulk": "批量",
    "current": "当前",
    "past": "以往",
    "policy": "策略",
    "model": "模型",
    "person": "真人",
    "recording": "录像",
    "program": "程序",
    "room": "在等候室",
    "ready": "已就绪",
    "playing": "对局中",
    "substituted": "替补行动",
    "left": "已离开",
    "removed": "已移出",
    "walking": "阅读中",
    "done": "已完成",
    "screened": "未通过",
    "unmatched": "未成组",
    "dropped": "掉线",
    "declined": "未同意",
    "late": "迟到",
}
"""What the choices of columns are called; English is the choice itself."""
DEEDS: Final[Mapping[str, tuple[str, str]]] = {
    "signed_in": ("signed in", "登录"),
    "signed_out": ("signed out", "退出登录"),
    "sign_in_failed": ("failed to sign in", "登录失败"),
    "password_changed": ("changed the password", "修改密码"),
    "account_made": ("made an account", "创建账号"),
    "account_changed": ("changed an account", "修改账号"),
    "factor_added": ("turned a second factor on", "启用两步验证"),
    "factor_dropped": ("turned a second factor off", "停用两步验证"),
    "papers_made": ("made new recovery codes", "生成新的恢复码"),
    "code_failed": ("gave a wrong code", "输入了错误的验证码"),
    "signed_out_elsewhere": ("signed other browsers out", "让其他浏览器退出登录"),
    "key_made": ("made a key", "创建密钥"),
    "key_revoked": ("revoked a key", "吊销密钥"),
    "webhook_made": ("made a webhook", "添加事件通知"),
    "webhook_changed": ("changed a webhook", "修改事件通知"),
    "webhook_rotated": ("gave a webhook a new secret", "更换事件通知的密钥"),
    "webhook_deleted": ("deleted a webhook", "删除事件通知"),
    "webhook_disabled": ("stopped a webhook", "停用事件通知"),
    "token_made": ("made a program’s token", "创建程序令牌"),
    "run_made": ("started a run", "开始对局"),
    "run_resumed": ("resumed a run", "继续对局"),
    "run_paused": ("paused a run", "暂停对局"),
    "run_stepped": ("played one round", "走一回合"),
    "run_stopped": ("stopped a run", "停止对局"),
    "run_changed": ("changed pace or limits of a run", "修改对局的速度或限额"),
    "run_opened": ("let visitors watch a run", "允许访客观看对局"),
    "run_forked": ("forked a run", "建立分支"),
    "run_deleted": ("deleted a run", "删除对局"),
    "run_verified": ("verified a run", "核对对局"),
    "run_rerun": ("played a run again from its recording", "按记录重演对局"),
    "runs_stop": ("stopped runs", "停止多场对局"),
    "runs_delete": ("deleted runs", "删除多场对局"),
    "runs_rerun": ("started runs once more", "重跑多场对局"),
    "runs_tag": ("tagged runs", "为对局加标签"),
    "runs_untag": ("removed a tag from runs", "去掉对局的标签"),
    "exported": ("exported data", "导出数据"),
    "labels_exported": ("exported data with names", "导出含姓名的数据"),
    "labels_read": ("read the names of participants", "查看参与者姓名"),
    "participants_read": ("read the participants", "查看参与者"),
    "handed_over": ("handed a seat over", "移交席位"),
    "people_start": ("started a match of people", "开始真人对局"),
    "people_extend": ("extended a turn", "延长回合"),
    "people_advance": ("ended a turn for the slowest", "结束最慢者的回合"),
    "people_relink": ("made a new link for a seat", "更换席位链接"),
    "people_recode": ("made a new code", "更换参与码"),
    "people_remove": ("removed a person", "移出真人"),
    "backup": ("made a backup", "备份了站点"),
    "backup_drill": ("tried to restore a backup", "演练了备份恢复"),
    "people_forget": ("deleted a name and consent", "删除姓名和同意记录"),
    "key_refused": ("was refused by the bounds of a key", "被密钥的限制拒绝"),
    "experiment_made": ("made an experiment", "创建实验"),
    "experiment_registered": ("registered an experiment", "登记实验"),
    "session_published": ("made a session into a publication", "将场次制成发布包"),
    "experiment_published": ("made an experiment into a publication", "将实验制成发布包"),
    "experiment_changed": ("changed an experiment", "修改实验"),
    "experiment_started": ("started an experiment", "开始实验"),
    "experiment_resumed": ("resumed an experiment", "继续实验"),
    "experiment_paused": ("paused an experiment", "暂停实验"),
    "experiment_cancelled": ("cancelled an experiment", "取消实验"),
    "experiment_cloned": ("cloned an experiment", "克隆实验"),
    "experiment_deleted": ("deleted an experiment", "删除实验"),
    "experiment_rerun": ("re-ran failed runs of an experiment", "重跑实验中失败的对局"),
    "model_tried": ("tried a model", "测试模型"),
    "model_saved": ("saved a model", "保存模型"),
    "model_deleted": ("deleted a model", "删除模型"),
    "session_opened": ("opened a session", "开设场次"),
    "session_close": ("closed a session to newcomers", "场次不再接受新人"),
    "session_reopen": ("opened a session again", "重新开放场次"),
    "session_show": ("let everybody see a session’s matches", "公开场次的对局"),
    "session_say": ("said something to a session", "向场次发消息"),
    "session_nudge": ("nudged a participant", "提醒参与者"),
    "session_extend": ("gave a participant more time", "给参与者加时"),
    "session_advance": ("sent a participant on", "让参与者往下走"),
    "session_replace": ("put a program in a seat", "让程序接替席位"),
    "session_erase": ("erased what a participant had left", "删除参与者留下的内容"),
    "session_unlink": ("threw a session’s labels away", "丢弃场次的编号对照"),
    "member_erase": ("asked that what a participant left be erased", "要求删除参与者留下的内容"),
    "session_end": ("sent a participant to the end", "结束参与者的参与"),
}
"""What the trail calls an act, in words."""
PLACES: Final[Mapping[str, str]] = {
    "by the launcher's address": "用启动时显示的地址",
    "backup archive": "备份文件",
    "backup drill": "备份演练",
}
"""What an act was done to, where that is no thing of the site."""


def deed(what: str) -> Any:
    """An act of the trail in words; one without words by its own name with blanks."""
    plain = what.replace("_", " ")
    return said(*DEEDS.get(what, (plain, plain)))


def place(on: str) -> Any:
    """What an act was done to: "run 4f…", its first word in the reader's language."""
    if on in PLACES:
        return said(on, PLACES[on])
    kind, _, which = on.partition(" ")
    return said(on, f"{NAMES[kind]} {which}") if kind in NAMES else on


class _Theme:
    """As Django merges a catalogue: its texts, and a rule of plurals, of which none is needed."""

    def __init__(self) -> None:
        self._catalog = {**THEME, **profile_words()}

    @staticmethod
    def plural(_: int) -> int:
        return 0


def teach() -> None:
    """Once, when the tables are declared. Names are chosen when they are shown; what has no word stays as it is."""
    known: Any = trans_real.translation(CATALOGUE)
    known._catalog.update(_Theme())
    for label, (en, zh) in APPS.items():
        apps.get_app_config(label).verbose_name = said(en, zh)
        for model in apps.get_app_config(label).get_models():
            meta: Any = model._meta
            meta.verbose_name = _named(meta.verbose_name)
            meta.verbose_name_plural = _named(meta.verbose_name_plural)
            for field in meta.fields:
                field.verbose_name = _named(field.verbose_name)
                if field.choices:
                    field.choices = [(value, _state(value, label)) for value, label in field.choices]


def _state(value: Any, label: Any) -> Any:
    return said(str(label), STATES[value]) if value in STATES else label


def _named(name: Any) -> Any:
    return said(name, NAMES[name]) if name in NAMES else name
