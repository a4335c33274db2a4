"""What the API tells and takes, as types for the client; made by `just contract` from the API's schema.

They check nothing while a program runs, and ask for no package: what comes is what the site sent.
"""

from __future__ import annotations

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict


class AccountIn(TypedDict):
    active: NotRequired[bool | None]
    forget_second_factor: NotRequired[bool]
    role: NotRequired[Literal["viewer", "experimenter", "operator"] | None]


class AccountMadeOut(TypedDict):
    active: bool
    joined: str
    last_login: str | None
    name: str
    password: str
    role: Literal["viewer", "experimenter", "operator"] | None


class AccountOut(TypedDict):
    active: bool
    joined: str
    last_login: str | None
    name: str
    role: Literal["viewer", "experimenter", "operator"] | None


class AckMessage(TypedDict):
    """The frames up to a number have come."""

    n: int
    type: Literal["ack"]


class ActIn(TypedDict):
    """What is done about a member, by their number, or about all of the session."""

    do: Literal["nudge", "extend", "advance", "replace", "end", "erase", "unname", "say", "show", "unlink"]
    member: NotRequired[int | None]
    text: NotRequired[str]


class AgentOut(TypedDict):
    about: str
    name: str
    seat: dict[str, Any]


class AnswersOut(TypedDict):
    corrected: int
    fallbacks: int
    given: int


class ApiKeyIn(TypedDict):
    budget_usd: NotRequired[float | None]
    days: NotRequired[int | None]
    name: str
    scopes: list[Literal["read", "run", "export", "accounts"]]


class ApiKeyOut(TypedDict):
    budget_usd: float | None
    created: str
    expires: str | None
    held_usd: float
    left_usd: float | None
    name: str
    prefix: str
    revoked: bool
    scopes: list[str]
    spent_usd: float


class AsideOut(TypedDict):
    text: str
    when: str


class AttemptOut(TypedDict):
    attempt: int
    failure: str
    says: NotRequired[dict[str, str] | None]
    why: str


class BatchWaitOut(TypedDict):
    """Calls that are asked through the vendor's batch interface and have no answer yet."""

    calls: int
    error: str
    left_s: float
    since_s: float
    vendor_id: str


class Beside(TypedDict):
    """The same settings played by models or policies."""

    label: str
    models: bool
    seats: int
    values: list[float | None]


class Brief(TypedDict):
    """Of a frame what stands on the time axis."""

    clock: list[tuple[str, int]]
    hash: str
    kinds: list[str]
    metrics: dict[str, Any] | None
    n: int
    payoffs: list[tuple[int, float]]


class BriefPage(TypedDict):
    briefs: list[Brief]
    head: int


class CallLineOut(TypedDict):
    """A call in a list: its figures, without its texts."""

    attempt: int
    batch: str
    cost_usd: float | None
    estimated: bool
    failure: str
    from_cache: bool
    id: int
    latency_ms: int | None
    model: str
    prompt_hash: str
    purpose: str
    seat: int
    step: int
    tokens_cached: int | None
    tokens_in: int | None
    tokens_out: int | None


class CellOut(TypedDict):
    condition: str
    error: str | None
    head: int
    metrics: dict[str, Any] | None
    not_own: float | None
    replicate: int
    run: str | None
    seed: int | str | None
    status: str
    unsound: bool | None


class CheckIn(TypedDict):
    document: dict[str, Any]
    spread: NotRequired[dict[str, float]]


class Clock(TypedDict):
    """The rounds that are open, over all matches."""

    first: int
    last: int
    left_s: float | None
    moved: int
    of: int


class CloneIn(TypedDict):
    fresh_seeds: NotRequired[bool]
    slug: str


class CodeOut(TypedDict):
    address: str
    code: str


class ColumnOut(TypedDict):
    about: str
    kind: Literal["whole", "number", "text", "json", "time"]
    name: str


class CommentIn(TypedDict):
    language: NotRequired[Literal["en", "zh"]]
    model: str
    step: int


class CommentOut(TypedDict):
    """What a model wrote on a step, from what everybody may know."""

    language: str
    model: str
    step: int
    text: str


class Completion(TypedDict):
    code: str | None
    url: str | None


class ConditionOut(TypedDict):
    config: dict[str, Any]
    name: str
    seats: list[dict[str, Any]]
    title: dict[str, str]


class ConfigCheckIn(TypedDict):
    config: NotRequired[dict[str, Any]]
    game: str


class ControlIn(TypedDict):
    action: Literal["play", "pause", "step", "stop", "pace", "limits", "open"]
    audience: NotRequired[dict[str, Any] | None]
    limits: NotRequired[dict[str, Any] | None]
    pace: NotRequired[float | None]
    rounds: NotRequired[int]
    steps: NotRequired[int | None]


class DecisionOut(TypedDict):
    """What came of a seat's calls at one step, before the game cleaned it."""

    action: NotRequired[Any]
    attempts: list[AttemptOut]
    commentary: str
    flags: list[str]
    ignored: list[str]
    memory: NotRequired[Any]
    plan: NotRequired[Any]
    seat: int
    step: int


class DeliveryOut(TypedDict):
    body: str
    code: int | None
    created: str
    due: str | None
    error: str
    id: str
    status: Literal["waiting", "delivered", "failed"]
    tried: str | None
    tries: int
    type: str


class DoorOut(TypedDict):
    address: str


class EquilibriumOut(TypedDict):
    chances: list[list[str]]
    pays: list[str]
    pure: bool


class ErrorMessage(TypedDict):
    """Said before the line is closed; the values that the message names stand beside it."""

    code: str
    message: str
    type: Literal["error"]


class EstimateOut(TypedDict):
    """Likely figures: prompts stay as in the first steps, replies fill a quarter of their bound; null: unknown."""

    at_most: int | None
    calls: int | None
    exceeds: list[str]
    ordinary: NotRequired[list[str]]
    tokens_in: int | None
    tokens_out: int | None
    unpriced: list[str]
    usd: float | None
    usd_least: NotRequired[float | None]
    usd_most: NotRequired[float | None]


class EventData(TypedDict):
    """What has happened, and where it is read; nothing of what was said or played."""

    address: NotRequired[str | None]
    condition: NotRequired[str | None]
    experiment: NotRequired[str | None]
    game: NotRequired[str | None]
    run: NotRequired[str | None]
    scenario: NotRequired[str | None]
    session: NotRequired[int | None]
    status: NotRequired[str | None]
    study: NotRequired[str | None]
    why: NotRequired[str | None]


class EventOut(TypedDict):
    data: dict[str, Any]
    kind: str
    to: NotRequired[list[int]]


class EventRow(TypedDict):
    clock: list[tuple[str, int]]
    data: dict[str, Any]
    kind: str
    number: int
    step: int
    to: list[int] | None


class ExperimentIn(TypedDict):
    at_once: NotRequired[int | None]
    audience: NotRequired[dict[str, Any] | None]
    document: dict[str, Any]
    freeze: NotRequired[bool]
    limits: NotRequired[dict[str, Any] | None]
    pace: NotRequired[float]
    slug: str
    start: NotRequired[bool]
    stop: NotRequired[dict[str, Any] | None]


