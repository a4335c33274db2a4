"""Examples for the API's description: a body for each route that takes one, and a refusal for each status.

A test checks every body against its route's form and every refusal against the one shape: none of them grows stale.
"""

from __future__ import annotations

from typing import Any, Final

from games.lab.wire.errors import error_out

SHORT_MINING: Final = {"scenario": "mining/baseline", "config": {"rounds": 20}, "seed": 7}
DOCUMENT: Final = {
    "base": "mining/baseline",
    "seeds": "1..5",
    "conditions": {"short": {"config": {"rounds": 10}}, "long": {"config": {"rounds": 20}}},
}

HUNT: Final = 'NFG 1 R "Stag hunt" { "A" "B" } { { "stag" "hare" } { "stag" "hare" } }\n""\n5 5  3 0  0 3  3 3\n'

MOCKS: Final = {"base": "mining/llm-mock", "config": {"rounds": 5}}

MOMENT: Final = {"profile": {"model": "mock/guided"}, "scenario": "mining/baseline", "seat": 0, "step": 1}
PROBE: Final = {"profile": {"model": "mock/guided"}, "abilities": ["structured", "seed"]}


def _one(summary: str, value: Any) -> dict[str, Any]:
    return {"example": {"summary": summary, "value": value}}


HOOK: Final = {"address": "https://lab.example.org/polity", "events": ["run.ended", "experiment.ended"]}
BODIES: Final[dict[str, dict[str, Any]]] = {
    "estimate_run": _one("A preset", SHORT_MINING),
    "create_run": {
        "policies": {"summary": "A preset, shorter, with its own policies", "value": SHORT_MINING},
        "mixed": {
            "summary": "A policy, a mock model, a person and a program at one table",
            "value": {
                "scenario": "mining/baseline",
                "config": {"rounds": 20},
                "seats": {
                    "0": {"policy": "random"},
                    "1": {"model": "mock/guided"},
                    "2": {"person": True, "substitute": "guided"},
                    "3": {"program": True, "substitute": "guided"},
                },
                "people": {"deadline_s": 60},
            },
        },
    },
    "change_runs": _one("Tag two runs", {"action": "tag", "ids": ["a1b2", "c3d4"], "tag": "pilot"}),
    "fork_run": _one("Other settings from step 5 on", {"at": 5, "config": {}}),
    "control_run": _one("Rounds a second", {"action": "pace", "pace": 2}),
    "step_run": _one("Three rounds", {"rounds": 3}),
    "update_run": _one("Two rounds a second, at most five dollars", {"pace": 2, "limits": {"usd": 5}}),
    "read_table": _one("A stag hunt, and two who learn it", {"text": HUNT, "bots": ["beliefs", "reply"], "rounds": 20}),
    "check_config": _one("Some settings", {"game": "mining", "config": {"rounds": 20}}),
    "create_run_comment": _one("Step 3, by a model of the site", {"step": 3, "model": "a-mock"}),
    "guess_run": _one("What seat 0 does next", {"seat": 0, "after": 3, "choice": "C", "viewer": "a-browser-1"}),
    "join_run": _one("Agree and sit down", {"consent": True, "label": "Ann"}),
    "start_seat": _one("Ready", {"tab": "tab-one"}),
    "try_move": _one("Would this stand?", {"step": 3, "action": {}}),
    "make_move": _one("An action", {"id": "move-0003", "step": 3, "action": {}}),
    "halt_plan": _one("End the plan", {"tab": "tab-one"}),
    "beat_seat": _one("Still here", {"tab": "tab-one", "active": True}),
    "take_seat": _one("Move from this tab", {"tab": "tab-one"}),
    "set_seat_language": _one("Chinese", {"language": "zh"}),
    "operate_run_people": _one("A minute more", {"action": "extend", "seconds": 60}),
    "hand_over_run_seat": _one("A policy sits down", {"agent": {"policy": "guided"}}),
    "create_experiment": _one("Two conditions", {"slug": "length", "document": DOCUMENT}),
    "import_experiment": _one("A folder", {"slug": "brought", "archive": "UEsFBgAAAAA="}),
    "check_experiment": _one("Two conditions", {"document": DOCUMENT}),
    "preview_experiment_prompt": _one("What a model would be told", {"document": MOCKS, "condition": "base"}),
    "update_experiment": _one("A pace", {"pace": 2}),
    "rerun_experiment": _one("Unsound runs once more", {"which": "unsound"}),
    "clone_experiment": _one("Another name", {"slug": "length-again"}),
    "put_model": _one("A mock model", {"about": "Plays guided", "profile": {"model": "mock/guided"}}),
    "preview_model": _one("What it would be asked", MOMENT),
    "try_model": _one("One answer of it", MOMENT),
    "estimate_model": _one("A whole run of it", MOMENT),
    "probe_model": _one("Two of its abilities", PROBE),
    "estimate_model_probe": _one("How many calls that would be", PROBE),
    "answer_session_knock": _one("The browser that shows this code is let in", {"do": "admit"}),
    "check_study": _one("A study that comes with Polity", {"preset": "partners-and-strangers"}),
    "open_session": _one("A session of it", {"preset": "partners-and-strangers", "name": "Tuesday, 10 h"}),
    "act_session": _one("A minute more for member 3", {"do": "extend", "member": 3}),
    "lead_session": _one("Match 2 begins", {"do": "begin", "match": 2}),
    "create_run_seat_token": _one("A token for a program", {}),
    "join_run_as_program": _one("By a code or a seat's link", {"label": "my bot"}),
    "create_export": _one(
        "Events of one game as Parquet", {"filter": {"game": "mining"}, "level": "events", "format": "parquet"}
    ),
    "create_key": _one("For a program that reads, for a month", {"name": "analysis", "scopes": ["read"], "days": 30}),
    "put_account": _one("An experimenter", {"role": "experimenter"}),
    "create_webhook": _one("When runs or experiments end", HOOK),
    "update_webhook": _one("Of one experiment alone, and no longer stopped", {"experiment": "slips", "enabled": True}),
    "test_webhook": _one("An event that tells of nothing", {}),
    "rotate_webhook_secret": _one("A new secret", {}),
    "plan_export": _one("How much it would be", {"filter": {"game": "mining"}, "level": "events"}),
}


