"""The open invocation: its attempts, its deadline, its end, its parking (EXE-attempts, EXE-operation-deadline)."""

from __future__ import annotations

from ..canonical import Json, canonical, canonical_bytes, units
from ..definition.model import Action, Activity
from ..numbers import Number, add
from .state import Ended, Invocation
from .work import Work

HARMLESS = ("pure", "read-only")
DETAILS_UNITS = 2_000


def current(work: Work) -> tuple[Activity, Invocation]:
    """The open invocation and its node."""
    return work.here(), work.state.invocation


def authorize(work: Work, delay: Number, new_deadline: bool) -> None:
    """The next attempt of the open invocation, with a deadline in full or the one that runs."""
    node, open_ = current(work)
    now = work.state.time
    open_.attempt += 1
    open_.since = now
    if new_deadline and node.action.operation_ms is not None:
        open_.generation += 1
        open_.deadline = add(now, node.action.operation_ms)
        work.command(
            "set-deadline", deadline="operation", key=open_.key, generation=open_.generation, at=open_.deadline
        )
    work.command(
        "invoke",
        activation=open_.activation,
        invocation=open_.id,
        action=node.action.name,
        attempt=open_.attempt,
        delay=delay,
        input=open_.input,
        parameters=node.parameters,
        idempotencyKey=f"{work.state.run}/{open_.node}/{open_.visit}",
    )


def disarm(work: Work) -> None:
    """Clears the armed operation deadline, also one that has just fired."""
    open_ = work.state.invocation
    if open_.deadline is not None:
        open_.deadline = None
        work.command("clear-deadline", key=open_.key)


def close(work: Work, own_word: bool) -> None:
    """The invocation ends: by the word of its latest attempt, or otherwise (data page, *Order of checks*)."""
    disarm(work)
    open_ = work.state.invocation
    work.state.ended = Ended(open_.id, open_.attempt, own_word)
    work.state.invocation = None


def park(work: Work, reason: str) -> None:
    """Parks the invocation; a recorded cancellation is kept."""
    disarm(work)
    open_ = work.state.invocation
    open_.parked, open_.parked_since = reason, work.state.time
    work.state.status = "needs-intervention"


def remembered(failure: dict[str, Json]) -> dict[str, Json]:
    """A failure that is retried is kept without details that are large (data page, *What is recorded*)."""
    small = units(canonical(failure["details"])) <= DETAILS_UNITS
    return failure if small else {**failure, "details": None}


def breach(action: Action, outcome: Json, output: Json) -> tuple[str, list[str]] | None:
    """How a result breaks the contract: a code and the places, in the order of checks (EXE-contract-violation)."""
    if type(outcome) is not str or outcome not in action.outcomes:
        return "outcome.undeclared", []
    if action.max_output_bytes is not None and canonical_bytes(output) > action.max_output_bytes:
        return "output.invalid", [""]
    schema = action.outcomes[outcome]
    wrong = schema.misfits(output) if schema is not None else []
    return ("output.invalid", wrong) if wrong else None
