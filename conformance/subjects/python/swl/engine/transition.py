"""EXE-transition: a definition, a state and one accepted event give the next state and what follows from it."""

from __future__ import annotations

from collections.abc import Callable

from ..canonical import Json
from ..definition.model import Model
from ..numbers import is_integer, is_number
from .control import cancel, cancel_acknowledged, resolve, start
from .signals import deadline, signal, update
from .state import State
from .view import disposition, view
from .words import completion, word
from .work import STALE, Effect, Impossible, Work

CELLS: dict[str, Callable[[Work], Effect]] = {
    "start": start,
    "result": word,
    "failure": word,
    "accepted": word,
    "unknown": word,
    "withdrawn": word,
    "inspected": word,
    "completion": completion,
    "deadline": deadline,
    "signal": signal,
    "update": update,
    "cancel": cancel,
    "cancel-acknowledged": cancel_acknowledged,
    "resolve": resolve,
}

IMPOSSIBLE = {
    "error": {
        "code": "model.event-impossible",
        "severity": "error",
        "message": "a host that keeps its contract does not hand over this event here",
        "pointer": "",
    }
}


def transition(model: Model, state: State, event: Json) -> tuple[State, dict[str, Json]]:
    """The next state and the step; for an impossible event the state that was given, and an error."""
    kind = event.get("type") if type(event) is dict else None
    cell = CELLS.get(kind) if type(kind) is str else None
    if cell is None or not is_integer(event.get("position")) or not is_number(event.get("at")):
        return state, IMPOSSIBLE
    work = Work(model, state.copy(), event)
    if event["position"] <= state.position:
        return state, _step(work, state, STALE)
    if state.closed:
        try:
            return state, _step(work, state, cell(work))
        except Impossible:
            return state, IMPOSSIBLE
    work.state.position = event["position"]
    work.state.time = max(state.time, event["at"])
    try:
        effect = cell(work)
    except Impossible:
        return state, IMPOSSIBLE
    return work.state, _step(work, work.state, effect)


def _step(work: Work, state: State, effect: Effect) -> dict[str, Json]:
    if effect.kind == "none":
        work.tell(effect.code, severity="error" if effect.refuse else "warning")
    told = disposition(work.model, state)
    return {
        "effect": effect.data(),
        "commands": work.commands,
        "diagnostics": work.diagnostics,
        "edges": work.edges,
        "disposition": told,
        "view": view(work.model, state, told),
    }