class ExperimentOut(TypedDict):
    at_once: int | None
    audience: dict[str, Any]
    conditions: list[str]
    created: str
    done: int
    ended: str | None
    failed: int
    figures: bool
    frozen_at: str | None
    game: str
    left_s: float | None
    limits: dict[str, Any]
    pace: float
    parent: str | None
    queue: Literal["live", "bulk"]
    reason: dict[str, Any]
    runs: int
    slug: str
    spent: dict[str, float] | None
    status: Literal["draft", "running", "paused", "finished", "cancelled", "stopped"]
    stop: dict[str, Any]
    title: dict[str, str]


class ExperimentPatch(TypedDict):
    at_once: NotRequired[int | None]
    audience: NotRequired[dict[str, Any] | None]
    document: NotRequired[dict[str, Any] | None]
    limits: NotRequired[dict[str, Any] | None]
    pace: NotRequired[float | None]
    stop: NotRequired[dict[str, Any] | None]


Run: TypeAlias = str


class ExportPlanOut(TypedDict):
    columns: list[ColumnOut]
    level: Literal["runs", "rounds", "events", "decisions", "calls", "asides", "messages", "metrics", "participants"]
    people: int
    pseudonymised: bool
    rows: int
    runs: int
    steps: int


class Facets(TypedDict):
    experiments: list[str]
    games: list[str]
    models: list[str]
    tags: list[str]


class FaultOut(TypedDict):
    message: str
    path: str
    says: NotRequired[dict[str, str]]


class Filter(TypedDict):
    """Which runs; several values of one filter are parted by commas."""

    agent: NotRequired[str]
    cost_max: NotRequired[float | None]
    cost_min: NotRequired[float | None]
    experiment: NotRequired[str]
    fallback: NotRequired[float | None]
    find: NotRequired[str]
    game: NotRequired[str]
    model: NotRequired[str]
    not_own: NotRequired[float | None]
    people: NotRequired[str]
    since: NotRequired[str]
    sort: NotRequired[str]
    state: NotRequired[str]
    tag: NotRequired[str]


class Finding(TypedDict):
    """What came of the matches that began together, once all are over."""

    beside: Beside | None
    match: int
    matches: int
    moves: int
    own: int
    unsound: int
    values: list[float | None]


class FindingOut(TypedDict):
    """What was seen of one ability."""

    ability: Literal[
        "usage", "structured", "plan", "tools", "seed", "temperature", "cached", "chinese", "context", "parallel"
    ]
    calls: int
    latency_ms: int | None
    of: int | None
    said: str
    tokens_in: int
    tokens_out: int
    usd: float | None
    value: int | None
    verdict: Literal["accepted", "ignored", "refused", "unknown"]
    why: Literal[
        "",
        "unheeded",
        "unsent",
        "silent",
        "unvaried",
        "varied",
        "cut",
        "said",
        "late",
        "unanswered",
        "unlisted",
        "unreadable",
    ]


class ForkIn(TypedDict):
    at: int
    audience: NotRequired[dict[str, Any] | None]
    config: NotRequired[dict[str, Any]]
    limits: NotRequired[dict[str, Any] | None]
    pace: NotRequired[float | None]
    seats: NotRequired[dict[str, Any]]
    start: NotRequired[bool]


class GameOut(TypedDict):
    policies: list[str]
    presets: list[str]
    slug: str
    tagline: str
    title: str


class GuessIn(TypedDict):
    after: int
    choice: str
    seat: int
    viewer: str


class HandOverIn(TypedDict):
    agent: dict[str, Any]
    audience: NotRequired[dict[str, Any] | None]


class ImportIn(TypedDict):
    archive: str
    slug: str


class InvitedOut(TypedDict):
    game: str
    id: str
    status: str


class JobOut(TypedDict):
    """A request that a worker carries out."""

    address: str
    answer: str | None
    done: int | None
    expires: str
    id: str
    of: int | None
    status: Literal["waiting", "running", "done"]


class JoinIn(TypedDict):
    consent: NotRequired[bool]
    label: NotRequired[str]
    language: NotRequired[str]


class JoinedOut(TypedDict):
    address: str
    id: str
    seat: int


class KeyOut(TypedDict):
    """A key of a study's file."""

    about: str
    default: Any
    example: str
    kind: str
    path: str


class KnockIn(TypedDict):
    do: Literal["admit", "refuse"]


class KnockOut(TypedDict):
    """A second browser at the door of a member's place."""

    at: str
    code: str
    label: str
    member: int


class LabelOut(TypedDict):
    limited: bool
    max: int
    required: bool


class LanguageIn(TypedDict):
    language: str


class LanguageOut(TypedDict):
    language: str


class LatestExperiment(TypedDict):
    """An experiment in a list of runs, in whose row all its runs stand."""

    conditions: int
    cost_usd: float | None
    done: int
    failed: int
    runs: int
    slug: str
    status: Literal["draft", "running", "paused", "finished", "cancelled", "stopped"]
    title: dict[str, str]


class Lead(TypedDict):
    at: int
    seat: int
    until: int


class LeadIn(TypedDict):
    """What the lead of a session does for all of it."""

    do: Literal["begin", "pause", "resume", "finish", "close", "reopen"]
    match: NotRequired[int | None]


class LeavingOut(TypedDict):
    """What happens to somebody who does not answer, or leaves."""

    deadline_s: float | None
    default: Literal["default", "substitute"]
    grace_s: float
    substitute: str
    tick_s: float | None


class ManyIn(TypedDict):
    """What to do with which runs: those named, or all that the filter finds."""

    action: Literal["stop", "delete", "rerun", "tag", "untag"]
    ids: NotRequired[list[str] | None]
    tag: NotRequired[str]
    where: NotRequired[Filter | None]


class MeasuredIn(TypedDict):
    """What one call was seen to take, as a trial tells it."""

    latency_ms: int
    tokens_in: int
    tokens_out: int
    told: int


class MemberOut(TypedDict):
    """Where a member is. No label: who they are, ``labels.csv`` says."""

    arm: str
    away: bool
    erased: bool
    match: str | None
    need: str
    number: int
    owed: str | None
    round: int
    silent_s: float
    silo: int | None
    since_s: float
    state: str
    step: str
    waits: str


class MessageRow(TypedDict):
    id: int
    order: int
    sender: int
    step: int
    text: str
    to: list[int] | None


class MetricRow(TypedDict):
    clock: list[tuple[str, int]]
    metrics: dict[str, Any] | None
    step: int


class ModelIn(TypedDict):
    about: NotRequired[str]
    profile: dict[str, Any]


class ModelOut(TypedDict):
    """A named model. ``key``: set, missing, or none where it needs none; only the name of its variable is ever told."""

    about: str
    changed: str
    fallback: float | None
    key: str
    key_name: str | None
    name: str
    price: dict[str, Any] | None
    profile: dict[str, Any]
    runs: int


class MomentIn(TypedDict):
    """A seat at a round of a preset, and who would sit there."""

    profile: dict[str, Any]
    scenario: str
    seat: NotRequired[int]
    step: NotRequired[int]


class MomentPart(TypedDict):
    at: int
    text: str


MoveIn = TypedDict(
    "MoveIn",
    {
        "action": NotRequired[Any],
        "id": str,
        "pass": NotRequired[bool],
        "plan": NotRequired[Any],
        "step": int,
        "tab": NotRequired[str],
    },
)