def _refused(status: int, code: str, message: str, /, **more: Any) -> dict[str, Any]:
    return {code: {"value": error_out(status, code, message, more)}}


REFUSED: Final[dict[int, dict[str, Any]]] = {
    400: _refused(400, "http_error", "Cannot parse request body"),
    401: _refused(401, "bad_token", "this key is not known; make one with polity key"),
    403: {
        **_refused(403, "operators_only", "only a signed-in operator may do this"),
        **_refused(
            403, "role_needed", "this is for experimenters; you are signed in as cleo", role="experimenter", user="cleo"
        ),
        **_refused(403, "wrong_scope", "this key is not for run; its scopes are read", scope="run", scopes=["read"]),
        **_refused(403, "not_your_seat", "this seat is another browser's, or its address was changed"),
    },
    404: _refused(404, "not_found", "run 'nosuchrun': there is none of that id", why="run", run="nosuchrun"),
    409: _refused(409, "wrong_status", "step: the run is finished; it must be paused", why="step", status="finished"),
    412: _refused(
        412, "stale", "If-Match: it has been changed since it was read; read it again, then change it", field="If-Match"
    ),
    413: _refused(413, "too_big", "the body is longer than 3145728 bytes; send less", most=3145728),
    422: {
        **_refused(422, "invalid", "limit: Input should be less than or equal to 200", field="limit"),
        **_refused(422, "bad_cursor", "cursor: it is not of this list with these filters", field="cursor"),
    },
    429: _refused(429, "too_many_requests", "that was too often; try again in 3 s", retry_s=3),
    503: _refused(503, "unavailable", "the database is away for a moment; try again", retry_s=2),
}
