"""Inspect and Polity: a seat of any game as an Inspect task, and the runs of models as Inspect logs.

The task plays one match for each sample. What the seat is asked goes to the model that Inspect evaluates, through
Inspect's own cache, retries and transcript; everybody else sits as the scenario says.
"""

import asyncio
import io
import zipfile
from collections import defaultdict
from concurrent.futures import Future
from contextvars import Context, ContextVar, copy_context
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.event import ModelEvent
from inspect_ai.log import EvalConfig, EvalDataset, EvalLog, EvalSample, EvalSpec, write_eval_log
from inspect_ai.model import (
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    GenerateConfig,
    ModelOutput,
    ModelUsage,
    get_model,
)
from inspect_ai.scorer import Score, mean, scorer, stderr
from inspect_ai.solver import solver

import polity
from agents_app.providers.protocol import AtHand, ProviderFault, Reply

MESSAGES = {"system": ChatMessageSystem, "user": ChatMessageUser, "assistant": ChatMessageAssistant}
SAMPLE: ContextVar[tuple[asyncio.AbstractEventLoop, Context]] = ContextVar("polity_sample")
"""Where the model of the sample that is being solved is asked: Inspect's loop, and what it knows of the sample."""


# --- an Inspect task --------------------------------------------------------------------------------------------------


@task
def seat(scenario: str = "dilemma/demo", seat: int = 0, seeds: int = 5) -> Task:
    """The model plays one seat of a scenario, a match for each seed; its score is what it was paid.

    ``scenario``  a preset (``dilemma/demo``) or a scenario's file, of one condition
    ``seat``      from 0
    ``seeds``     so many matches, with the seeds from 1
    """
    samples = [
        Sample(id=seed, input=f"{scenario}, seat {seat}, seed {seed}", metadata={"seed": seed, "seat": seat})
        for seed in range(1, seeds + 1)
    ]
    return Task(dataset=samples, solver=plays(scenario, seat), scorer=payoff())


@solver
def plays(scenario: str, seat: int):
    async def solve(state, generate):
        SAMPLE.set((asyncio.get_running_loop(), copy_context()))
        sitter = {"model": f"inspect/{state.model}"}
        runs = await asyncio.to_thread(polity.play, scenario, state.metadata["seed"], seats={seat: sitter}, jobs=1)
        mine, rounds = [row for row in runs.rows("decisions") if row["seat"] == seat], list(runs.rows("rounds"))
        lost = sum("fallback" in row["flags"] for row in mine)
        state.metadata |= {"payoffs": paid(rounds), "turns": len(mine), "not_its_own": lost, "hash": rounds[-1]["hash"]}
        return state

    return solve


@scorer(metrics=[mean(), stderr()])
def payoff():
    async def score(state, target):
        of = state.metadata
        lost = f"; {of['not_its_own']} of its {of['turns']} turns were played for it" if of["not_its_own"] else ""
        return Score(value=of["payoffs"][of["seat"]], explanation=f"each seat was paid {of['payoffs']}{lost}")

    return score


class Asked(AtHand):
    """The provider ``inspect/…``: the model that Inspect evaluates. It answers within a task alone."""

    def __init__(self, profile) -> None:
        self.at = SAMPLE.get(None)

    def has_structured_output(self, model: str) -> bool:
        return False

    async def complete(self, prompt, timeout_s: float, hint) -> Reply:
        if self.at is None:
            raise ProviderFault("refused", "inspect/…: the model is asked by Inspect: inspect eval polity_inspect/seat")
        (loop, context), answer = self.at, Future()

        def ask() -> None:
            asked = loop.create_task(_generated(prompt), context=context)
            asked.add_done_callback(lambda done: _told(done, answer))

        loop.call_soon_threadsafe(ask)
        try:
            async with asyncio.timeout(timeout_s):
                output = await asyncio.wrap_future(answer)
        except TimeoutError:
            raise ProviderFault("timeout", f"no answer within {timeout_s:.0f} s") from None
        except Exception as error:
            raise ProviderFault("server_error", f"{type(error).__name__}: {error}") from error
        if output.stop_reason == "content_filter":
            raise ProviderFault("filtered", output.completion or "filtered", is_answered=True)
        used = output.usage or ModelUsage()
        return Reply(
            output.completion, truncated=output.stop_reason == "max_tokens", tokens_in=used.input_tokens,
            tokens_out=used.output_tokens, finish=output.stop_reason, served=output.model,
            estimated=output.usage is None,
        )  # fmt: skip