class NamedSeat(TypedDict):
    name: str
    role: str
    seat: int


class NextOnScreen(TypedDict):
    can_start: bool
    here: int
    least: int
    number: int
    of: int


class NoteOut(TypedDict):
    """Why a part of an answer was struck out or changed; worded as an event is."""

    data: dict[str, Any]
    kind: str


class NothingIn(TypedDict):
    pass


class OpenTurnOut(TypedDict):
    left_s: float | None
    missing: list[int]
    step: int


class OptionOut(TypedDict):
    key: str
    said: dict[str, str]


class OwnGuess(TypedDict):
    choice: str
    seat: int


class ParticipantOut(TypedDict):
    consent_at: str | None
    id: str
    joined: str
    label: str
    language: str
    last_seen_s: float
    moves: int
    passed: int
    state: str
    substituted: int
    timed_out: int


class PayTableOut(TypedDict):
    """Points by what both choose."""

    cells: list[list[list[float]]]
    columns: list[str]
    rows: list[str]
    title: str


class PeopleIn(TypedDict):
    action: Literal["start", "extend", "advance", "relink", "recode", "remove", "forget"]
    participant: NotRequired[str | None]
    seat: NotRequired[int | None]
    seconds: NotRequired[float]


class PeopleSummary(TypedDict):
    begun: bool
    of: int
    open: int
    ready: int


class PhenomenonOut(TypedDict):
    against: str
    claim: dict[str, str]
    differences: list[float]
    effect: float
    estimate: float | None
    game: str
    high: float | None
    low: float | None
    measure: str
    n: int
    name: str
    p: float | None
    p_alone: float | None
    preset: str
    seeds: list[int]
    sign: str
    source: str
    undefined: int
    verdict: str


class PingMessage(TypedDict):
    head: int
    run: NotRequired[dict[str, Any]]
    status: Literal["queued", "running", "waiting", "paused", "finished", "stopped", "failed"]
    type: Literal["ping"]


class PluginOut(TypedDict):
    about: dict[str, str]
    digest: str
    kind: Literal["games", "agents", "providers", "measures", "steps", "exporters"]
    name: str
    package: str
    version: str
    why: str


class PolicyOut(TypedDict):
    aka: list[str]
    name: str
    params: dict[str, Any]
    roles: list[str]
    rule: str
    source: str


class PopulationOut(TypedDict):
    dynamics: str
    earned: list[float]
    game: str
    high: list[list[float]]
    intervals: list[list[float]]
    low: list[list[float]]
    meetings: list[list[int]]
    members: list[int]
    policies: list[str]
    shares: list[list[float]]


class PowerPoint(TypedDict):
    """How likely a design of so many seeds shows a difference."""

    seeds: int
    share: float


class PresetDetailOut(TypedDict):
    about: dict[str, str]
    condition: str
    conditions: list[str]
    config: dict[str, Any]
    name: str
    round_robin: dict[str, Any] | None
    seat_names: list[str]
    seat_roles: list[str]
    seats: list[dict[str, Any]]
    seeds: list[int]
    title: dict[str, str]


class PreviewOut(TypedDict):
    asides: list[AsideOut]
    messages: list[dict[str, str]]
    step: int
    tokens: int


class ProbeCostOut(TypedDict):
    """What looking takes at most, if each reply is as long as it may be."""

    calls: int
    tokens_in: int
    tokens_out: int
    usd: float | None


class ProbeIn(TypedDict):
    abilities: NotRequired[
        list[
            Literal[
                "usage",
                "structured",
                "plan",
                "tools",
                "seed",
                "temperature",
                "cached",
                "chinese",
                "context",
                "parallel",
            ]
        ]
    ]
    profile: dict[str, Any]


class ProgramIn(TypedDict):
    label: NotRequired[str]


class PromptIn(TypedDict):
    """A seat of a condition, at a step."""

    condition: str
    document: dict[str, Any]
    seat: NotRequired[int | None]
    step: NotRequired[int]


class PromptOut(TypedDict):
    asides: list[AsideOut]
    messages: list[dict[str, str]]
    names: list[str]
    seat: int
    seats: list[int]
    step: int
    tokens: int


class ProvenanceOut(TypedDict):
    """What a reader must know before the answer."""

    at: str | None
    entry: int | None
    exploratory: bool
    family: list[str]
    marked: bool
    planned: int
    played: int
    registered: Literal["before", "after", "not", "elsewhere"]
    seen: int
    sentences: dict[str, list[str]]


class PublicationOut(TypedDict):
    """What whoever publishes must know before."""

    private: list[str]


class Ranked(TypedDict):
    name: str
    place: int
    points: float


class RefusedRun(TypedDict):
    code: str
    facts: dict[str, Any]
    id: str
    message: str


class RegisterEntryOut(TypedDict):
    at: str
    digest: str
    document: dict[str, Any] | None
    experiment: str | None
    hash: str
    kind: Literal["declared", "imported", "ended", "erased"]
    number: int


class RerunIn(TypedDict):
    which: NotRequired[Literal["failed", "unsound"]]


class RerunOut(TypedDict):
    runs: int


class ResultArrival(TypedDict):
    """
    What shows that a condition's treatment arrived: a measure above ``over`` and below ``under``, in its own runs or
    in those of the condition ``of``. The game may know it (``is_derived``).
    """

    is_derived: bool
    metric: str
    of: str | None
    over: float | None
    under: float | None


class ResultArrived(TypedDict):
    """In how many of so many runs (or, of ``ANYTHING``, pairs of runs of one seed) it was seen."""

    arrived: int
    condition: str
    metric: str
    of: str | None
    over: float | None
    runs: int
    under: float | None


class ResultComparison(TypedDict):
    """
    One declared test.

    ``hypothesis``  the name under which it was declared; one hypothesis may ask the same of several conditions
    ``weights``     by condition; of halves, the one condition with weight 1
    ``written``     when it was written, as the file says it (ISO 8601); None where it does not say
    ``interest``    the smallest difference that matters, in the measure's unit; None where it was not declared
    ``over``        of proportions, the value above which a run counts
    ``place``       where the game's source claims it; "" where it does not
    """

    direction: Literal["lower", "higher", "differs", "equivalent"]
    family: str
    hypothesis: str
    interest: float | None
    kind: Literal["contrast", "halves"]
    metric: str
    over: float | None
    place: str
    test: Literal["t", "permutation", "rank", "proportion", "mixed", "clustered", "log_rank"]
    text: dict[str, str]
    unit: Literal["run", "seat"]
    weights: dict[str, float]
    written: str | None


class ResultCurvePoint(TypedDict):
    """
    At a time when something happened: how many were at risk and how many of them ended, and the share that goes on.

    The band is pointwise, by the complementary log-log transform; None where the share is 0 or 1.
    """

    at_risk: int
    ended: int
    high: float | None
    low: float | None
    share: float
    time: float


class ResultDescription(TypedDict):
    """
    A sample. ``low`` and ``high`` bound the mean's interval at `CONFIDENCE`: mean -+ t(n - 1) sd / sqrt(n).

    ``n``          values that are defined
    ``undefined``  values that are not
    ``sd``         with n - 1; None for fewer than two values, as are ``low`` and ``high``
    """

    high: float | None
    low: float | None
    mean: float | None
    n: int
    sd: float | None
    undefined: int


