"""What programs call each operation of the API: ``list_runs``, ``get_run``, ``fork_run``; from method and path."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

VERBS: Final[Mapping[str, str]] = {"GET": "get", "POST": "create", "PUT": "put", "PATCH": "update", "DELETE": "delete"}
ACTS: Final = re.compile(
    "act|cancel|check|clone|control|estimate|fork|import|lead|pause|preview|probe|rerun|resume|start|step|stop|test|try|"
    "verify"
)
"""Last words of a path that say what is done to what stands before them."""
NAMES: Final[Mapping[tuple[str, str], str]] = {
    ("GET", "runs/latest"): "list_latest_runs",
    ("GET", "runs/table"): "search_runs",
    ("GET", "runs/table.csv"): "export_runs_csv",
    ("POST", "runs/many"): "change_runs",
    ("POST", "estimate"): "estimate_run",
    ("POST", "games/{slug}/play"): "play_game",
    ("POST", "runs/{run_id}/guess"): "guess_run",
    ("POST", "runs/{run_id}/seats/{seat}"): "hand_over_run_seat",
    ("POST", "runs/{run_id}/people"): "operate_run_people",
    ("GET", "runs/{run_id}/calls/lines"): "list_run_call_lines",
    ("POST", "models/probe/cost"): "estimate_model_probe",
    ("GET", "join/{code}"): "get_invitation",
    ("POST", "join/{code}"): "join_run",
    ("POST", "join/{code}/token"): "join_run_as_program",
    ("GET", "play/{participant}"): "get_seat",
    ("GET", "play/{participant}/turn"): "wait_for_turn",
    ("GET", "play/{participant}/prompt"): "get_seat_prompt",
    ("POST", "play/{participant}/start"): "start_seat",
    ("POST", "play/{participant}/try"): "try_move",
    ("POST", "play/{participant}/moves"): "make_move",
    ("POST", "play/{participant}/halt"): "halt_plan",
    ("POST", "play/{participant}/beat"): "beat_seat",
    ("POST", "play/{participant}/take"): "take_seat",
    ("POST", "play/{participant}/leave"): "leave_seat",
    ("POST", "play/{participant}/language"): "set_seat_language",
    ("POST", "studies/check"): "check_study",
    ("GET", "studies/keys"): "list_study_keys",
    ("POST", "sessions"): "open_session",
    ("POST", "sessions/{session}/knocks/{code}"): "answer_session_knock",
    ("POST", "experiments/prompt"): "preview_experiment_prompt",
    ("GET", "register"): "list_register",
    ("GET", "learning"): "list_learning",
    ("GET", "phenomena"): "list_phenomena",
    ("GET", "population"): "get_population",
    ("POST", "tables"): "read_table",
    ("POST", "exports/plan"): "plan_export",
    ("GET", "exports"): "get_export",
    ("GET", "exports/codebook"): "get_codebook",
    ("GET", "exports/tables/{name}"): "get_table",
    ("POST", "webhooks/{webhook}/secret"): "rotate_webhook_secret",
}
"""Those that the rule does not find."""
SINGLE: Final = ("findings", "guess", "rules", "settings", "types")
"""They end in s, and yet are no lists."""


def operation_name(method: str, path: str) -> str:
    """The name of the operation at a path below the API's root."""
    if (name := NAMES.get((method, path))) is not None:
        return name
    parts = path.split("/")
    words = [
        singular(part) if after.startswith("{") else part.replace(".", "_").replace("-", "_")
        for part, after in zip(parts, [*parts[1:], ""], strict=True)
        if not part.startswith("{")
    ]
    *before, last = words
    if parts[-1].startswith("{"):
        return "_".join([VERBS[method], *before, last])
    if method == "POST" and ACTS.fullmatch(last):
        return "_".join([last, *map(singular, before)])
    if method == "GET":
        return "_".join(["list" if last.endswith("s") and last not in SINGLE else "get", *map(singular, before), last])
    return "_".join([VERBS[method], *map(singular, before), singular(last)])


def singular(word: str) -> str:
    return word.removesuffix("s")
