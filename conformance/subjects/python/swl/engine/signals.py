"""Signals, updates and deadlines (EXE-signal, EXE-buffer, EXE-update, EXE-stale-deadline)."""

from __future__ import annotations

from ..definition.model import AwaitSignal, near
from ..numbers import is_integer
from .attempts import on_operation_deadline
from .entering import go_on
from .matching import usable
from .moves import leave
from .state import Kept
from .work import APPLIED, BUFFERED, STALE, Effect, Impossible, Work, refused


def signal(work: Work) -> Effect:
    """Matched at a waiter of its name, else kept or unmatched."""
    state, event = work.state, work.event
    if state.closed:
        return refused("event.too-late")
    if state.status == "canceling":
        return refused("run.canceling")
    name, outcome, payload = event.get("name"), event.get("outcome"), event.get("payload")
    node = work.here() if state.status == "waiting" else None
    if type(node) is not AwaitSignal or node.signal != name:
        return _kept(work, Kept(name, outcome, payload))
    outcome, refusal = usable(node, outcome, payload)
    if refusal is not None:
        return refused(refusal)
    disarm_waiter(work)
    go_on(work, leave(work, node, outcome, payload))
    return APPLIED


def _kept(work: Work, kept: Kept) -> Effect:
    """EXE-buffer, EXE-buffer-capacity."""
    model, state = work.model, work.state
    if model.buffer is None or type(kept.name) is not str or kept.name not in model.signals:
        return Effect("none", "signal.unmatched")
    if len(state.buffer) >= model.buffer:
        return refused("signal.buffer-full")
    state.buffer = (*state.buffer, kept)
    if len(state.buffer) == near(model.buffer):
        work.tell("limit.near")
    return BUFFERED


def update(work: Work) -> Effect:
    """No definition of this engine requires `tracked-updates` (EXE-update)."""
    if work.state.closed:
        return refused("event.too-late")
    return refused("run.canceling" if work.state.status == "canceling" else "definition.profile-missing")


def disarm_waiter(work: Work) -> None:
    """What leaves a waiter clears the deadline that is armed there, first."""
    waiting = work.state.waiting
    if waiting is not None:
        work.state.waiting = None
        work.command("clear-deadline", key=waiting.key)


def deadline(work: Work) -> Effect:
    """A firing moves something only when it is of the armed deadline; it is never compared with the time."""
    state, event = work.state, work.event
    if state.status == "created":
        raise Impossible
    if not is_integer(event.get("generation")):
        return STALE
    told = event.get("kind"), event.get("key"), event["generation"]
    waiting, open_ = state.waiting, state.invocation
    if waiting is not None and told == (waiting.kind, waiting.key, 1):
        state.waiting = None
        go_on(work, leave(work, work.here(), waiting.outcome, None))
        return APPLIED
    if open_ is not None and open_.deadline is not None and told == ("operation", open_.key, open_.generation):
        on_operation_deadline(work, event.get("unclaimed") is True)
        return APPLIED
    return STALE
