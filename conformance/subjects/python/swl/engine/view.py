"""What others see: disposition, outstanding, view (EXE-disposition, EXE-outstanding, EXE-view)."""

from __future__ import annotations

from ..canonical import Json, in_order
from ..definition.model import AwaitSignal, Model, near
from .evidence import offered
from .state import Invocation, State


def disposition(model: Model, state: State) -> dict[str, Json]:
    """Open, parked or closed."""
    if state.status == "completed":
        return {"kind": "closed", "status": "completed", "output": state.output}
    if state.status == "failed":
        return {"kind": "closed", "status": "failed", "error": state.error}
    if state.status == "canceled":
        return {"kind": "closed", "status": "canceled"}
    if state.status != "needs-intervention":
        return {"kind": "open", "blockers": blockers(model, state)}
    open_ = state.invocation
    told: dict[str, Json] = {"kind": "parked", "blockers": blockers(model, state)}
    offer = offered(open_, open_.kept, model.nodes[open_.node].action, state.cancel is not None)
    if offer is not None:
        told["adopt"] = {"invocation": open_.id, "decision": offer[0], "fromEvidence": offer[1]}
    return told


def blockers(model: Model, state: State) -> list[dict[str, Json]]:
    """What the run waits for, with the verbs that would move it."""
    if state.closed:
        return []
    if state.status == "created":
        return [{"kind": "start", "message": "the run has not started", "since": state.time, "options": ["cancel"]}]
    if state.status == "waiting":
        return _waiter(model, state)
    open_ = state.invocation
    action = model.nodes[open_.node].action.name
    told: dict[str, Json] = {"node": open_.node, "invocation": open_.id, "action": action, "attempt": open_.attempt}
    said = f" ({open_.said})" if open_.said else ""
    if state.status == "needs-intervention":
        return [_intervention(told, open_, state.cancel is not None, said)]
    told |= {"kind": "invocation", "message": f"attempt {open_.attempt} of {action} is out{said}", "since": open_.since}
    if state.status == "canceling":
        return [{**told, "reason": "canceling", "options": []}]
    return [{**told, "options": ["cancel"]}]


def _waiter(model: Model, state: State) -> list[dict[str, Json]]:
    node, waiting, found = model.nodes[state.node], state.waiting, []
    if type(node) is AwaitSignal:
        found.append(
            {
                "kind": "signal",
                "message": f"the signal {node.signal} is awaited",
                "node": node.id,
                "since": state.since,
                "signal": {"name": node.signal, "outcomes": node.outcomes},
                "options": ["signal", "cancel"],
            }
        )
    if waiting is not None:
        found.append(
            {
                "kind": "timer",
                "message": f"the run goes on at {waiting.at}",
                "node": node.id,
                "since": state.since,
                "timer": {"key": waiting.key, "at": waiting.at, "outcome": waiting.outcome},
                "options": ["cancel"],
            }
        )
    return found


def _intervention(told: dict[str, Json], open_: Invocation, canceled: bool, said: str) -> dict[str, Json]:
    listed = []
    for position in open_.listed:
        event = open_.kept[position].event
        entry = {"position": position, "type": event["type"], "summary": f"a {event['type']} that moved nothing"}
        if event["type"] != "completion":
            entry["attempt"] = event["attempt"]
        listed.append(entry)
    options = ["resolve complete", "resolve fail"] + ([] if canceled else ["resolve retry", "cancel"])
    return told | {
        "kind": "intervention",
        "message": f"the invocation is parked: {open_.parked}{said}",
        "reason": open_.parked,
        "since": open_.parked_since,
        "evidence": listed,
        "options": options,
    }


def outstanding(model: Model, state: State) -> list[dict[str, Json]]:
    """The commands in force; a parked invocation has none."""
    open_, waiting = state.invocation, state.waiting
    if waiting is not None:
        members = {"kind": "deadline", "deadline": waiting.kind, "key": waiting.key, "generation": 1, "at": waiting.at}
        return [members]
    if open_ is None or open_.parked is not None:
        return []
    found: list[dict[str, Json]] = [
        {
            "kind": "invoke",
            "activation": open_.activation,
            "invocation": open_.id,
            "action": model.nodes[open_.node].action.name,
            "attempt": open_.attempt,
            "phase": "scheduled",
            "withdraw": state.status == "canceling",
        }
    ]
    if open_.deadline is not None:
        found.append(
            {
                "kind": "deadline",
                "deadline": "operation",
                "key": open_.key,
                "generation": open_.generation,
                "at": open_.deadline,
            }
        )
    return found


def view(model: Model, state: State, told: dict[str, Json]) -> dict[str, Json]:
    """The portable view of a state and its disposition: no input, no output of an action, no payload."""
    positions = []
    if state.node is not None:
        visit = state.nodes[state.node].visits
        activation = f"{state.node}#{visit}"
        positions.append({"node": state.node, "visit": visit, "activation": activation, "since": state.since})
    seen: dict[str, Json] = {
        "run": state.run,
        "workflow": model.id,
        "definition": model.digest,
        "status": state.status,
        "positions": positions,
        "nodes": {
            node: {
                "visits": visited.visits,
                "outcome": visited.result.outcome if visited.result is not None else None,
                "visit": visited.result.visit if visited.result is not None else None,
            }
            for node, visited in state.nodes.items()
        },
        "outstanding": outstanding(model, state),
        "blockers": told.get("blockers", []),
        "cancel": None if state.cancel is None else {"requestId": state.cancel[0], "at": state.cancel[1]},
        "counters": {"activations": state.activations, "near": _near(model, state)},
        "result": None,
        "time": state.time,
    }
    if state.status == "completed":
        seen["result"] = {"output": state.output}
    elif state.status == "failed":
        seen["result"] = {"error": state.error}
    if model.buffer is not None:
        counts: dict[str, int] = {}
        for kept in state.buffer:
            counts[kept.name] = counts.get(kept.name, 0) + 1
        seen["buffer"] = [{"signal": name, "count": counts[name]} for name in in_order(counts)]
    return seen


def _near(model: Model, state: State) -> list[str]:
    """The bounds that are near (EXE-limits, EXE-buffer-capacity)."""
    found = []
    if state.activations >= near(model.max_activations):
        found.append("maxActivations")
    if model.buffer is not None and len(state.buffer) >= near(model.buffer):
        found.append("maxBufferedSignals")
    if model.max_visits is not None:
        bound = near(model.max_visits)
        found += [f"maxNodeVisits {node}" for node in in_order(state.nodes) if state.nodes[node].visits >= bound]
    return found
