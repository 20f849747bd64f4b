"""The state of a run (EXE-state). A transition works on a copy; what it was given is never changed (EXE-transition)."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field

from ..canonical import Json
from ..numbers import Number

OPEN = ("created", "running", "waiting", "needs-intervention", "canceling")


@dataclass(slots=True, frozen=True)
class Result:
    """The latest result of a node (EXE-outcome-routing)."""

    outcome: str
    output: Json
    visit: int


@dataclass(slots=True, frozen=True)
class Visited:
    """What is recorded of a node: its visits, its latest result, the streak of its loop limit."""

    visits: int = 0
    result: Result | None = None
    streak: tuple[str, int] | None = None


@dataclass(slots=True, frozen=True)
class Evidence:
    """A word that moved nothing and is kept (EXE-evidence). `says` is what adopting it would decide, or nothing."""

    position: int
    event: dict[str, Json]
    attempt: int | None
    says: str | None


@dataclass(slots=True)
class Invocation:
    """The open invocation; its evidence is replaced and never changed in place."""

    id: str
    node: str
    visit: int
    input: Json
    attempt: int = 0
    since: Number = 0
    generation: int = 0
    deadline: Number | None = None
    failure: dict[str, Json] | None = None
    unknown: int | None = None
    said: str = ""
    parked: str | None = None
    parked_since: Number = 0
    kept: dict[int, Evidence] = field(default_factory=dict)
    listed: tuple[int, ...] = ()

    @property
    def activation(self) -> str:
        return f"{self.node}#{self.visit}"

    @property
    def key(self) -> str:
        return f"operation:{self.node}#{self.visit}"


@dataclass(slots=True, frozen=True)
class Ended:
    """The invocation that ended last: its latest attempt, and whether the word of that attempt ended it."""

    invocation: str
    attempt: int
    own_word: bool


@dataclass(slots=True, frozen=True)
class Waiting:
    """The armed deadline of a waiter, or the time of a timer."""

    kind: str
    key: str
    at: Number
    outcome: str


@dataclass(slots=True, frozen=True)
class Kept:
    """A signal that met no waiter (EXE-buffer)."""

    name: str
    outcome: str | None
    payload: Json


@dataclass(slots=True)
class State:
    """A run: created, standing at exactly one node, or ended."""

    status: str = "created"
    run: str | None = None
    input: Json = None
    position: int = 0
    time: Number = 0
    node: str | None = None
    since: Number = 0
    activations: int = 0
    nodes: dict[str, Visited] = field(default_factory=dict)
    invocation: Invocation | None = None
    ended: Ended | None = None
    waiting: Waiting | None = None
    cancel: tuple[str, Number] | None = None
    buffer: tuple[Kept, ...] = ()
    output: Json = None
    error: dict[str, Json] | None = None

    @property
    def closed(self) -> bool:
        return self.status not in OPEN

    def copy(self) -> State:
        """A state that may be changed: what is shared with this one is never changed in place."""
        made = copy.copy(self)
        made.nodes = dict(self.nodes)
        made.invocation = copy.copy(self.invocation)
        return made
