"""Start, cancellation and resolution (EXE-start, EXE-cancel, EXE-resolve)."""

from __future__ import annotations

import re

from ..canonical import Json
from ..numbers import is_integer
from .entering import go_on
from .evidence import failure_of, result_of, supports
from .invoking import authorize, breach, close, current
from .moves import end_canceled, fail_activation, leave, record_only
from .signals import disarm_waiter
from .work import APPLIED, STALE, Effect, Impossible, Work, error, refused

RUN_ID = re.compile(r"[\x21-\x7e]{1,54}")


def start(work: Work) -> Effect:
    """Keeps the input and enters the start node, unless the input is not allowed."""
    state, event = work.state, work.event
    run = event.get("run")
    if state.status != "created" or type(run) is not str or not RUN_ID.fullmatch(run):
        raise Impossible
    schema, given = work.model.input_schema, event.get("input")
    if schema is not None and schema.misfits(given):
        return refused("input.invalid")
    state.run, state.input = run, given
    go_on(work, work.model.start)
    return APPLIED


def cancel(work: Work) -> Effect:
    """Applied in log order, once."""
    state = work.state
    if state.closed:
        return Effect("none", "event.too-late")
    if state.cancel is not None:
        return Effect("none", "cancel.already-recorded")
    state.cancel = work.event.get("requestId"), state.time
    if state.status == "running":
        state.status = "canceling"
        work.command("withdraw", invocation=state.invocation.id, attempt=state.invocation.attempt)
    elif state.status != "needs-intervention":
        disarm_waiter(work)
        end_canceled(work)
    return APPLIED


def cancel_acknowledged(work: Work) -> Effect:
    """No action of this engine can be asked to stop, so there is nothing to acknowledge (EXE-cancel-ack)."""
    return STALE


def resolve(work: Work) -> Effect:
    """Only a parked invocation can be resolved."""
    state, event = work.state, work.event
    if state.closed:
        return refused("event.too-late")
    if state.status != "needs-intervention":
        return refused("resolve.not-parked")
    _, open_ = current(work)
    if event.get("invocation") != open_.id:
        return refused("resolve.invocation-unknown")
    decision, word = event.get("decision"), None
    if "fromEvidence" in event:
        position = event["fromEvidence"]
        kept = open_.kept.get(position) if is_integer(position) else None
        if kept is None:
            return refused("resolve.evidence-unknown")
        word = kept.event
        if not supports(word, decision):
            return refused("resolve.evidence-mismatch")
    if decision == "complete":
        result = result_of(word) if word is not None else (event.get("outcome"), event.get("output"))
        return _complete(work, *result)
    if decision == "fail":
        failure = failure_of(word)[0] if word is not None else event.get("error")
        return _fail(work, failure or error("outcome.unknown", "decided by hand, without an error", None))
    if decision == "retry":
        return _retry(work)
    return refused("resolve.handle-unknown")


def _complete(work: Work, outcome: Json, output: Json) -> Effect:
    node, _ = current(work)
    wrong = breach(node.action, outcome, output)
    if wrong is not None:
        undeclared = wrong[0] == "outcome.undeclared"
        return refused("resolve.outcome-undeclared" if undeclared else "resolve.output-invalid")
    close(work, own_word=False)
    if work.state.cancel is not None:
        record_only(work, node.id, outcome, output)
        end_canceled(work)
    else:
        go_on(work, leave(work, node, outcome, output))
    return APPLIED


def _fail(work: Work, failure: dict[str, Json]) -> Effect:
    node, _ = current(work)
    close(work, own_word=False)
    if work.state.cancel is not None:
        record_only(work, node.id, "failed", failure)
        end_canceled(work)
    else:
        go_on(work, fail_activation(work, node, failure))
    return APPLIED


def _retry(work: Work) -> Effect:
    """One further attempt, at once and beyond the cap if need be (EXE-resolve-retry)."""
    if work.state.cancel is not None:
        return refused("resolve.run-canceling")
    _, open_ = current(work)
    open_.parked = open_.failure = open_.unknown = None
    work.state.status = "running"
    authorize(work, delay=0, new_deadline=True)
    return APPLIED