class ResultDesign(TypedDict):
    """
    What is asked: ``metrics`` over ``ranges`` of settings; ``points`` are where each condition was played.

    ``order``  the condition at each row of the design, which may have a point more than once
    """

    method: Literal["one_at_a_time", "latin_hypercube", "morris", "sobol"]
    metrics: list[str]
    order: list[str]
    points: dict[str, dict[str, float]]
    ranges: dict[str, tuple[float, float]]
    seed: int


class ResultDifference(TypedDict):
    """An estimated difference with its two-sided 95% interval; None where it is undefined."""

    estimate: float | None
    high: float | None
    low: float | None


class ResultEffect(TypedDict):
    """A size of effect with its 95% interval. None where it, or its interval, is undefined."""

    estimate: float | None
    high: float | None
    kind: Literal["paired_d", "hedges_g", "rank_biserial", "rank_biserial_paired"]
    low: float | None


class ResultFamily(TypedDict):
    """Comparisons that are corrected together; ``across``: with those of the other experiments on the same question."""

    across: bool
    alpha: float
    correction: Literal["holm", "bh"]


class ResultHalvesRow(TypedDict):
    """A measure's means over the first and the second half of one run's rounds."""

    condition: str
    halves: tuple[float | None, float | None]
    metric: str
    replicate: int
    seed: int


class ResultIndex(TypedDict):
    """What one index says of one setting; its 95% interval by resampling, None where the method has none."""

    high: float | None
    kind: Literal["range", "rank_correlation", "mu_star", "sigma", "first", "total"]
    low: float | None
    setting: str
    value: float


class ResultLeftOut(TypedDict):
    """Runs that are not counted, and why: the share of decisions with that fault went beyond the declared one."""

    beyond: float
    reason: Literal["not_own", "fallbacks", "cleaned", "substitutes"]
    runs: list[tuple[str, int]]


class ResultNotOwn(TypedDict):
    """
    Of all runs of a condition, those left out too: how many decisions were not their seats' own, and in how many
    runs these were more than the bound.
    """

    decisions: int
    not_own: int
    runs: int
    share: float | None
    unsound: int


class ResultOutcome(TypedDict):
    """
    A test's result. ``df`` is of t tests; ``exact`` says of others whether p is exact; if not, it is by so many
    ``draws`` of arrangements, or by the statistic's law for large samples where that is None.
    """

    df: float | None
    draws: int | None
    exact: bool | None
    method: Literal[
        "paired_t",
        "wilcoxon",
        "welch",
        "mann_whitney",
        "log_rank",
        "permutation_paired",
        "permutation",
        "mcnemar",
        "boschloo",
        "mixed",
        "clustered",
    ]
    p: float | None
    reason: Literal["too_few", "identical", "no_spread", "no_event", "two_groups", "not_binary", "no_fit"] | None
    statistic: float | None


class ResultPlace(TypedDict):
    """
    One entrant's place.

    ``score``              payoff a seat and meeting, every opponent weighing the same; its spread is over replicates
    ``rank``               by the mean score, 1 is best; equals share the better place
    ``rank_low, high``     between which ranks 95% of the resampled sets of replicates put it
    ``wins, draws, losses``  against each opponent in each meeting, by payoff a seat
    ``mu, sigma``          its rating by Plackett and Luce's model, and how unsure that is
    """

    draws: int
    entrant: int
    losses: int
    mu: float
    name: str
    rank: int
    rank_high: int
    rank_low: int
    score: ResultDescription
    sigma: float
    wins: int


class ResultReference(TypedDict):
    """
    A number that the game's source prints, and the measure of a condition that is held against it.

    ``place``         where it stands there
    ``spread``        what is printed after plus-minus; None where nothing is
    ``incomparable``  by language, why the two cannot be held against each other; empty where they can
    """

    condition: str
    incomparable: dict[str, str]
    metric: str
    name: str
    place: str
    spread: float | None
    theirs: float


class ResultRobin(TypedDict):
    """
    What was declared. ``seated`` gives for each condition the number of the entrant in each seat, None for others.

    ``counts_itself``  whether meetings of an entrant with itself count in its score
    """

    counts_itself: bool
    entrants: list[str]
    seated: dict[str, list[int | None]]


class ResultStandings(TypedDict):
    """
    ``matrix[row][col]``: what row got a seat in meetings with col, over replicates; None where they did not meet.

    ``cells[row][col]``  the conditions in which they met
    """

    cells: list[list[list[str]]]
    matrix: list[list[ResultDescription | None]]
    names: list[str]
    places: list[ResultPlace]


class ResultStopping(TypedDict):
    """
    The declared rule.

    ``looks``    seeds after which it is looked at, rising, the last is ``planned``; () of ``always_valid``: after each
    ``planned``  seeds
    ``on``       the hypotheses all of whose tests must be shown for it to stop; () all
    """

    looks: list[int]
    on: list[str]
    planned: int
    rule: Literal["fixed", "obrien_fleming", "pocock", "always_valid"]


class ResultSwept(TypedDict):
    """What a measure depends on; no ``indices`` where it is ``undefined`` at so many of the points."""

    indices: list[ResultIndex]
    metric: str
    undefined: int


class Rights(TypedDict):
    control: bool


class RowOut(TypedDict):
    by: str
    claim: dict[str, str]
    condition: str
    difference: float | None
    game: str
    high: float | None
    low: float | None
    metric: str
    n: int
    note: dict[str, str]
    ours: float | None
    p: float | None
    place: str
    preset: str
    seconds: float | None
    spread: float | None
    table: str
    theirs: float | None
    values: list[float | None]
    verdict: str
    why: dict[str, str]


class RuleAct(TypedDict):
    """One thing that a player may do: a row of the instructions, beside its picture."""

    facts: dict[str, Any]
    name: str
    picture: str
    price: str
    text: str


class RuleExample(TypedDict):
    """A worked example as a small table, in words of the language."""

    columns: list[str]
    rows: list[list[str]]
    title: str


class RuleOut(TypedDict):
    """What a stopping rule does in 2 000 simulated experiments of so many seeds."""

    false_seeds: float
    false_share: float
    looks: list[int]
    rule: Literal["fixed", "obrien_fleming", "pocock", "always_valid"]
    seeds: float
    share: float


class Rules(TypedDict):
    """A game's instructions: sentences by section, and what is played without an answer as a clause."""

    acts: list[RuleAct]
    acts_title: str
    aim: list[str]
    default: str
    do: list[str]
    examples: list[RuleExample]
    length: list[str]
    name: str
    rules: list[str]
    silence: list[str]
    together: str


class RulesOut(TypedDict):
    rules_version: int
    sheet: str
    slug: str


AgentItem: TypeAlias = str


ModelItem: TypeAlias = str


class RunIn(TypedDict):
    audience: NotRequired[dict[str, Any] | None]
    condition: NotRequired[str | None]
    config: NotRequired[dict[str, Any]]
    limits: NotRequired[dict[str, Any] | None]
    pace: NotRequired[float]
    people: NotRequired[dict[str, Any]]
    scenario: str
    seats: NotRequired[dict[str, Any]]
    seed: NotRequired[int | None]
    start: NotRequired[bool]


class RunNotice(TypedDict):
    """Something that befell the run from outside its rules."""

    at: str
    data: dict[str, Any]
    kind: str
    n: int
    seat: int | None
    step: int


