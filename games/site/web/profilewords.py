"""The admin's form of a model's profile in Chinese. English stands at the profile's own fields."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from agents_app.profile import Profile

FIELDS: Final[Mapping[str, tuple[str, str]]] = {
    "model": (
        "模型",
        "按 litellm 的写法为“服务商/模型”，例如 openai/gpt-4o-mini 或 ollama/llama3；"
        "“mock/策略”既不需要密钥也不需要网络。",
    ),
    "base_url": ("接口地址", "Ollama、vLLM 或其他兼容 OpenAI 协议的服务器的地址。"),
    "key_env": (
        "密钥的环境变量",
        "存放密钥的环境变量名，以 _API_KEY 结尾；填写接口地址时不会发送其他密钥。留空：用服务商自己的变量。",
    ),
    "temperature": ("温度", "留空：服务商的默认值。"),
    "max_tokens": ("最长回复", "以词元计。"),
    "top_p": ("Top p", "留空：服务商的默认值。"),
    "stop": ("停止文本", "遇到这些文本时回复结束。"),
    "reasoning": ("思考", "思考强度，仅用于支持该参数的模型；留空：服务商的默认值。"),
    "thinking_tokens": ("思考预算", "以词元计，仅用于支持该参数的服务商。"),
    "logprobs": ("对数概率", "最可能的首个词元的对数概率，仅当服务商提供时有。"),
    "extra_body": ("其他参数", "原样发送，例如向自己的服务器发送 top_k: 20。"),
    "seed": ("种子", "发送给支持种子的模型。run：由对局的种子为每个席位、每一步推出。"),
    "language": ("语言", "提示词的语言。"),
    "persona": ("人设", "游戏自带的人设之一，填名称。"),
    "persona_text": ("自定人设", "代替自带的人设。"),
    "system_prompt": (
        "系统提示词",
        "代替游戏自己的系统提示词；{game} 代表原文，{persona} 代表人设。留空：用游戏自己的。",
    ),
    "round_prompt": (
        "每回合的提示词",
        "代替游戏自己的提示词；{game} 代表原文，{memory} 代表记忆。其后接回答的格式。留空：用游戏自己的。",
    ),
    "examples": ("示例", "放在本回合问题之前的问答。"),
    "options": ("提示词选项", "游戏提示词的选项，例如 hints: true。"),
    "aside": (
        "附带提问",
        "在对局之外单独调用：把信念、信心和理由作为数据收集。回答不进入记忆，也不进入之后的提示词。",
    ),
    "memory": (
        "记忆",
        "不填则按游戏：列国用摘要，其他游戏没有。rounds：最近几次回答。turns：把最近几回合作为聊天记录。"
        "summary：得知结果后重写的摘要。scratchpad：每次回答时可以更换的便笺。",
    ),
    "memory_rounds": ("保留的回合数", "记忆为 rounds 或 turns 时有效。"),
    "memory_length": ("记忆最长", "摘要或便笺的字符数；超出部分截去。"),
    "output": (
        "回答格式",
        "auto：游戏有计划就用计划，否则按游戏的规定，否则模型支持时用结构化输出，否则用文本中的 JSON。",
    ),
    "retries": ("更正次数", "回复无法使用之后再问的次数。"),
    "call_retries": ("重试次数", "遇到 429、5xx、断线或超时之后重试的次数。"),
    "timeout_s": ("单次调用时限", "以秒计。"),
    "budget_s": ("一次回答的时限", "以秒计，所有调用合计。"),
    "concurrency": ("同时调用数", "对该服务商同时调用的上限；遇到 429 之后减少。"),
    "fallback_limit": (
        "后备动作上限",
        "二十次回答中无法使用的比例超过它时，对局暂停。留空：真实调用的模型为一半，模拟模型不限。",
    ),
    "cache": ("重用回复", "本站另一局对相同提示词和参数得到的回复会再次使用并标明，不再调用模型。"),
    "batch": (
        "批量接口",
        "服务商按 OpenAI 协议提供的批量接口：批量队列和命令行中的对局把调用集中起来，稍后得到回答。"
        "即时队列的对局不接受。留空：逐次调用。",
    ),
    "price": ("价格", "代替价目表中的价格。"),
    "limits": ("限额", "该席位的限额。"),
    "mock": ("模拟", "仅 mock/ 模型读取。"),
}
"""Name and note of each field."""


def profile_words() -> dict[str, str]:
    """By the English text."""
    words = {"the game's own": "按游戏"}
    for field, info in Profile.model_fields.items():
        name, note = FIELDS.get(field, ("", ""))
        words |= {info.title or "": name, info.description or "": note}
    return {en: zh for en, zh in words.items() if en and zh}
