"""Whose word an event is, and the first rows of the table (data page, *Order of checks*, step 4)."""

from __future__ import annotations

import re

from ..canonical import Json
from ..definition.model import Activity
from ..numbers import is_integer
from . import attempts
from .evidence import keep
from .work import APPLIED, EVIDENCE, STALE, Effect, Impossible, Work

ACTIVATION = re.compile(r"([A-Za-z_][A-Za-z0-9_-]{0,63})#([1-9][0-9]{0,8})")


def word(work: Work) -> Effect:
    """`result`, `failure`, `accepted`, `unknown`, `withdrawn` and `inspected`, in every status."""
    kind = work.event["type"]
    if not _is_latest(work):
        if kind in ("unknown", "inspected"):
            return STALE
        keep(work)
        return EVIDENCE
    state = work.state
    if state.closed:
        return STALE if kind in ("withdrawn", "inspected") else EVIDENCE
    if state.status == "needs-intervention":
        if kind == "unknown":
            return STALE
        keep(work)
        return EVIDENCE
    if state.status in ("running", "canceling"):
        return _awaited(work, kind)
    if kind == "withdrawn":
        raise Impossible
    return EVIDENCE if kind == "accepted" else STALE


def _awaited(work: Work, kind: str) -> Effect:
    event = work.event
    if kind == "result":
        attempts.on_result(work, event.get("outcome"), event.get("output"))
    elif kind == "failure":
        attempts.on_failure(work, event["error"], event.get("retryable") is True)
    elif kind == "unknown":
        attempts.on_unknown(work, ": ".join(str(event[part])[:300] for part in ("reason", "message") if part in event))
    elif kind == "accepted":
        attempts.on_accepted(work)
    elif kind == "withdrawn":
        if work.state.status != "canceling":
            raise Impossible
        attempts.on_withdrawn(work)
    else:
        return STALE
    return APPLIED


def completion(work: Work) -> Effect:
    """No action of this engine declares `deferred`: a completion is evidence, or says nothing new (EXE-completion)."""
    state, invocation = work.state, work.event.get("invocation")
    if state.invocation is None or state.invocation.id != invocation:
        if not _was_given(work, invocation):
            raise Impossible
        ended = state.ended
        if ended is not None and ended.own_word and ended.invocation == invocation:
            return STALE
    keep(work)
    return EVIDENCE


def _is_latest(work: Work) -> bool:
    """True for the latest attempt, False for an older one; what was never authorized is impossible."""
    state, event = work.state, work.event
    attempt, invocation = event.get("attempt"), event.get("invocation")
    if not is_integer(attempt) or attempt < 1:
        raise Impossible
    open_, ended = state.invocation, state.ended
    if open_ is not None and open_.id == invocation:
        if attempt > open_.attempt:
            raise Impossible
        return attempt == open_.attempt
    if open_ is None and ended is not None and ended.own_word:
        if ended.invocation == invocation and ended.attempt == attempt:
            return True
    if not _was_given(work, invocation):
        raise Impossible
    return False


def _was_given(work: Work, invocation: Json) -> bool:
    """`RUN/NODE#VISIT` of this run, an activity, and a visit that the node has been given."""
    state = work.state
    if state.run is None or type(invocation) is not str or not invocation.startswith(state.run + "/"):
        return False
    found = ACTIVATION.fullmatch(invocation[len(state.run) + 1 :])
    if not found or type(work.model.nodes.get(found[1])) is not Activity:
        return False
    seen = state.nodes.get(found[1])
    return seen is not None and int(found[2]) <= seen.visits
