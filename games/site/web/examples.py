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


BODIES: Final[dict[str, dict[str, Any]]] = {
    "games_web_api_estimate": _one("A preset", SHORT_MINING),
    "games_web_api_run_create": {
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
    "games_web_runs_runs_many": _one("Tag two runs", {"action": "tag", "ids": ["a1b2", "c3d4"], "tag": "pilot"}),
    "games_web_api_fork": _one("Other settings from step 5 on", {"at": 5, "config": {}}),
    "games_web_api_control": _one("Rounds a second", {"action": "pace", "pace": 2}),
    "games_web_steering_step": _one("Three rounds", {"rounds": 3}),
    "games_web_api_run_change": _one("Two rounds a second, at most five dollars", {"pace": 2, "limits": {"usd": 5}}),
    "games_web_tables_table": _one(
        "A stag hunt, and two who learn it", {"text": HUNT, "bots": ["beliefs", "reply"], "rounds": 20}
    ),
    "games_web_steering_config_check": _one("Some settings", {"game": "mining", "config": {"rounds": 20}}),
    "games_web_comments_comment_order": _one("Step 3, by a model of the site", {"step": 3, "model": "a-mock"}),
    "games_web_guesses_guess_make": _one(
        "What seat 0 does next", {"seat": 0, "after": 3, "choice": "C", "viewer": "a-browser-1"}
    ),
    "games_web_people_join_take": _one("Agree and sit down", {"consent": True, "label": "Ann"}),
    "games_web_people_start": _one("Ready", {"tab": "tab-one"}),
    "games_web_people_try_": _one("Would this stand?", {"step": 3, "action": {}}),
    "games_web_people_moves": _one("An action", {"id": "move-0003", "step": 3, "action": {}}),
    "games_web_people_halt": _one("End the plan", {"tab": "tab-one"}),
    "games_web_people_beat": _one("Still here", {"tab": "tab-one", "active": True}),
    "games_web_people_take": _one("Move from this tab", {"tab": "tab-one"}),
    "games_web_people_language": _one("Chinese", {"language": "zh"}),
    "games_web_people_people_do": _one("A minute more", {"action": "extend", "seconds": 60}),
    "games_web_people_hand_over": _one("A policy sits down", {"agent": {"policy": "guided"}}),
    "games_web_experiments_experiment_create": _one("Two conditions", {"slug": "length", "document": DOCUMENT}),
    "games_web_experiments_experiment_import": _one("A folder", {"slug": "brought", "archive": "UEsFBgAAAAA="}),
    "games_web_designs_experiment_check": _one("Two conditions", {"document": DOCUMENT}),
    "games_web_designs_experiment_prompt": _one("What a model would be told", {"document": MOCKS, "condition": "base"}),
    "games_web_experiments_experiment_change": _one("A pace", {"pace": 2}),
    "games_web_experiments_experiment_rerun": _one("Unsound runs once more", {"which": "unsound"}),
    "games_web_experiments_experiment_clone": _one("Another name", {"slug": "length-again"}),
    "games_web_models_save": _one("A mock model", {"about": "Plays guided", "profile": {"model": "mock/guided"}}),
    "games_web_trials_previewed": _one("What it would be asked", MOMENT),
    "games_web_trials_trial": _one("One answer of it", MOMENT),
    "games_web_trials_run_of_them": _one("A whole run of it", MOMENT),
    "games_web_trials_probed": _one("Two of its abilities", PROBE),
    "games_web_trials_probe_cost": _one("How many calls that would be", PROBE),
    "games_web_screens_knock_answered": _one("The browser that shows this code is let in", {"do": "admit"}),
    "games_web_studyapi_check": _one("A study that comes with Polity", {"preset": "partners-and-strangers"}),
    "games_web_studyapi_open_": _one("A session of it", {"preset": "partners-and-strangers", "name": "Tuesday, 10 h"}),
    "games_web_studyapi_act": _one("A minute more for member 3", {"do": "extend", "member": 3}),
    "games_web_screens_lead": _one("Match 2 begins", {"do": "begin", "match": 2}),
    "games_web_programs_seat_token": _one("A token for a program", {}),
    "games_web_programs_program_join": _one("By a code or a seat's link", {"label": "my bot"}),
    "games_web_exports_export": _one(
        "Events of one game as Parquet", {"filter": {"game": "mining"}, "level": "events", "format": "parquet"}
    ),
    "games_web_exports_export_plan": _one("How much it would be", {"filter": {"game": "mining"}, "level": "events"}),
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
