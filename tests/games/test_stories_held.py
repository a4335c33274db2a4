"""Twelve finished runs, and each sentence of their stories held to the log: who, when and how much are reckoned again
from the records alone, without what tells the story.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import groupby, pairwise
from typing import Any

import pytest

from games.core.registry import Registry
from games.core.words import PLACEHOLDER
from games.lab.scenarios.form import read_seats
from games.lab.scenarios.layers import Layer
from games.lab.scenarios.scenario import load
from games.lab.story import Story
from games.lab.story.rules import COMMON, rules_of
from games.site.drive.conductor import conduct
from games.site.record.outcome import records as stored
from games.site.runs.creating import run_create
from tests.games.persons import Person, again, over

pytestmark = pytest.mark.timeout(600)
PACKS = Registry().packs()
NUMBER = re.compile(r"[-−]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?%?")
DEAD = {"model": "mock/default", "profile": {"mock": {"faults": {"prose": 1.0}}, "fallback_limit": 1, "retries": 0}}
TFT = {"policy": "TFT"}
#: Five games, two declared, dead models, a tie, one step, a thousand; who left is played on a site, below.
PLAYED: dict[str, tuple[str, int, dict[str, Any], dict[Any, Any]]] = {
    "nations": ("nations/demo", 3, {}, {}),
    "mining": ("mining/policies", 1, {"rounds": 40}, {}),
    "dilemma": ("dilemma/demo", 1, {}, {}),
    "economist": ("economist/five-epochs", 1, {}, {}),
    "adasociety": ("adasociety/negotiation-easy", 1, {}, {}),
    "declared, everybody at once": ("public_goods/default", 1, {}, {}),
    "declared, buyers and sellers": ("double_auction/default", 1, {}, {}),
    "dead models": ("dilemma/demo", 1, {"rounds": 8}, {0: DEAD, 1: DEAD}),
    "a tie": ("dilemma/tft-vs-alld", 1, {}, {0: TFT, 1: TFT}),
    "one step": ("dilemma/noisy", 2, {"rounds": 1}, {}),
    "a thousand rounds": ("dilemma/noisy", 2, {"rounds": 1000}, {}),
}


@dataclass
class Log:
    """What a run's records say: its steps by round, and each round's last step."""

    slug: str
    records: Sequence[Mapping[str, Any]]
    roles: Sequence[str]

    @cached_property
    def numbered(self) -> list[tuple[int, Mapping[str, Any]]]:
        """Each record with the number of its round; the start is 0."""
        counted, parted = PACKS[self.slug].game.counted, []
        for n, (_, rows) in enumerate(groupby(self.records, lambda one: _label(one["clock"], counted))):
            parted += [(n, one) for one in rows]
        return parted

    @property
    def last(self) -> int:
        return self.numbered[-1][0]

    def step(self, number: int) -> int:
        return max(int(one["step"]) for n, one in self.numbered if n == number)

    @property
    def ranked(self) -> list[int]:
        roles = rules_of(PACKS[self.slug]).ranked
        return [seat for seat, role in enumerate(self.roles) if not roles or role in roles]

    def gained(self, until: int | None = None, since: int = 0) -> dict[int, float]:
        sums = dict.fromkeys(self.ranked, 0.0)
        for n, one in self.numbered:
            if since <= n <= (self.last if until is None else until):
                for seat, amount in one["payoffs"]:
                    if seat in sums:
                        sums[seat] += amount
        return sums

    @cached_property
    def led(self) -> list[list[int]]:
        """Who led alone, from which round to which."""
        led: list[list[int]] = []
        now = dict.fromkeys(self.ranked, 0.0)
        for n in range(1, self.last + 1):
            for seat, amount in self.by_round[n].items():
                now[seat] += amount
            ahead = [seat for seat in now if abs(now[seat] - max(now.values())) < 1e-6]
            if len(ahead) == 1 and led and led[-1][0] == ahead[0]:
                led[-1][2] = n
            elif len(ahead) == 1:
                led.append([ahead[0], n, n])
        return led

    @cached_property
    def by_round(self) -> dict[int, dict[int, float]]:
        return {n: self.gained(n, n) for n in range(self.last + 1)}

    @cached_property
    def standing(self) -> dict[str, Any]:
        """Who stands where at the end, who led last, how much was not the seats' own."""
        sums, led = self.gained(), self.led
        order = sorted(sums, key=lambda seat: (-sums[seat], seat))
        top = [seat for seat in order if abs(sums[seat] - sums[order[0]]) < 1e-6]
        rest = [seat for seat in order if seat not in top]
        second = [seat for seat in rest if abs(sums[seat] - sums[rest[0]]) < 1e-6]
        next_ = sums[second[0]] if second else 0
        margin = sums[top[0]] - next_
        facts: dict[str, Any] = {
            "winner": top[0],
            "first": top,
            "count": len(top),
            "seats": len(sums),
            "second": second,
        }
        facts |= {
            "score": sums[top[0]],
            "next": next_,
            "total": sum(sums.values()),
            "rounds": self.last,
            "margin": margin,
        }
        facts["relative"] = margin / sums[top[0]] if sums[top[0]] else 0
        facts |= {"decisions": self.own.total(), "not_own": sum(map(len, self.others.values()))}
        if led:
            facts |= {"at": led[-1][1], "before": led[-2][0] if len(led) > 1 else None, "changes": len(led) - 1}
        return facts

    @cached_property
    def own(self) -> Counter[int]:
        """How often each seat decided."""
        return Counter(seat for one in self.records if one["step"] for seat in one["seats"])

    @cached_property
    def others(self) -> dict[int, list[int]]:
        """By seat, the rounds of its moves that were not its own."""
        stood = {"substitute", "fallback", "timed_out", "idle"}
        rows = [(seat, n) for n, one in self.numbered for seat, flags in one["flags"] if stood & set(flags)]
        return {seat: [n for other, n in rows if other == seat] for seat, _ in rows}

    @cached_property
    def struck(self) -> Counter[int]:
        rows = [(n, seat) for n, one in self.numbered for seat, notes in one["notes"] if notes]
        return Counter(seat for n, seat in rows if n not in self.others.get(seat, ()))

    def events(self, kinds: Sequence[str]) -> list[tuple[int, Mapping[str, Any]]]:
        return [(n, one["data"]) for n, row in self.numbered for one in row["events"] if one["kind"] in kinds]

    def measured(self, name: str) -> list[tuple[int, float]]:
        rows = [(n, one["metrics"].get(name)) for n, one in self.numbered if one["step"]]
        return [(n, float(value)) for n, value in rows if isinstance(value, int | float)]