class RunOfThemIn(TypedDict):
    measured: NotRequired[MeasuredIn | None]
    profile: dict[str, Any]
    scenario: str


class RunOfThemOut(TypedDict):
    """What a run of the preset with such a model in every seat would likely come to; null: unknown."""

    at_once: int
    calls: int | None
    rounds: int | None
    seats: int
    seconds: float | None
    tokens_in: int | None
    tokens_out: int | None
    unpriced: list[str]
    usd: float | None


class RunPatch(TypedDict):
    limits: NotRequired[dict[str, Any] | None]
    pace: NotRequired[float | None]


RunStatus: TypeAlias = Literal["queued", "running", "waiting", "paused", "finished", "stopped", "failed"]


class RunsSums(TypedDict):
    cost_usd: float | None
    fallback: float | None
    not_own: float | None
    runs: int
    states: dict[str, int]
    unpriced: bool


class ScenarioName(TypedDict):
    look: dict[str, str]
    name: str
    title: dict[str, str]


class ScenarioRow(TypedDict):
    """A scenario that can be started, or that runs were made of."""

    about: dict[str, str]
    conditions: list[str]
    game: str
    name: str
    preset: bool
    runs: int
    title: dict[str, str]


class SeatOnScreen(TypedDict):
    away_s: float | None
    name: str
    number: int | None
    seat: int
    stands: Literal["moved", "deciding", "away", "substituted", "program"]


class SeatPart(TypedDict):
    seat: int


class SeatPlaceOut(TypedDict):
    name: str
    role: str


class SeatPresence(TypedDict):
    returns_in_s: float | None
    seat: int
    state: Literal["connected", "idle", "gone", "substituted", "open"]


class SeatPrompt(TypedDict):
    """The turn in the words of the game's prompts, as a model in this seat would be told it."""

    left_s: float | None
    plan_schema: dict[str, Any] | None
    round: str
    schema: dict[str, Any]
    step: int | None
    system: str


class SeatResult(TypedDict):
    of: int
    payoff: float | None
    rank: int | None
    substituted: int


class SeatRow(TypedDict):
    agent: str
    kind: str
    name: str
    role: str
    seat: int


class SeatSummary(TypedDict):
    agent: str
    kind: Literal["policy", "model", "person", "recording", "program", "hidden"]
    name: str
    role: str
    seat: int


class SeatTokenOut(TypedDict):
    """The token of a seat, which nobody can read again."""

    id: str
    run: str
    seat: int
    token: str


class SeatedOut(TypedDict):
    """An agent, and the seats in which it sits."""

    agent: str
    kind: Literal["policy", "model", "person", "recording", "program"]
    seats: list[int]


class SeatsOut(TypedDict):
    of: int
    taken: int


class SecretOut(TypedDict):
    secret: str


class Sentence(TypedDict):
    at: int
    kind: str
    said: dict[str, list[str | SeatPart | MomentPart]]
    span: dict[str, str]
    turning: int | None
    until: int


class SessionIn(TypedDict):
    file: NotRequired[str | None]
    name: NotRequired[str]
    preset: NotRequired[str | None]
    seed: NotRequired[int | None]
    study: NotRequired[int | None]


class SessionOut(TypedDict):
    code: str
    created: str
    door: str
    hash: str
    id: int
    members: int
    name: str
    open: bool
    seed: str
    states: dict[str, int]
    study: str


class ShortRules(TypedDict):
    lines: list[str]
    name: str
    table: PayTableOut | None


class SourceOut(TypedDict):
    about: dict[str, str]
    authors: str
    counts: dict[str, int]
    game: str
    rows: list[RowOut]
    title: str
    year: int | None


class SpentOut(TypedDict):
    calls: int
    estimated: int
    tokens_in: int
    tokens_out: int
    unpriced: int
    usd: float


class StepIn(TypedDict):
    rounds: NotRequired[int]
    steps: NotRequired[int | None]


class StoodIn(TypedDict):
    """How often each of these decided in a seat's place."""

    clock: int
    default: int
    fallback: int
    substitute: int


class StopOut(TypedDict):
    drawn: bool
    kind: Literal["page", "play"]
    matches: int
    name: str
    practice: bool
    scenario: str | None
    shows: str


class StoredMove(TypedDict):
    action: Any
    flags: list[str]
    id: str
    own: bool
    passed: bool
    plan: Any
    step: int
    stored: bool


class StudyIn(TypedDict):
    """One of: a file's text, the name of a bundled study, the id of one that the site holds."""

    file: NotRequired[str | None]
    preset: NotRequired[str | None]
    study: NotRequired[int | None]


class StudyOut(TypedDict):
    created: str
    hash: str
    id: int
    sessions: int
    study: str
    title: dict[str, str]


class TabIn(TypedDict):
    active: NotRequired[bool]
    tab: NotRequired[str]


class TableCellOut(TypedDict):
    at: list[int]
    best: list[bool]
    efficient: bool
    pays: list[str]
    total: str


class TableDominatedOut(TypedDict):
    by: int
    move: int
    player: int


class TablePlayedOut(TypedDict):
    at: list[int]
    times: int


class TableTextIn(TypedDict):
    bots: NotRequired[list[str]]
    rounds: NotRequired[int]
    seed: NotRequired[int]
    text: str


class TrainingOut(TypedDict):
    algorithm: str
    beside: dict[str, float]
    deviation: float
    entropy: float | None
    game: str
    judged: float | None
    left_s: float | None
    lesson: str
    name: str
    pace: float | None
    planned: int
    points: list[tuple[int, float]]
    preset: str
    reward: float
    seed: int
    steps: int


class TriedCallOut(TypedDict):
    attempt: int
    cost_usd: float | None
    estimated: bool
    failure: str
    first_ms: int | None
    ignored: str
    latency_ms: int | None
    reasoning: str
    repaired: str
    reply: str
    served: str
    tokens_cached: int | None
    tokens_in: int | None
    tokens_out: int | None


class TriedOut(TypedDict):
    action: Any
    notes: list[NoteOut]
    ok: bool
    step: int


class TryIn(TypedDict):
    action: NotRequired[Any]
    plan: NotRequired[Any]
    step: int


class Turning(TypedDict):
    at: int
    said: dict[str, list[str | SeatPart | MomentPart]]


class TypesOut(TypedDict):
    """The forms of a game's settings and of what its seats may do, as JSON Schema."""

    action: dict[str, Any]
    config: dict[str, Any]
    game: str
    rules_version: int


class VerdictOut(TypedDict):
    """What a run came to when it was played once more."""

    calls: NotRequired[int]
    difference: str
    identical: int
    steps: int


class WaitedFor(TypedDict):
    batch: Literal["", "gathered", "sent"]
    left_s: float | None
    loading: bool
    seat: int
    since_s: float
    then: Literal["default", "substitute"]


class WaitingOnScreen(TypedDict):
    """Somebody who plays in none now."""

    away: bool
    name: str
    number: int | None
    plays_from: int | None
    reading: bool


class WaitingRoom(TypedDict):
    begun: bool
    of: int
    ready: int
    starts_in_s: float | None


class WantMessage(TypedDict):
    """The frames after a number are wanted again."""

    after: int
    type: Literal["want"]


