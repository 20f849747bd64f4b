"""Words about attempts, at the invocation that awaits them (EXE-attempts, EXE-unknown, EXE-contract-violation)."""

from __future__ import annotations

from ..canonical import Json
from ..definition.model import Action
from .entering import go_on
from .evidence import keep
from .invoking import HARMLESS, authorize, breach, close, current, park, remembered
from .moves import end_canceled, fail_activation, leave, record_only
from .retry import retry_delay
from .work import Work, error


def on_result(work: Work, outcome: Json, output: Json) -> None:
    """EXE-outcome-routing, EXE-contract-violation, EXE-canceling."""
    node, open_ = current(work)
    wrong = breach(node.action, outcome, output)
    if work.state.status == "canceling":
        if wrong is None:
            record_only(work, node.id, outcome, output)
        else:
            work.tell("contract.violated", node.id)
        close(work, own_word=True)
        end_canceled(work)
    elif wrong is None:
        close(work, own_word=True)
        go_on(work, leave(work, node, outcome, output))
    elif node.action.effect == "unsafe":
        work.tell("contract.violated", node.id, "error")
        keep(work)
        park(work, "contract-violated")
    else:
        work.tell(wrong[0], node.id)
        close(work, own_word=True)
        go_on(work, fail_activation(work, node, _breach_error(node.action, outcome, *wrong)))


def _breach_error(action: Action, outcome: Json, code: str, pointers: list[str]) -> dict[str, Json]:
    if code == "outcome.undeclared":
        message = f"{action.name} does not declare the outcome {outcome}"
        return error(code, message, {"outcome": outcome, "declared": action.declared})
    message = f"an output of {action.name} does not fit"
    return error(code, message, {"outcome": outcome, "pointers": pointers})


def on_failure(work: Work, failure: dict[str, Json], retryable: bool) -> None:
    """The next attempt while attempts are left, else the failure is final (EXE-attempts)."""
    node, open_ = current(work)
    if work.state.status == "canceling":
        record_only(work, node.id, "failed", failure)
        close(work, own_word=True)
        end_canceled(work)
    elif retryable and open_.attempt < node.action.max_attempts:
        open_.failure, open_.unknown = remembered(failure), None
        authorize(work, retry_delay(node.action, open_.id, open_.attempt), new_deadline=False)
    else:
        close(work, own_word=True)
        go_on(work, fail_activation(work, node, failure))


def on_unknown(work: Work, said: str) -> None:
    """By effect class (EXE-unknown)."""
    node, open_ = current(work)
    open_.said = said
    repeatable = node.action.effect != "unsafe" and open_.attempt < node.action.max_attempts
    if work.state.status == "running" and repeatable:
        open_.failure, open_.unknown = None, open_.attempt
        authorize(work, retry_delay(node.action, open_.id, open_.attempt), new_deadline=False)
    else:
        unknown_for_good(work)


def unknown_for_good(work: Work) -> None:
    """An unknown result with no attempt left, or while canceling."""
    node, open_ = current(work)
    action = node.action
    details = {"action": action.name, "attempts": open_.attempt}
    if work.state.status == "canceling":
        if action.effect in HARMLESS:
            close(work, own_word=True)
            end_canceled(work)
            return
    elif action.effect in HARMLESS:
        close(work, own_word=False)
        failure = error("attempts.exhausted", f"{action.name} has no attempt left", details)
        go_on(work, fail_activation(work, node, failure))
        return
    elif action.effect == "idempotent" and action.on_exhausted == "fail":
        close(work, own_word=False)
        failure = error("outcome.unknown", f"nobody knows what became of {action.name}", details)
        go_on(work, fail_activation(work, node, failure))
        return
    work.tell("outcome.unknown", node.id)
    park(work, "unknown-result")


def on_withdrawn(work: Work) -> None:
    """While canceling: the attempt never began, and the run is canceled."""
    close(work, own_word=True)
    end_canceled(work)


def on_accepted(work: Work) -> None:
    """A handle that the contract does not declare (EXE-accepted-undeclared)."""
    work.tell("contract.violated", work.state.node, "error")
    keep(work)
    park(work, "accepted-undeclared")


def on_operation_deadline(work: Work, unclaimed: bool) -> None:
    """EXE-operation-deadline, EXE-canceling."""
    node, open_ = current(work)
    if not unclaimed:
        open_.said = "the operation deadline has passed"
        unknown_for_good(work)
    elif open_.unknown is not None and open_.unknown == open_.attempt - 1:
        unknown_for_good(work)
    elif work.state.status == "canceling":
        close(work, own_word=True)
        end_canceled(work)
    else:
        details = {"action": node.action.name, "attempts": open_.attempt - 1}
        failure = open_.failure or error("operation.timeout", f"{node.action.name} was not done in time", details)
        close(work, own_word=False)
        go_on(work, fail_activation(work, node, failure))