def _label(clock: Sequence[Sequence[Any]], counted: str) -> tuple[Any, ...]:
    names = [name for name, _ in clock]
    return tuple(map(tuple, clock[: names.index(counted) + 1 if counted in names else 1 if clock else 0]))


def _each(value: Any) -> list[int]:
    return list(value) if isinstance(value, list | tuple) else [] if value is None else [value]


def _amount(rule: Mapping[str, Any], data: Mapping[str, Any]) -> float:
    value = data.get(rule["amount"]) if "amount" in rule else 1
    return len(value) if isinstance(value, list) else float(value if isinstance(value, int | float) else 1)


def _top(counts: Mapping[Any, float]) -> tuple[list[Any], float]:
    best = max(counts.values())
    return [key for key in sorted(counts) if counts[key] == best], best


# --- what a game's rule says, reckoned again ---------------------------------------------------------------------


def reckoned(rule: Mapping[str, Any], log: Log, measures: Mapping[str, Any]) -> dict[str, Any]:
    """The facts of a rule's sentence by the names that its words use; whatever they do not name is left out."""
    events, last = log.events(rule.get("of", ())), log.last
    fields = {
        name: [rule[name]] if isinstance(rule[name], str) else rule[name] for name in ("by", "on") if name in rule
    }
    match rule["find"]:
        case "first":
            at, data = events[-1 if rule.get("last") else 0]
            return {**data, "at": at, "times": len(events)}
        case "pair":
            pairs = Counter(
                (by, on) for _, data in events for by in _each(data[rule["by"]]) for on in _each(data[rule["on"]])
            )
            [(by, on), *others], times = _top(pairs)
            assert not others or rule.get("alike"), "nobody is said to be first who is not"
            when = [(n, data) for n, data in events if by in _each(data[rule["by"]]) and on in _each(data[rule["on"]])]
            return {
                **when[0][1],
                "by": by,
                "on": on,
                "times": times,
                "total": len(events),
                "at": when[0][0],
                "until": when[-1][0],
            }
        case "peak":
            rounds = sorted({n for n, _ in events})
            level, amount = _top({n: sum(_amount(rule, data) for m, data in events if m == n) for n in rounds})
            here = [data for n, data in events if n == level[0]]
            told: dict[str, Any] = {"at": level[0], "alike": len(level), "amount": amount, "times": len(here)}
            told["total"] = sum(_amount(rule, data) for _, data in events)
            for name, keys in fields.items():
                sums: Counter[int] = Counter()
                for data in here:
                    for seat in (seat for key in keys for seat in _each(data.get(key))):
                        sums[seat] += _amount(rule, data)  # type: ignore[assignment]
                told[name] = _top(sums)[0]
            return told
        case "most":
            sums = Counter(seat for _, data in events for key in fields["by"] for seat in _each(data[key]))
            by, times = _top(sums)
            return {"by": by, "times": times, "total": len(events)}
        case "total":
            told = {name: len(log.events(kinds)) for name, kinds in rule["counts"].items()}
            told["all"] = sum(told.values())
            if "by" in fields:
                done = log.events(list(rule["counts"].values())[-1])
                sums = Counter(seat for _, data in done for key in fields["by"] for seat in _each(data[key]))
                told["by"], told["times"] = _top(sums) if sums else ([], 0)
            return told
        case "never":
            named = {seat for _, data in events for key in fields["on"] for seat in _each(data[key])}
            return {"seats": [seat for seat in range(len(log.roles)) if seat not in named]}
        case "halves":
            middle = last // 2
            if "measure" in rule:
                series = log.measured(rule["measure"])
                early, late = ([v for n, v in series if (n <= middle) == half] for half in (True, False))
                first, second = sum(early) / len(early), sum(late) / len(late)
            else:
                first = sum(n <= middle for n, _ in events) / middle
                second = sum(n > middle for n, _ in events) / (last - middle)
            went = "stayed" if abs(first - second) < 1e-9 else "rose" if second > first else "fell"
            return {"first": first, "second": second, "went": went}
        case "extremes":
            series = log.measured(rule["measure"])
            high, low = max(v for _, v in series), min(v for _, v in series)
            top, bottom = (next(n for n, v in series if v == best) for best in (high, low))
            tops, bottoms = (sum(v == best for _, v in series) for best in (high, low))
            return {"high": high, "top": top, "tops": tops, "low": low, "bottom": bottom, "bottoms": bottoms}
        case "quiet":
            marks = [0, *sorted({n for n, _ in events} - {0}), last + 1]
            gaps = [(after - before - 1, before + 1, after - 1) for before, after in pairwise(marks)]
            long = next(gap for gap in gaps if gap[0] == max(gaps)[0])
            return dict(zip(("rounds", "at", "until"), long, strict=True))
        case "measures":
            return dict(measures)
        case "absent":
            assert not events
            return {}
        case "deeds":
            chosen = [(data["by"], data[rule["field"]]) for _, data in events]
            if all(isinstance(value, str) for _, value in chosen):
                what, times = _top(Counter(value for _, value in chosen))
                return {"what": what, "times": times, "total": len(chosen)}
            means = {by: sum(v for b, v in chosen if b == by) / sum(b == by for b, _ in chosen) for by, _ in chosen}
            by, high = _top(means)
            on, low = _top({seat: -mean for seat, mean in means.items()})
            return {"by": by, "high": high, "on": on, "low": -low}
    raise AssertionError(f"a finder that nothing holds to the log: {rule['find']}")


