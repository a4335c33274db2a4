"""A story put in words: which findings are told, in which order, as parts of sentences in every language."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any, Final, cast

from games.core.conduct import UNSOUND
from games.core.game import MESSAGES
from games.core.pack import Pack
from games.core.prompts import LANGUAGES
from games.lab.story.finders import FINDERS, Facts, Sought
from games.lab.story.log import Log
from games.lab.story.rules import Rules, rules_of
from games.lab.story.shape import Headline, Sentence, Story, Turning
from games.lab.story.standing import Standing, Stint, after, standing, stints, swing
from games.lab.story.wording import Found, Moments, Wording, common, digits_of, percent

MOST: Final = 8
"""Sentences beside the title."""
TURNINGS: Final = 3
NAMED: Final = 3
"""Rounds that are named one by one where a seat did not decide."""


def story(
    pack: Pack,
    log: Log,
    roles: Sequence[str],
    *,
    measures: Mapping[str, Any] | None = None,
    over: bool = True,
    most: float = UNSOUND,
) -> Story:
    """The story of what ``log`` holds. ``roles``: that of each seat; ``measures``: the run's, once it is over;
    ``most``: with a higher share of moves that were not their seats' own nobody is ranked.

    The same log gives the same story, and nothing in it is not in the log.
    """
    return _Teller(pack, log, roles, measures or {}, over, most).story()


def headline(pack: Pack, log: Log, roles: Sequence[str], *, most: float = UNSOUND) -> Headline:
    """What a story of a run that is over begins with; the log needs neither events nor measures for it."""
    return _Teller(pack, log, roles, {}, True, most).headline()


class _Teller:
    def __init__(
        self, pack: Pack, log: Log, roles: Sequence[str], measures: Mapping[str, Any], over: bool, most: float
    ) -> None:
        self.pack, self.log, self.over, self.measures, self.most = pack, log, over, measures, most
        self.rules: Rules = rules_of(pack)
        self.seats = range(len(roles))
        self.ranked = [seat for seat in self.seats if not self.rules.ranked or roles[seat] in self.rules.ranked]
        self.standing: Standing | None = standing(log, self.ranked) if self.ranked else None
        digits = digits_of(log.totals.get(seat, 0) for seat in self.ranked)
        self.words = Wording(pack, log, self.rules.unit, digits)

    @cached_property
    def led(self) -> list[Stint]:
        return stints(self.log, self.ranked)

    # --- the story ------------------------------------------------------------------------------------

    def headline(self) -> Headline:
        outcome, title = self._outcome()
        place = self.standing
        margin = place.margin if place and outcome == "won" else None
        next_ = place.amounts[place.second[0]] if place and place.second else 0
        return {
            "outcome": outcome,  # type: ignore[typeddict-item]
            "over": self.over,
            "first": list(place.top) if place and outcome in ("won", "tied", "level", "alone") else [],
            "margin": margin,
            "relative": margin / next_ if margin is not None and next_ > 0 else None,
            "unit": dict(self.rules.unit),
            "head": self.log.head,
            "title": self.words.said(title),
        }

    def story(self) -> Story:
        begins = self.headline()
        found = list(self._findings(begins["outcome"]))
        turning = self._turning(found)
        told = self._chosen(found, turning)
        promises = next((one.facts for one in found if {"kept", "broken"} <= one.facts.keys()), None)
        decided = self.log.decided
        return {
            **begins,
            "sentences": [self._sentence(one, turning) for one in told],
            "turning": [self._turn(one) for one in turning],
            "led": [
                {"seat": one.seat, "at": self.words.step(one.first), "until": self.words.step(one.last)}
                for one in self.led
            ],
            "kept": promises["kept"] if promises else None,
            "broken": promises["broken"] if promises else None,
            "silent": [
                (seat, decided.decisions[seat], decided.not_own[seat]) for seat in self.seats if decided.not_own[seat]
            ],
            "struck": self.log.struck.total(),
        }

    def _chosen(self, found: Sequence[Found], turning: Sequence[Found]) -> list[Found]:
        """At most `MOST`: turning points and what is of the whole run before the rest; then in order of time."""
        kept = [one for one in found if one in turning or one.kind in ("margin", "silent", "silent_all", "struck")]
        for one in found:
            if one not in kept and len(kept) < MOST:
                kept.append(one)
        order = {id(one): n for n, one in enumerate(found)}
        return sorted(kept[:MOST], key=lambda one: (one.whole, one.facts["at"] if not one.whole else 0, order[id(one)]))

    def _turning(self, found: Sequence[Found]) -> list[Found]:
        """The rounds in which it turned: the last change of the lead first, then the game's own in their order."""
        chosen: list[Found] = []
        for one in found:
            if one.caption and len(chosen) < TURNINGS and one.facts["at"] not in [two.facts["at"] for two in chosen]:
                chosen.append(one)
        return sorted(chosen, key=lambda one: cast(int, one.facts["at"]))

    def _sentence(self, one: Found, turning: Sequence[Found]) -> Sentence:
        at: int = one.facts["at"]
        until: int = one.facts.get("until", at)
        number = next((n for n, two in enumerate(turning, 1) if two is one), None)
        return {
            "kind": one.kind,
            "at": self.words.step(at),
            "until": self.words.step(until),
            "span": {lang: self.words.span(lang, at, until, one.whole) for lang in LANGUAGES},
            "said": self.words.said(one),
            "turning": number,
        }

    def _turn(self, one: Found) -> Turning:
        return {
            "at": self.words.step(one.facts["at"]),
            "said": self.words.said(replace(one, words=one.caption or one.words)),
        }

    # --- what is found --------------------------------------------------------------------------------

    def _outcome(self) -> tuple[str, Found]:
        """How it ended, or stands, and its sentence."""
        log, place = self.log, self.standing
        facts: Facts = {"at": log.last, "last": log.last, "rounds": log.last, "seats": len(self.ranked)}
        if log.last < 1:
            return "empty", self._common("empty", facts | {"at": 0})
        decided = log.decided
        facts |= {"decisions": decided.decisions.total(), "not_own": decided.not_own.total()}
        if decided.is_unsound(self.most):
            return "unsound", self._common("unsound", facts)
        if place is None or all(amount == 0 for amount in place.amounts.values()):
            return "unranked", self._common("unranked" if self.over else "now_unranked", facts)
        facts |= {
            "winner": place.top[0],
            "first": list(place.top),
            "score": self.words.amount(place.amounts[place.top[0]]),
        }
        if len(self.ranked) == 1:
            outcome = "alone"
        elif len(place.top) == 1:
            outcome = "won"
            facts["margin"] = self.words.amount(place.margin or 0)
        else:
            outcome = "level" if len(place.top) == len(self.ranked) else "tied"
            facts["count"] = len(place.top)
        if not self.over:
            return outcome, self._common(f"now_{outcome}", facts)
        many = outcome == "tied" and len(place.top) > NAMED
        name = self._won(facts) if outcome == "won" else "tied_many" if many else outcome
        return outcome, self._common(name, facts)

    def _won(self, facts: Facts) -> str:
        """Which sentence tells a win: since when its seat has been ahead, and whom it passed."""
        if not self.led:
            return "won"
        final = self.led[-1]
        facts["at"] = final.first
        if len(self.led) == 1:
            return "won_ahead"
        facts["before"] = self.led[-2].seat
        return "won_last" if final.first == self.log.last else "won_passing"

    def _findings(self, outcome: str) -> Iterator[Found]:
        if outcome == "empty":
            return
        if ranked := outcome not in ("unsound", "unranked"):
            yield from self._margin(outcome)
            yield from self._leads(outcome)
        if outcome != "unsound":  # what was played in the seats' places is not their behaviour
            yield from self._own()
        if ranked:
            yield from self._swing(outcome)
        yield from self._messages()
        yield from self._struck()
        yield from self._silent()

    def _margin(self, outcome: str) -> Iterator[Found]:
        place = self.standing
        if place is None or not place.second:
            return
        score, next_ = place.amounts[place.top[0]], place.amounts[place.second[0]]
        facts: Facts = {
            "at": self.log.last, "winner": place.top[0], "first": list(place.top), "second": list(place.second),
            "score": self.words.amount(score), "next": self.words.amount(next_), "seats": len(self.ranked),
            "total": self.words.amount(sum(place.amounts.values())),
        }  # fmt: skip
        name = "margin_many" if len(place.top) <= NAMED else "margin_most"
        if outcome == "won":
            name = "margin" if score > 0 and next_ >= 0 else "margin_zero"
            if score > 0:
                facts["relative"] = percent((score - next_) / score)
        yield self._common(name, facts, kind="margin", whole=True)

    def _leads(self, outcome: str) -> Iterator[Found]:
        led = self.led
        if not led or self.standing is None:
            return
        changes = len(led) - 1
        final = led[-1]
        facts: Facts = {"at": final.first, "winner": final.seat}
        if changes == 0:
            return  # the title says so
        facts["before"] = led[-2].seat
        caption = common("passing_turning") if outcome == "won" else None
        if changes == 1:
            facts["until"] = led[0].last
            yield replace(self._common("leads_one", facts, kind="leads"), caption=caption)
            return
        longest = max(one.last - one.first for one in led)
        long = [one for one in led if one.last - one.first == longest]
        facts |= {"changes": changes, "by": long[0].seat}
        name = "leads" if len(long) == 1 else "leads_even"
        told = self._common(name, facts | {"at": long[0].first, "until": long[0].last}, kind="leads", whole=True)
        if caption:
            for name, seat in (("score", final.seat), ("next", facts["before"])):
                facts[name] = self.words.amount(after(self.log, seat, final.first))
            yield replace(self._common("passing", facts), caption=caption)
        yield told

    def _swing(self, outcome: str) -> Iterator[Found]:
        place = self.standing
        if outcome != "won" or place is None or not place.second:
            return
        found = swing(self.log, place.top[0], place.second[0])
        if found is not None:
            facts: Facts = {
                "at": found[0],
                "winner": place.top[0],
                "second": place.second[0],
                "more": self.words.amount(found[1]),
            }
            yield replace(self._common("swing", facts), caption=common("swing_turning"))

    def _own(self) -> Iterator[Found]:
        """What the game's own rules find."""
        sought = Sought(self.log, self.seats, self.measures)
        for rule in self.rules.tells:
            facts = FINDERS[rule["find"]](rule, sought)
            if facts is None:
                if "none" in rule and rule["find"] != "measures":
                    yield Found(
                        rule.get("kind", rule["find"]), {"at": 1, "until": self.log.last}, rule["none"], whole=True
                    )
                continue
            words = rule["named"] if "what" in facts and "named" in rule else rule
            if facts.get("went") == "stayed":
                words = rule.get("level", words)
            at, until = facts["at"], facts.get("until", facts["at"])
            whole = (at <= 1 and until == self.log.last and self.log.last > 1) or rule["find"] in (
                "total",
                "most",
                "halves",
            )
            yield Found(rule.get("kind", rule["find"]), facts, words, rule.get("turning"), whole)

    def _messages(self) -> Iterator[Found]:
        said = self.log.happened(sorted(MESSAGES))
        written: Counter[int] = Counter(data["by"] for _, data in said)
        if not written:
            return
        most = max(written.values())
        by = [seat for seat in self.seats if written[seat] == most]
        none = [seat for seat in self.seats if not written[seat]]
        facts: Facts = {
            "at": said[0][0],
            "until": said[-1][0],
            "by": by,
            "times": most,
            "total": len(said),
            "seats": none,
        }
        yield self._common("messages_silent" if none else "messages", facts, kind="messages", whole=True)
        sent: Counter[tuple[int, int]] = Counter((data["by"], to) for _, data in said for to in data.get("to") or ())
        open_ = {pair: n for pair, n in sent.items() if not sent[pair[1], pair[0]] and pair[0] != pair[1]}
        if open_:
            pair = min(open_, key=lambda one: (-open_[one], one))
            facts = {"at": 1, "until": self.log.last, "by": pair[0], "on": pair[1], "times": open_[pair]}
            yield self._common("unanswered", facts, whole=True)

    def _struck(self) -> Iterator[Found]:
        struck, decisions = self.log.struck, self.log.decided.decisions.total()
        facts: Facts = {"at": 1, "until": self.log.last, "decisions": decisions, "struck": struck.total()}
        if struck:
            by = min(struck, key=lambda seat: (-struck[seat], seat))
            yield self._common("struck", facts | {"by": by, "times": struck[by]}, whole=True)

    def _silent(self) -> Iterator[Found]:
        """Who did not decide, or that everybody did."""
        decided = self.log.decided
        whole: Facts = {"at": 1, "until": self.log.last}
        if not decided.decisions:
            return
        if not decided.not_own:
            facts = whole | {"decisions": decided.decisions.total()}
            yield self._common("own" if self.log.struck else "own_whole", facts, kind="silent", whole=True)
            return
        never = [seat for seat in self.seats if decided.decisions[seat] and decided.of(seat) == 1]
        if never:
            asked = sum(decided.decisions[seat] for seat in never)
            yield self._common("silent_all", whole | {"seats": never, "asked": asked, "count": len(never)}, whole=True)
        rest = [seat for seat in self.seats if decided.not_own[seat] and seat not in never]
        if not rest:
            return
        by = min(rest, key=lambda seat: (-decided.not_own[seat], seat))
        missed = list(dict.fromkeys(self.log.missed[by]))
        facts = whole | {"by": by, "times": decided.not_own[by], "asked": decided.decisions[by], "at": missed[0]}
        if len(missed) <= NAMED:
            facts["rounds"] = Moments(missed)
        yield self._common("silent" if len(missed) <= NAMED else "silent_more", facts, kind="silent", whole=True)
        others = rest[:]
        others.remove(by)
        if others:
            facts = whole | {"times": sum(decided.not_own[seat] for seat in others), "count": len(others)}
            yield self._common("silent_rest", facts, whole=True)

    def _common(self, name: str, facts: Facts, *, kind: str = "", whole: bool = False) -> Found:
        return Found(kind or name, facts, common(name), whole=whole)
