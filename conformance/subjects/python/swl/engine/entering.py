"""Entering nodes, one at a time, until the run stands or ends (EXE-entering)."""

from __future__ import annotations

from ..canonical import canonical_bytes
from ..definition.model import Activity, AwaitSignal, AwaitTimer, Complete, Fail, Time
from ..mapping import MappingError
from ..numbers import add
from ..times import duration, instant
from .invoking import authorize
from .moves import end_completed, end_failed, fail_activation, leave, mapping_error, may_enter, value_of
from .matching import usable
from .state import Invocation, Waiting
from .work import Work, error


def go_on(work: Work, target: str | None) -> None:
    """Enters a node, and what follows from it in the same transition."""
    while target is not None:
        if not may_enter(work, target):
            return
        node = work.model.nodes[target]
        work.state.node, work.state.since = target, work.state.time
        kind = type(node)
        if kind is Activity:
            target = _activity(work, node)
        elif kind is AwaitSignal:
            target = _await_signal(work, node)
        elif kind is AwaitTimer:
            target = _timed(work, node, node.time, "timer")
        elif kind is Complete:
            target = _complete(work, node)
        else:
            target = _fail(work, node)


def _activity(work: Work, node: Activity) -> str | None:
    """Computes the input and authorizes one invocation (EXE-entering, EXE-input-failure)."""
    try:
        given = value_of(work, node.input)
    except MappingError as failed:
        work.tell(failed.code, node.id)
        return fail_activation(work, node, mapping_error(failed, node.id))
    action = node.action
    wrong: list[str] = []
    if action.max_input_bytes is not None and canonical_bytes(given) > action.max_input_bytes:
        wrong = [""]
    elif action.input_schema is not None:
        wrong = action.input_schema.misfits(given)
    if wrong:
        work.tell("input.invalid", node.id)
        failure = error("input.invalid", f"the input of {node.id} does not fit", {"pointers": wrong})
        return fail_activation(work, node, failure)
    visit = work.state.nodes[node.id].visits
    work.state.status = "running"
    work.state.invocation = Invocation(f"{work.state.run}/{node.id}#{visit}", node.id, visit, given)
    authorize(work, delay=0, new_deadline=True)
    return None


def _await_signal(work: Work, node: AwaitSignal) -> str | None:
    """The oldest kept signal that is usable is taken at once, else the run stands (EXE-buffer-taken)."""
    state = work.state
    while True:
        index = next((at for at, kept in enumerate(state.buffer) if kept.name == node.signal), None)
        if index is None:
            break
        kept = state.buffer[index]
        state.buffer = state.buffer[:index] + state.buffer[index + 1 :]
        outcome, refusal = usable(node, kept.outcome, kept.payload)
        if refusal is None:
            return leave(work, node, outcome, kept.payload)
        work.tell("signal.dropped", node.id)
    if node.deadline is not None:
        return _timed(work, node, node.deadline, "await")
    state.status = "waiting"
    return None


def _timed(work: Work, node: AwaitSignal | AwaitTimer, time: Time, kind: str) -> str | None:
    """Arms the deadline of a waiter (EXE-await-deadline, EXE-timer, EXE-duration)."""
    told = time.fixed
    if told is None:
        try:
            text = value_of(work, time.source)
        except MappingError as failed:
            work.tell(failed.code, node.id)
            return fail_activation(work, node, mapping_error(failed, node.id))
        told = duration(text) if time.after else instant(text)
        if told is None:
            code = "time.duration" if time.after else "time.instant"
            work.tell(code, node.id)
            return fail_activation(work, node, error(code, f"the time of {node.id} is none", {"node": node.id}))
    at = add(work.state.time, told) if time.after else told
    key = f"{kind}:{node.id}#{work.state.nodes[node.id].visits}"
    work.state.status = "waiting"
    work.state.waiting = Waiting(kind, key, at, time.outcome)
    work.command("set-deadline", deadline=kind, key=key, generation=1, at=at)
    return None


def _complete(work: Work, node: Complete) -> None:
    """EXE-complete-output."""
    try:
        output = value_of(work, node.output)
    except MappingError as failed:
        work.tell(failed.code, node.id, "error")
        end_failed(work, mapping_error(failed, node.id))
        return
    schema = work.model.output_schema
    wrong = schema.misfits(output) if schema is not None else []
    if wrong:
        work.tell("output.invalid", node.id, "error")
        end_failed(work, error("output.invalid", f"the output of {node.id} does not fit", {"pointers": wrong}))
        return
    end_completed(work, output)


def _fail(work: Work, node: Fail) -> None:
    """The author's error, whatever becomes of the mappings in it (EXE-fail-node)."""
    message, details = f"fail node {node.id} reached", None
    try:
        told = value_of(work, node.message)
        if type(told) is str:
            message = told
        else:
            work.tell("output.invalid", node.id)
    except MappingError as failed:
        work.tell(failed.code, node.id)
    try:
        details = value_of(work, node.details)
    except MappingError as failed:
        work.tell(failed.code, node.id)
    end_failed(work, error(node.code, message, details))