class WebhookIn(TypedDict):
    address: str
    events: list[Literal["run.ended", "run.paused", "experiment.ended", "experiment.paused", "session.ended"]]
    experiment: NotRequired[str]


class WebhookMessage(TypedDict):
    """What is sent to a webhook's address, signed by the Standard Webhooks scheme."""

    data: EventData
    timestamp: str
    type: (
        Literal["run.ended", "run.paused", "experiment.ended", "experiment.paused", "session.ended"]
        | Literal["webhook.test"]
    )


class WebhookOut(TypedDict):
    address: str
    created: str
    enabled: bool
    events: list[Literal["run.ended", "run.paused", "experiment.ended", "experiment.paused", "session.ended"]]
    experiment: str
    failing: str | None
    id: int
    reason: str


class WebhookPatch(TypedDict):
    """What is not given stays."""

    address: NotRequired[str | None]
    enabled: NotRequired[bool | None]
    events: NotRequired[
        list[Literal["run.ended", "run.paused", "experiment.ended", "experiment.paused", "session.ended"]] | None
    ]
    experiment: NotRequired[str | None]


class ApiKeyMadeOut(ApiKeyOut):
    key: str


class BillOut(SpentOut):
    """What one model was asked and cost in all runs of an experiment."""

    model: str


class CallOut(TypedDict):
    """One call of a provider. A seat's attempts at one step count from 1."""

    address: str
    answers: dict[str, float | str]
    at: str
    attempt: int
    batch: str
    cost_usd: float | None
    estimated: bool
    failure: str
    fingerprint: str
    finish: str
    from_cache: bool
    id: int
    ignored: list[str]
    latency_ms: int | None
    logprobs: list[tuple[str, float]]
    model: str
    prompt: PromptOut
    prompt_hash: str
    purpose: str
    rate: str
    reasoning: str
    refusal: str
    repaired: list[str]
    reply: str
    response_id: str
    seat: int
    served: str
    step: int
    tokens_cached: int | None
    tokens_in: int | None
    tokens_out: int | None
    tokens_reasoning: int | None
    tools: str


class CallsOut(TypedDict):
    calls: list[CallOut]
    decisions: list[DecisionOut]
    next: int | None


class CheckedOut(TypedDict):
    """A file that can be held."""

    arms: dict[str, list[StopOut]]
    assigned_at: str
    hash: str
    study: str


class ClassFindings(TypedDict):
    """What the class has come to so far."""

    average: float | None
    findings: list[Finding]
    game: str
    metric: str
    named: bool
    ranking: list[Ranked]


ClientMessage: TypeAlias = AckMessage | WantMessage


class ConfigCheckOut(TypedDict):
    config: dict[str, Any]
    game: str
    rounds: int | None
    seats: list[SeatPlaceOut]
    steps: int | None


class DecisionRow(TypedDict):
    """What a seat did in a step, as the rules took it."""

    action: Any
    clock: list[tuple[str, int]]
    decided_by: str | None
    flags: list[str]
    game: str
    notes: list[NoteOut]
    number: int
    payoff: float | None
    seat: int
    stage: str
    step: int


class ErrorBody(TypedDict):
    """Why something was refused; the values that the message names stand beside it."""

    code: str
    faults: NotRequired[list[FaultOut]]
    field: NotRequired[str]
    message: str
    says: NotRequired[dict[str, str]]
    why: NotRequired[str]


class ErrorOut(TypedDict):
    detail: str
    error: ErrorBody
    status: int
    title: str
    type: str


class EventPage(TypedDict):
    items: list[EventRow]
    next: str | None


class ExpectedOut(TypedDict):
    """One condition, and what one run of it is likely to take."""

    calls: int | None
    name: str
    runs: int
    seated: list[SeatedOut]
    seconds: float | None
    seconds_by: Literal["runs", "calls"] | None
    seconds_of: int
    unpriced: list[str]
    usd: float | None


class ExperimentDetailOut(ExperimentOut):
    bill: list[BillOut] | None
    cells: list[CellOut]
    declared: dict[str, Any]
    document: dict[str, Any]
    provenance: ProvenanceOut | None


class FollowOut(SessionOut):
    """How a session stands now."""

    arms: dict[str, int]
    currency: str
    due: str
    ended_early: dict[str, int]
    matches: int
    matches_over: int
    people: list[MemberOut]


class ForecastOut(TypedDict):
    """What the seeds of a design would show of one comparison, before anything of it is played."""

    curve: list[PowerPoint]
    hypothesis: str
    kind: Literal["contrast", "halves"]
    metric: str
    smallest: float | None
    spread: float | None
    spread_by: Literal["assumed", "runs"] | None
    spread_of: int
    weights: dict[str, float]


class Frame(TypedDict):
    """One resolved step through the asker's eyes. Pairs are [seat, value], in seat order."""

    actions: list[tuple[int, Any]]
    clock: list[tuple[str, int]]
    events: list[EventOut]
    flags: list[tuple[int, list[str]]]
    hash: str
    metrics: dict[str, Any] | None
    n: int
    notes: list[tuple[int, list[NoteOut]]]
    payoffs: list[tuple[int, float]]
    seats: list[int]
    stage: str
    view: dict[str, Any]


class FrameMessage(TypedDict):
    """The frame that follows on the last one."""

    frame: Frame
    type: Literal["frame"]


class FramePage(TypedDict):
    frames: list[Frame]
    head: int


class GameDetailOut(TypedDict):
    config: dict[str, Any]
    default_policy: str
    measures: dict[str, str]
    policies: list[PolicyOut]
    presets: list[PresetDetailOut]
    role_defaults: dict[str, str]
    rules_version: int
    slug: str
    tagline: str
    theory: dict[str, Any] | None
    title: str
    words: dict[str, dict[str, Any]]


class GroupOnScreen(TypedDict):
    """One match that is played now."""

    over: bool
    round: int
    seats: list[SeatOnScreen]


class GuessOut(TypedDict):
    """What may be guessed of a seat's next decision after a step."""

    came: str | None
    crowd: dict[str, int] | None
    noun: dict[str, str]
    options: list[OptionOut]
    own: OwnGuess | None
    seats: list[int]
    step: int | None


class ManyOut(TypedDict):
    done: int
    more: int
    refused: list[RefusedRun]


class MessagePage(TypedDict):
    items: list[MessageRow]
    next: str | None


class MetricPage(TypedDict):
    items: list[MetricRow]
    next: str | None
    run: dict[str, Any] | None


class NotOwn(TypedDict):
    """How many decisions were not their seats' own. A plan of one's own under way is own."""

    by: StoodIn
    decisions: int
    most: float
    not_own: int
    seats: list[float | None]
    share: float | None
    unsound: bool


class OpenTurn(TypedDict):
    """What a seat is asked now."""

    clock: list[tuple[str, int]]
    deadline: str | None
    default: Literal["default", "plan", "substitute"]
    ended: NoteOut | None
    left_s: float | None
    moved: StoredMove | None
    observation: Any
    options: list[Any] | None
    plan: Any
    plan_schema: dict[str, Any] | None
    schema: dict[str, Any]
    stage: str
    step: int
    substitute: str
    tick: bool
    total_s: float | None


class PersonSeatOut(TypedDict):
    agent: str
    kind: str
    link: str | None
    name: str
    participant: ParticipantOut | None
    presence: SeatPresence | None
    seat: int