# --- what every game's story says, reckoned again ----------------------------------------------------------------


def common(kind: str, log: Log) -> dict[str, Any]:
    facts, led, own, others, struck = dict(log.standing), log.led, log.own, log.others, log.struck
    top, second, last = facts["first"], facts["second"], log.last
    if kind == "leads" and len(led) == 2:
        facts["until"] = led[0][2]
    elif kind == "leads":
        long = max(until - at for _, at, until in led)
        facts["by"], facts["at"], facts["until"] = next(one for one in led if one[2] - one[1] == long)
    elif kind == "passing":
        now = log.gained(led[-1][1])
        facts |= {"score": now[led[-1][0]], "next": now[led[-2][0]]}
    elif kind == "swing":
        more = {n: log.by_round[n][top[0]] - log.by_round[n][second[0]] for n in range(1, last + 1)}
        [facts["at"]], facts["more"] = _top(more)
        facts["second"] = second[0]
    elif kind in ("messages", "unanswered"):
        said = log.events(["message_sent", "message", "said"])
        raise AssertionError(f"no run here has messages: {said}")
    elif kind == "struck":
        facts |= {"struck": struck.total(), "by": min(_top(struck)[0]), "times": max(struck.values())}
    elif kind == "silent_all":
        never = [seat for seat in others if len(others[seat]) == own[seat]]
        facts |= {"seats": sorted(never), "count": len(never), "asked": sum(own[seat] for seat in never)}
    elif kind == "silent" and others:
        by = min(_top({seat: len(rounds) for seat, rounds in others.items()})[0])
        facts |= {
            "by": by,
            "times": len(others[by]),
            "asked": own[by],
            "at": others[by][0],
            "rounds": sorted(set(others[by])),
        }
    return facts