async def _generated(prompt) -> ModelOutput:
    messages = [MESSAGES[one.role](content=one.text) for one in prompt.messages]
    config = GenerateConfig(max_tokens=prompt.max_tokens, temperature=prompt.temperature, seed=prompt.seed)
    return await get_model().generate(messages, config=config)


def _told(done: asyncio.Task, answer: Future) -> None:
    if error := done.exception():
        answer.set_exception(error)
    else:
        answer.set_result(done.result())


# --- Inspect logs -----------------------------------------------------------------------------------------------------


def logs(folders):
    """A zip with an Inspect log for each model: a sample for each seat and run that it played."""
    played = defaultdict(list)
    for runs in folders:
        paid_in, calls = defaultdict(list), defaultdict(list)
        for row in runs.rows("rounds"):
            paid_in[row["condition"], row["replicate"]].append(row)
        for call in runs.rows("calls"):
            calls[call["condition"], call["replicate"], call["seat"]].append(call)
        for (condition, replicate, seat), asked in calls.items():
            own = paid(paid_in[condition, replicate])[seat]
            model = asked[0]["model"]
            played[runs.folder.game, model].append(_sample(f"{condition} {replicate} seat {seat}", asked, own))
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as packed:
        for (game, model), samples in sorted(played.items()):
            packed.writestr(f"{game}_{model.replace('/', '_')}.json", _log(game, model, samples))
    return "inspect-logs.zip", "application/zip", whole.getvalue()


logs.about = {
    "en": "Inspect's logs, one for each model, for `inspect view` and its data frames.",
    "zh": "Inspect 的日志，每个模型一份，供 `inspect view` 及其数据表使用。",
}


def _sample(name: str, calls, own: float) -> EvalSample:
    events = [_event(call) for call in calls]
    output = events[-1].output
    return EvalSample(
        id=name, epoch=1, input=events[0].input, target="", output=output, events=events,
        messages=[*events[-1].input, *(choice.message for choice in output.choices)],
        scores={"payoff": Score(value=own)},
    )  # fmt: skip


def _event(call) -> ModelEvent:
    asked = call["prompt"]
    output = ModelOutput.from_content(call["model"], call["reply"], stop_reason="stop", error=call["failure"] or None)
    into, out = call["tokens_in"] or 0, call["tokens_out"] or 0
    output.usage = ModelUsage(input_tokens=into, output_tokens=out, total_tokens=into + out)
    return ModelEvent(
        timestamp=_when(call.get("at")), model=call["model"], tools=[], tool_choice="none", output=output,
        input=[MESSAGES[one["role"]](content=one["content"]) for one in asked["messages"]],
        config=GenerateConfig(max_tokens=asked["max_tokens"], temperature=asked["temperature"], seed=asked["seed"]),
    )  # fmt: skip


def _when(at: str | None) -> datetime:
    return datetime.fromisoformat(at) if at else datetime(1970, 1, 1, tzinfo=UTC)


def _log(game: str, model: str, samples) -> bytes:
    first = min(event.timestamp for sample in samples for event in sample.events)
    spec = EvalSpec(
        created=first, task=f"polity/{game}", model=model, config=EvalConfig(),
        dataset=EvalDataset(name=game, samples=len(samples), sample_ids=[sample.id for sample in samples]),
    )  # fmt: skip
    with TemporaryDirectory() as folder:
        file = Path(folder) / "log.json"
        write_eval_log(EvalLog(status="success", eval=spec, samples=samples), str(file), format="json")
        return file.read_bytes()


def paid(rounds) -> list[float]:
    """What each seat was paid in all, in seat order."""
    total = defaultdict(float)
    for row in rounds:
        for name, amount in row.items():
            if name.startswith("payoff."):
                total[int(name.removeprefix("payoff."))] += amount or 0
    return [total[seat] for seat in sorted(total)]