class Played(TypedDict):
    """The play step that the screen is about."""

    game: str
    grace_s: float
    led: bool
    match: Literal["partner", "random", "stranger", "perfect"]
    matches: int
    rounds: int | None
    rules: dict[str, ShortRules]
    size: int
    step: str


class PowerOut(TypedDict):
    """What so many seeds would show of one comparison."""

    curve: list[PowerPoint]
    direction: Literal["lower", "higher", "differs", "equivalent"]
    hypothesis: str
    metric: str
    n: list[int]
    smallest: float | None
    spread: float | None
    weights: dict[str, float]


class ResultBand(TypedDict):
    """A measure over the rounds of one condition. The interval of each round holds for that round alone."""

    rounds: list[int]
    slope: ResultDescription
    values: list[ResultDescription]


class ResultCompared(TypedDict):
    """
    What came of a comparison.

    ``n``                  pairs, or values by group
    ``undefined``          replicates (or values) that are left out because the measure is undefined there
    ``absent``             replicates that lack a run: not played, or left out
    ``mean_of, mean_against``  the two sides' weighted means; of halves, the second and the first
    ``outcome``            the declared test; ``check`` another (ranks beside t), which is not part of the family
    ``p_adjusted``         over the ``family_size`` declared tests of the family
    ``smallest``           the difference that so many seeds show in 80 of 100 such experiments, by the spread seen here
                           and without correction
    ``matters``            how the difference stands to the smallest that matters, where that was declared
    ``arrived``            what is seen of the arrival of its conditions' treatments
    ``level``              the uncorrected p at which a lone test is shown at this look, where a rule spends its level
    ``share_of, against``  of proportions, the exact intervals of both sides
    ``spread``             the standard deviation that it rests on: of the differences within pairs, or within a group
    """

    absent: int
    arrived: list[ResultArrived]
    check: ResultOutcome | None
    comparison: ResultComparison
    difference: ResultDifference
    effect: ResultEffect | None
    family_size: int
    level: float | None
    matters: Literal["yes", "no", "unsure"] | None
    mean_against: float | None
    mean_of: float | None
    n: list[int]
    outcome: ResultOutcome
    p_adjusted: float | None
    ranks: ResultEffect | None
    share_against: tuple[float, float] | None
    share_of: tuple[float, float] | None
    smallest: float | None
    spread: float | None
    undefined: int
    verdict: Literal["shown", "not_shown", "opposite", "untestable", "not_delivered"]


class ResultCurve(TypedDict):
    """
    A survival curve. ``median`` is the first time at which half or less go on, as in `core.measures`; it and its
    bounds are None where the curve does not come down so far.
    """

    censored: int
    ended: int
    median: float | None
    median_high: float | None
    median_low: float | None
    n: int
    points: list[ResultCurvePoint]


class ResultHeld(TypedDict):
    """
    A reference and what was measured beside it.

    ``values``   ours, one a run
    ``verdict``  ``within``: the 95% interval contains their number and is narrow; ``inconclusive``: it contains it and
                 is wider than `NARROW` of it to each side; ``above``, ``below``: ours lies there with its whole
                 interval; ``incomparable``: the reference says why; ``untestable``: fewer than two defined values
    """

    difference: float | None
    reference: ResultReference
    told: ResultDescription
    values: list[float | None]
    verdict: Literal["within", "inconclusive", "above", "below", "incomparable", "untestable"]


class ResultPlan(TypedDict):
    """
    All that was declared.

    ``control``    the condition that the others are drawn beside
    ``is_paired``  whether replicate r of every condition has the same seed, so that it is compared with its like
    ``metrics``    the run's measures that are told; () tells all
    ``trends``     measures of a round that are followed over the rounds
    ``times``      measures that are times until something happens, None where it did not, with the measure (or
                   ``steps``) at which such a run is censored
    ``leave_out``  by fault, the share of decisions beyond which a run does not count; of ``not_own`` 0.2 where nothing
                   is said, 1 counts every run
    ``delivered``  by condition, what shows that its treatment arrived
    ``stopping``   when it is looked at, and by which rule it stops
    ``bootstrap``  whether means have a bootstrap interval beside Student's
    ``sensitivity``  points over the ranges of settings, of which measures are asked what they depend on
    ``planes``     pairs of measures that are drawn one against the other
    ``maps``       measures that are drawn over the two factors of ``levels``, which has them by condition
    ``multiverse``   hypotheses that are asked again under every defensible choice, with other measures of the same
    """

    bootstrap: bool
    comparisons: list[ResultComparison]
    conditions: list[str]
    control: str | None
    delivered: dict[str, list[ResultArrival]]
    families: dict[str, ResultFamily]
    is_paired: bool
    leave_out: dict[Literal["not_own", "fallbacks", "cleaned", "substitutes"], float]
    levels: dict[str, dict[str, str]]
    maps: list[str]
    metrics: list[str]
    multiverse: NotRequired[dict[str, list[str]]]
    planes: list[tuple[str, str]]
    references: NotRequired[list[ResultReference]]
    robin: ResultRobin | None
    sensitivity: NotRequired[ResultDesign | None]
    stopping: ResultStopping
    times: dict[str, str]
    trends: list[str]


class RunFilter(TypedDict):
    """What runs are wanted; what is not given does not matter."""

    agent: NotRequired[list[AgentItem] | None]
    condition: NotRequired[str | None]
    cost_max: NotRequired[float | None]
    cost_min: NotRequired[float | None]
    experiment: NotRequired[str | None]
    fallback: NotRequired[float | None]
    game: NotRequired[str | None]
    model: NotRequired[list[ModelItem] | None]
    not_own: NotRequired[float | None]
    parent: NotRequired[str | None]
    q: NotRequired[str | None]
    scenario: NotRequired[str | None]
    since: NotRequired[str | None]
    status: NotRequired[list[RunStatus] | None]
    until: NotRequired[str | None]


class RunPeopleOut(TypedDict):
    """The people of a run, for its operator."""

    begun: bool
    code: CodeOut | None
    open: OpenTurnOut | None
    seats: list[PersonSeatOut]
    settings: dict[str, Any] | None


class RunSummary(TypedDict):
    """What a page says of a run beside its frames, for one pair of eyes."""

    audience: dict[str, Any]
    away: bool
    cadences: dict[str, str]
    can: Rights
    clock: list[tuple[str, int]] | None
    condition: str
    config: dict[str, Any] | None
    cost_usd: float | None
    counted: str
    created: str
    ended: str | None
    error: str | None
    fallback_rate: float | None
    fork_at: int | None
    game: str
    head: int
    horizon: int | None
    id: str
    limits: dict[str, Any]
    not_own: NotOwn | None
    notices: list[RunNotice]
    outcome: dict[str, str]
    pace: float
    parent: str | None
    people: PeopleSummary | None
    replicate: int
    rounds: int | None
    rules_version: int
    scenario: ScenarioName
    seats: list[SeatSummary]
    seed: int | str | None
    status: Literal["queued", "running", "waiting", "paused", "finished", "stopped", "failed"]
    undriven: bool
    unpriced: bool
    waiting_for: list[WaitedFor]