# --- a sentence against the facts --------------------------------------------------------------------------------


def texts(parts: Sequence[Any]) -> str:
    return " ".join(part for part in parts if isinstance(part, str))


def assert_says(template: str, parts: Sequence[Any], facts: Mapping[str, Any], log: Log) -> None:
    """Whom a sentence names, when, and each of its numbers, are those of the facts that its words ask for."""
    seats, steps, numbers = [], [], [float(one) for one in re.findall(r"\d+", PLACEHOLDER.sub(" ", template))]
    for found in PLACEHOLDER.finditer(template):
        key, kind = found[1], found[2]
        if found[3] is not None or key in ("unit", "went"):
            continue
        value = facts[key]
        if kind in ("seat", "seats"):
            seats += _each(value)
        elif kind == "moment" or (key == "rounds" and isinstance(value, list)):
            steps += [log.step(n) for n in _each(value)]
        elif kind not in ("name", "one"):
            numbers += [float(one) for one in _each(value)]
    assert sorted(part["seat"] for part in parts if isinstance(part, dict) and "seat" in part) == sorted(seats), (
        template
    )
    assert sorted(part["at"] for part in parts if isinstance(part, dict) and "at" in part) == sorted(steps), template
    told = NUMBER.findall(texts(parts))
    assert len(told) == len(numbers), (template, told, numbers)
    left = list(numbers)
    for one in told:
        match = next((value for value in left if _is_said(one, value)), None)
        assert match is not None, f"{one} in {texts(parts)!r}: {left}"
        left.remove(match)


def _is_said(token: str, value: float) -> bool:
    """Whether a number as it is written is that value, rounded as it is written."""
    plain = token.rstrip("%").replace(",", "").replace("−", "-")
    decimals = len(plain.partition(".")[2])
    values = (value, value * 100) if token.endswith("%") else (value,)
    return any(abs(float(plain) - one) <= 0.5000001 * 10**-decimals for one in values)


def templates(slug: str, sentence: Mapping[str, Any]) -> list[tuple[Mapping[str, Any] | None, Mapping[str, str]]]:
    """The words that a sentence may have been made of: a rule's own, or those that all games share."""
    kind = sentence["kind"]
    rules = [rule for rule in rules_of(PACKS[slug]).tells if rule.get("kind", rule["find"]) == kind]
    if rules:
        forms = ["level", "named"]
        return [(rule, words) for rule in rules for words in (rule, *(rule[form] for form in forms if form in rule))]
    name = {"silent": "own|silent", "margin": "margin", "leads": "leads"}.get(kind, kind)
    keys = [key for key in COMMON["en"] if re.match(rf"({name})(_|$)", key) and not key.endswith("turning")]
    return [(None, {lang: COMMON[lang][key] for lang in COMMON}) for key in keys]


