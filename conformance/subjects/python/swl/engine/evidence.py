"""Words that move nothing, and what they would decide (EXE-evidence, EXE-evidence-adoption, EXE-resolve-evidence).

Evidence of invocations that are not open can neither be seen nor named by anything that may still happen, so this
engine answers for it and keeps none.
"""

from __future__ import annotations

from ..canonical import Json
from ..definition.model import Action
from .invoking import breach, current
from .state import Evidence, Invocation
from .work import Work

LISTED = 16


def result_of(event: dict[str, Json]) -> tuple[Json, Json] | None:
    """Outcome and output that a word reports."""
    if event["type"] == "result":
        return event.get("outcome"), event.get("output")
    told = _told(event, "completion", "completed")
    return (told["outcome"], told.get("output")) if "outcome" in told else None


def failure_of(event: dict[str, Json]) -> tuple[dict[str, Json], bool] | None:
    """Error and whether it may be tried again, of a word that reports a failure."""
    if event["type"] == "failure":
        return event["error"], event.get("retryable") is True
    told = _told(event, "completion", "failed")
    return (told["error"], told.get("retryable") is True) if "error" in told else None


def _told(event: dict[str, Json], completion: str, status: str) -> dict[str, Json]:
    """The `result` of a completion, or of an answer with this status."""
    if event["type"] == completion or (event["type"] == "inspected" and event.get("status") == status):
        told = event.get("result")
        return told if type(told) is dict else {}
    return {}


def supports(event: dict[str, Json], decision: str) -> bool:
    """Whether a word is of the kind that a decision needs; no action of this engine declares a handle."""
    if decision == "complete":
        return result_of(event) is not None
    failure = failure_of(event)
    if decision == "fail":
        return failure is not None
    if decision == "retry":
        not_begun = event["type"] == "withdrawn" or (
            event["type"] == "inspected" and event.get("status") == "not-found"
        )
        return not_begun or (failure is not None and failure[1])
    return False


def keep(work: Work) -> None:
    """Keeps a word of the open invocation under its position, as far as there is room."""
    event, open_ = work.event, work.state.invocation
    if open_ is None or event["invocation"] != open_.id:
        return
    node, _ = current(work)
    kind = event["type"]
    told = Evidence(event["position"], event, event.get("attempt"), _says(node.action, event))
    always = kind not in ("completion", "inspected") and told.attempt == open_.attempt
    kept = {**open_.kept, told.position: told}
    if not always and len(open_.listed) >= LISTED:
        if kind != "inspected":
            return
        offer = offered(open_, kept, node.action, work.state.cancel is not None)
        if offer is None or offer[1] != told.position:
            return
    open_.kept = kept
    open_.listed = (*open_.listed, told.position)[-LISTED:]


def _says(action: Action, event: dict[str, Json]) -> str | None:
    """What adopting a word would decide, if it keeps the contract; no action here declares completions."""
    if event["type"] == "completion":
        return None
    result = result_of(event)
    if result is not None:
        return "complete" if breach(action, *result) is None else None
    failure = failure_of(event)
    if failure is not None:
        return "retry" if failure[1] else "fail"
    return "withdrawn" if event["type"] == "withdrawn" else None


def offered(open_: Invocation, kept: dict[int, Evidence], action: Action, canceled: bool) -> tuple[str, int] | None:
    """What a parked invocation offers for adoption: a decision, and the first evidence that can be adopted."""
    if open_.parked is None:
        return None
    for told in kept.values():
        if told.says is None or told.attempt != open_.attempt:
            continue
        decision: str | None = told.says
        if decision == "withdrawn":
            decision = None if canceled else "retry"
        elif decision == "retry" and (canceled or open_.attempt >= action.max_attempts):
            decision = "fail"
        if open_.parked == "contract-violated" and decision != "complete":
            decision = None
        if decision is not None:
            return decision, told.position
    return None