class SeatMessage(TypedDict):
    """What changes on a seat's page beside the frames; the API and the socket say the same."""

    holds: bool
    presence: list[SeatPresence]
    ready: bool
    room: WaitingRoom
    said: dict[str, str]
    state: Literal["room", "playing", "substituted", "left", "removed", "ended"]
    turn: OpenTurn | None


class SeatMeterOut(TypedDict):
    answers: AnswersOut
    batch: BatchWaitOut | None
    failures: dict[str, int]
    limits: dict[str, Any]
    model: str
    seat: int
    spent: SpentOut
    thinking_s: float | None


class SeatPage(SeatMessage):
    """A seat's whole page, as it is loaded."""

    completion: Completion | None
    frame: Frame | None
    id: str
    label: str
    language: str
    name: str
    next: str | None
    prompt_s: float | None
    result: SeatResult | None
    rules: dict[str, Rules]
    run: RunSummary
    seat: int
    shows: Literal["move", "results", "all"]
    substitute: str


class Snapshot(TypedDict):
    frame: Frame | None
    run: RunSummary


class SnapshotMessage(TypedDict):
    """A fresh start, where too much was missed to be sent step by step."""

    frame: Frame
    run: RunSummary
    type: Literal["snapshot"]


class Story(TypedDict):
    """What came of a run and how it came about, by rule from its log."""

    broken: int | None
    first: list[int]
    head: int
    kept: int | None
    led: list[Lead]
    margin: float | None
    outcome: Literal["won", "tied", "level", "alone", "unranked", "unsound", "empty"]
    over: bool
    relative: float | None
    sentences: list[Sentence]
    silent: list[tuple[int, int, int]]
    struck: int
    title: dict[str, list[str | SeatPart | MomentPart]]
    turning: list[Turning]
    unit: dict[str, str]


class TableMatchOut(TypedDict):
    counts: list[TablePlayedOut]
    earned: list[float]
    moves: list[list[int]]


class TableOut(TypedDict):
    about: str
    cells: list[TableCellOut]
    choices: list[list[str]]
    dominated: list[TableDominatedOut]
    equilibria: list[EquilibriumOut]
    many: int
    match: TableMatchOut | None
    nfg: str
    players: list[str]
    title: str
    whole: bool


class TrialOut(TypedDict):
    """What one question to the model came to."""

    action: NotRequired[Any]
    asked: NotRequired[Any]
    attempts: list[AttemptOut]
    calls: list[TriedCallOut]
    clock: list[tuple[str, int]]
    commentary: str
    measured: NotRequired[MeasuredIn | None]
    notes: list[NoteOut]
    plan: NotRequired[Any]
    seats: list[str]
    spent: NotRequired[NoteOut | None]
    stage: str
    step: int
    stop: str
    usable: bool


class WebhookMadeOut(WebhookOut):
    secret: str


class CheckOut(TypedDict):
    conditions: list[str]
    declared: dict[str, Any]
    estimate: EstimateOut | None
    expected: list[ExpectedOut]
    game: str
    power: list[ForecastOut]
    rules: list[RuleOut]
    runs: int
    seeds: int


class ClassScreen(TypedDict):
    """A session as everybody in the room may see it."""

    away: int
    blind: bool
    clock: Clock | None
    code: str
    done: int
    groups: list[GroupOnScreen]
    here: int
    match: int
    next: NextOnScreen | None
    open: bool
    over: list[int]
    phase: Literal["gathering", "playing", "paused", "between", "over"]
    played: Played | None
    session: int
    title: dict[str, str]
    waiting: list[WaitingOnScreen]


class DecisionPage(TypedDict):
    items: list[DecisionRow]
    next: str | None


class ExportIn(TypedDict):
    bom: NotRequired[bool]
    filter: NotRequired[RunFilter | None]
    format: NotRequired[Literal["jsonl", "csv", "parquet", "zip"]]
    labels: NotRequired[bool]
    level: NotRequired[
        Literal["runs", "rounds", "events", "decisions", "calls", "asides", "messages", "metrics", "participants"]
    ]
    runs: NotRequired[list[Run] | None]


class ExportPlanIn(TypedDict):
    """Which runs, by id or by filter, and which level of them."""

    filter: NotRequired[RunFilter | None]
    level: NotRequired[
        Literal["runs", "rounds", "events", "decisions", "calls", "asides", "messages", "metrics", "participants"]
    ]
    runs: NotRequired[list[Run] | None]


class FirstBoard(TypedDict):
    """What a board is drawn from, before anybody has moved."""

    frame: Frame
    game: str
    seat: int
    seats: list[NamedSeat]


class JoinOut(TypedDict):
    """What somebody at the door is told."""

    board: FirstBoard
    code: str
    consent: dict[str, str]
    free: bool
    label: LabelOut
    leaving: LeavingOut
    over: bool
    room: WaitingRoom
    rules: dict[str, Rules]
    run: InvitedOut
    seat: int | None
    seat_name: str | None
    seats: SeatsOut


class LatestRow(TypedDict):
    """A run by itself, or an experiment with its newest run."""

    experiment: LatestExperiment | None
    run: RunSummary


class MeterOut(TypedDict):
    limits: dict[str, Any]
    seats: list[SeatMeterOut]
    spent: SpentOut | None


class ResultChoice(TypedDict):
    """One defensible analysis of a declared test, and what came of it, uncorrected."""

    found: ResultCompared
    hypothesis: str
    leave_out: float
    metric: str
    test: Literal["t", "permutation", "rank", "proportion", "mixed", "clustered", "log_rank"]


class RunRow(RunSummary):
    """A run in the table of runs; its settings and notices are left out."""

    experiment: str | None
    fallback: float | None
    measures: dict[str, float] | None
    started: str | None
    tags: list[str]


class RunsPage(TypedDict):
    facets: Facets
    page: int
    rows: list[RunRow]
    size: int
    sums: RunsSums


ServerMessage: TypeAlias = FrameMessage | SnapshotMessage | PingMessage | ErrorMessage


class Result(TypedDict):
    """
    What the runs say of what was declared. Mappings go by condition, then by measure.

    ``runs``        those that count; ``left_out`` those that do not, with the reason
    ``not_own``     by condition, of all runs: how much of them their seats did not decide themselves
    ``references``  numbers of the game's source beside what was measured
    ``everything``  the same of all runs, those left out too; None where none was
    ``elsewhere``   by family, the p of other experiments' tests that are corrected together with its own
    ``sensitivity`` what each measure that was asked depends on
    ``multiverse``  by hypothesis, its first test under every defensible choice
    ``bootstraps``  the means' bootstrap intervals, where they were asked for
    """

    bands: dict[str, dict[str, ResultBand]]
    bootstraps: dict[str, dict[str, tuple[float, float] | None]]
    comparisons: list[ResultCompared]
    curves: dict[str, dict[str, ResultCurve]]
    elsewhere: dict[str, list[float | None]]
    everything: NotRequired[dict[str, Any] | None]
    halves: list[ResultHalvesRow]
    held: NotRequired[bool]
    left_out: list[ResultLeftOut]
    multiverse: NotRequired[dict[str, list[ResultChoice]]]
    not_own: dict[str, ResultNotOwn]
    plan: ResultPlan
    references: NotRequired[list[ResultHeld]]
    runs: int
    sensitivity: NotRequired[list[ResultSwept]]
    standings: ResultStandings | None
    summaries: dict[str, dict[str, ResultDescription]]