def assert_held(log: Log, story: Story, measures: Mapping[str, Any]) -> list[str]:
    """Each sentence is one of its templates with the facts of the log, in both languages; what kinds there were."""
    held: list[str] = []
    title: Mapping[str, Any] = {"kind": "title", "said": story["title"]}
    told: Sequence[Mapping[str, Any]] = (title, *story["sentences"])
    for one in told:
        faults = []
        shared = [key for key in COMMON["en"] if re.match(r"won|tied|level|alone|unranked|unsound|empty", key)]
        words = [(None, {lang: COMMON[lang][key] for lang in COMMON}) for key in shared]
        for rule, template in words if one is title else templates(log.slug, one):
            try:
                facts = reckoned(rule, log, measures) if rule else common(str(one["kind"]), log)
                for lang in ("en", "zh"):
                    shape = re.escape(PLACEHOLDER.sub("\0", template[lang])).replace("\0", ".*?").replace("\\ ", r"\s*")
                    plain = "".join(_plain(part) for part in one["said"][lang])
                    assert re.fullmatch(shape.replace(r"\.\*\?", ".*?"), plain), plain
                    assert_says(template[lang], one["said"][lang], facts, log)
            except (AssertionError, KeyError, ValueError) as fault:
                faults.append(str(fault))
                continue
            held.append(str(one["kind"]))
            break
        else:
            raise AssertionError(f"{log.slug}: {one['kind']}: {one['said']['en']} is not what the log says: {faults}")
    return held


def _plain(part: Any) -> str:
    return part if isinstance(part, str) else part.get("text", "§")


# --- the twelve --------------------------------------------------------------------------------------------------


@cache
def played(name: str) -> tuple[Log, Story, Mapping[str, Any]]:
    import polity
    from games.lab.folders.telling import read, story_of

    target, seed, config, seats = PLAYED[name]
    runs = polity.play(target, seeds=[seed], config=config, seats=seats)
    folder = runs.folder
    entry = folder.entries[0]
    roles = [one["role"] for one in folder.conditions[entry.condition]["agents"]]
    records = list(read(folder, entry))
    series = [one.get("metrics") or {} for one in records if one["step"]]
    measures = folder.pack.metrics.summarise(folder.config(entry.condition), series)
    return Log(folder.game, records, roles), story_of(folder, entry), measures


@pytest.mark.parametrize("name", PLAYED)
def test_each_sentence_of_a_finished_run_says_what_its_log_says(name: str) -> None:
    log, story, measures = played(name)
    assert len(assert_held(log, story, measures)) == 1 + len(story["sentences"])


@pytest.mark.django_db(transaction=True)
def test_each_sentence_of_a_match_that_a_person_left_says_what_its_log_says() -> None:
    seats = {"seats": {"0": {"person": True, "substitute": {"policy": "TFT"}}}}
    layer = Layer("test", {}, read_seats(seats, "test"), people={"default": "substitute"})
    run = run_create(scenario=load("dilemma/tft-vs-alld", extra=[layer]), seed=1)
    ann = Person()
    assert ann.joins(run.code).status_code == 201
    ann.starts()
    conduct(run.pk, "live")
    for step in range(1, 62):
        if again(run).status == "finished":
            break
        if step <= 50:
            assert ann.moves(step, action={"move": "C"}).status_code == 200
        else:
            over(run)
        conduct(run.pk, "live")
    assert again(run).status == "finished"
    log = Log(run.game, list(stored(run.pk)), [seat.role for seat in run.seats.order_by("index")])
    story: Any = again(run).story
    assert story is not None
    assert "silent" in assert_held(log, story, run.metrics or {})


def mutated(story: Story, change: Callable[[Any], None]) -> Story:
    import copy

    other = copy.deepcopy(story)
    change(other)
    return other


@pytest.mark.parametrize("what", ["a number", "a name", "a moment"])
def test_a_sentence_that_says_something_else_is_found(what: str) -> None:
    """Each sentence of a story is changed in turn; the check above finds each."""
    log, story, measures = played("nations")
    changed = 0
    for n, sentence in enumerate(story["sentences"]):
        parts: Sequence[Any] = sentence["said"]["en"]
        for k, part in enumerate(parts):
            if what == "a number" and isinstance(part, str) and NUMBER.search(part):
                new: Any = NUMBER.sub(lambda found: found[0] + "7", part, count=1)
            elif what == "a name" and isinstance(part, dict) and "seat" in part:
                new = {"seat": (part["seat"] + 1) % 5}
            elif what == "a moment" and isinstance(part, dict) and "at" in part:
                new = {**part, "at": part["at"] + 1}
            else:
                continue
            changed += 1

            def change(one: Any, n: int = n, k: int = k, new: Any = new) -> None:
                one["sentences"][n]["said"]["en"][k] = new

            with pytest.raises(AssertionError, match="is not what the log says"):
                assert_held(log, mutated(story, change), measures)
    assert changed >= 4
