"""The admin in Chinese: the theme's own words, for which it brings no catalogue, and the names of tables and columns.

English stands in the theme and in the models; a migration knows nothing of either.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.apps import apps
from django.utils.translation import trans_real

from games.web.admintext import said

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
    "Loading more results...": "正在加载更多结果…",
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
    "Search apps and models...": "搜索应用和表…",
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
    "demo": "演示",
    "document": "文件",
    "document hash": "文件哈希",
    "ended": "结束时间",
    "entered": "进入时间",
    "error": "错误",
    "estimated": "估计值",
    "experiment": "实验",
    "experiments": "实验",
    "expires": "到期",
    "extra": "附加",
    "failure": "失败",
    "fallbacks": "后备动作数",
    "fingerprint": "指纹",
    "fork at": "分叉于",
    "from cache": "来自缓存",
    "frozen at": "冻结时间",
    "game": "游戏",
    "head": "最后一步",
    "head hash": "末步哈希",
    "is open": "开放中",
    "is public": "公开",
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
    "round": "轮",
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
    "study round": "研究轮次",
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
    "what": "操作",
    "who": "操作者",
    "why": "原因",
}


class _Theme:
    """As Django merges a catalogue: its texts, and a rule of plurals, of which none is needed."""

    def __init__(self) -> None:
        self._catalog = dict(THEME)

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


def _named(name: Any) -> Any:
    return said(name, NAMES[name]) if name in NAMES else name
