"""Whether a waiter can use a signal (EXE-signal-outcome, EXE-signal-refused)."""

from __future__ import annotations

from ..canonical import Json
from ..definition.model import AwaitSignal


def usable(node: AwaitSignal, outcome: Json, payload: Json) -> tuple[str, str | None]:
    """The outcome that a signal takes at a waiter of its name, and the code for which it takes none."""
    if outcome is None:
        if "received" in node.outcomes:
            outcome = "received"
        elif len(node.outcomes) == 1:
            outcome = node.outcomes[0]
        else:
            return "", "signal.outcome-required"
    if outcome not in node.outcomes:
        return "", "signal.outcome-unrouted"
    schema = node.payloads.get(outcome)
    if schema is not None and schema.misfits(payload):
        return "", "signal.payload-invalid"
    return outcome, None
