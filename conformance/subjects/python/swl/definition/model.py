"""A prepared definition: everything that the engine asks while a run goes on, looked up once."""

from __future__ import annotations

from dataclasses import dataclass, field

from ..canonical import Json
from ..schema import Schema

RESERVED = ("failed", "exhausted")


@dataclass(slots=True)
class Action:
    """An action contract (DEF-contract), with every default said."""

    name: str
    effect: str
    outcomes: dict[str, Schema | None]
    declared: list[str]
    max_attempts: int
    initial_delay: int
    max_delay: int
    exponential: bool
    jitter: bool
    on_exhausted: str
    operation_ms: int | None
    input_schema: Schema | None
    max_input_bytes: int | None
    max_output_bytes: int | None


@dataclass(slots=True)
class Time:
    """A time of a waiter (DEF-timer, DEF-deadline): written out, or a mapping that yields its text."""

    after: bool
    source: Json
    fixed: int | None
    outcome: str


@dataclass(slots=True)
class Activity:
    id: str
    action: Action
    input: Json
    parameters: Json
    routes: dict[str, str]
    loop_limits: dict[str, int]


@dataclass(slots=True)
class AwaitSignal:
    id: str
    signal: str
    routes: dict[str, str]
    outcomes: list[str]
    payloads: dict[str, Schema]
    loop_limits: dict[str, int]
    deadline: Time | None


@dataclass(slots=True)
class AwaitTimer:
    id: str
    routes: dict[str, str]
    time: Time
    loop_limits: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Complete:
    id: str
    output: Json


@dataclass(slots=True)
class Fail:
    id: str
    code: str
    message: Json
    details: Json


Node = Activity | AwaitSignal | AwaitTimer | Complete | Fail
Leavable = Activity | AwaitSignal | AwaitTimer


@dataclass(slots=True)
class Model:
    id: str
    digest: str
    start: str
    nodes: dict[str, Node]
    input_schema: Schema | None
    output_schema: Schema | None
    max_activations: int
    max_internal: int
    max_visits: int | None
    buffer: int | None
    """How many signals a run keeps; None without `buffered-signals`."""
    signals: frozenset[str]
    """The names that some node waits for."""


def near(bound: int) -> int:
    """80% of a bound: the smallest integer not below 0.8 times it (EXE-limits)."""
    return (4 * bound + 4) // 5
