"""What is kept of scenarios, runs and their log: storage and constraints, no behaviour.

Writes are in `games.site.runs`, `games.site.people` and `games.site.drive`, reads in `games.site.record`. Texts of a
person or a model are stored as they came.
"""

from games.site.models.accounts import ApiKey, AuditEntry, Entry, KeptAnswer, SignIn
from games.site.models.batches import Batch, Letter
from games.site.models.identity import ALPHABET, opaque_id
from games.site.models.jobs import Job, JobPart, JobStatus
from games.site.models.log import Call, Comment, Decision, Message, Notice, Snapshot, Step
from games.site.models.people import HOLDING, Participant, ParticipantState
from games.site.models.plans import Experiment, ExperimentStatus, Scenario, Worker
from games.site.models.register import RegisterEntry, RegisterKind
from games.site.models.runs import (
    ACTIVE,
    ENDED,
    JOINED,
    Cell,
    Demo,
    DemoLink,
    Guess,
    Queue,
    Run,
    RunStatus,
    Seat,
    SeatKind,
    Tag,
)
from games.site.models.studies import NAME_MAX, UNDER_WAY, Knock, Member, MemberState, Session, Study, Visit
from games.site.models.webhooks import Delivery, DeliveryStatus, Webhook

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
    "Comment",
    "Decision",
    "Delivery",
    "DeliveryStatus",
    "Demo",
    "DemoLink",
    "Entry",
    "Experiment",
    "ExperimentStatus",
    "Guess",
    "Job",
    "JobPart",
    "JobStatus",
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
    "RegisterEntry",
    "RegisterKind",
    "Run",
    "RunStatus",
    "Scenario",
    "Seat",
    "SeatKind",
    "Session",
    "SignIn",
    "Snapshot",
    "Step",
    "Study",
    "Tag",
    "Visit",
    "Webhook",
    "Worker",
    "opaque_id",
]
