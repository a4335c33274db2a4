"""What is kept of scenarios, runs and their log: storage and constraints, no behaviour.

Writes are in `games.runs`, `games.people` and `games.drive`, reads in `games.record`. Texts of a person or a model are
stored as they came.
"""

from games.models.accounts import ApiKey, AuditEntry, Entry, KeptAnswer
from games.models.batches import Batch, Letter
from games.models.identity import ALPHABET, opaque_id
from games.models.log import Call, Decision, Message, Notice, Snapshot, Step
from games.models.people import HOLDING, Participant, ParticipantState
from games.models.plans import Experiment, ExperimentStatus, Scenario
from games.models.runs import ACTIVE, ENDED, JOINED, Cell, Demo, Queue, Run, RunStatus, Seat, SeatKind, Tag
from games.models.studies import NAME_MAX, UNDER_WAY, Knock, Member, MemberState, Session, Study, Visit

__all__ = [
    "ACTIVE",
    "ALPHABET",
    "ENDED",
    "HOLDING",
    "JOINED",
    "NAME_MAX",
    "UNDER_WAY",
    "ApiKey",
    "AuditEntry",
    "Batch",
    "Call",
    "Cell",
    "Decision",
    "Demo",
    "Entry",
    "Experiment",
    "ExperimentStatus",
    "KeptAnswer",
    "Knock",
    "Letter",
    "Member",
    "MemberState",
    "Message",
    "Notice",
    "Participant",
    "ParticipantState",
    "Queue",
    "Run",
    "RunStatus",
    "Scenario",
    "Seat",
    "SeatKind",
    "Session",
    "Snapshot",
    "Step",
    "Study",
    "Tag",
    "Visit",
    "opaque_id",
]
