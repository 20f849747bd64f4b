"""Leaving a node and entering the next (EXE-outcome-routing, EXE-failed-route, EXE-loop-limit, EXE-limits)."""

from __future__ import annotations

from dataclasses import replace

from ..canonical import Json
from ..definition.model import Leavable, near
from ..mapping import MappingError, evaluate
from .state import Result, Visited
from .work import Work, error


def roots(work: Work) -> dict[str, Json]:
    """What a mapping sees (EXE-mapping-context)."""
    state = work.state
    results = {
        node: {"outcome": seen.result.outcome, "output": seen.result.output, "visit": seen.result.visit}
        for node, seen in state.nodes.items()
        if seen.result is not None
    }
    run = {"id": state.run, "definition": work.model.digest}
    return {"input": state.input, "nodes": results, "from": work.came, "run": run}


def value_of(work: Work, mapping: Json) -> Json:
    return evaluate(mapping, roots(work))


def mapping_error(failed: MappingError, node: str) -> dict[str, Json]:
    """The error of a mapping that has no value."""
    message = f"a mapping at {node} has no value: {failed.code} {failed.path}"
    return error(failed.code, message, {"node": node, "path": failed.path})


def record(work: Work, node: str, outcome: str, output: Json, streak: tuple[str, int] | None) -> None:
    """Writes the latest result of a node under its current visit."""
    seen = work.state.nodes[node]
    work.state.nodes[node] = Visited(seen.visits, Result(outcome, output, seen.visits), streak)


def record_only(work: Work, node: str, outcome: str, output: Json) -> None:
    """A result that takes no route leaves the streak alone."""
    record(work, node, outcome, output, work.state.nodes[node].streak)


def leave(work: Work, node: Leavable, outcome: str, output: Json) -> str:
    """Takes the route of an outcome; answers the node that it leads to."""
    seen = work.state.nodes[node.id]
    limit = node.loop_limits.get(outcome)
    route, streak = outcome, None
    if limit is not None:
        count = seen.streak[1] + 1 if seen.streak is not None and seen.streak[0] == outcome else 1
        if count > limit:
            route = "exhausted"
        else:
            streak = outcome, count
    record(work, node.id, outcome, output, streak)
    target = node.routes[route]
    work.taking = {"node": node.id, "route": route, "target": target, "visit": seen.visits}
    work.came = {"node": node.id, "route": route, "outcome": outcome, "output": output, "visit": seen.visits}
    return target


def fail_activation(work: Work, node: Leavable, failure: dict[str, Json]) -> str | None:
    """An operational failure: the failed route where one is drawn, else the run fails with that error."""
    if "failed" in node.routes:
        return leave(work, node, "failed", failure)
    record_only(work, node.id, "failed", failure)
    end_failed(work, failure)
    return None


def may_enter(work: Work, node: str) -> bool:
    """Looks at the bounds, and counts; a bound that would be exceeded fails the run (EXE-limits)."""
    model, state = work.model, work.state
    seen = state.nodes.get(node, Visited())
    counts = (
        ("limit.internal-transitions", work.entered + 1, model.max_internal),
        ("limit.activations", state.activations + 1, model.max_activations),
        ("limit.node-visits", seen.visits + 1, model.max_visits),
    )
    for code, count, bound in counts:
        if bound is not None and count > bound:
            work.tell(code, node, "error")
            message = f"{node} is not entered: {bound} is the bound"
            end_failed(work, error(code, message, {"node": node, "limit": bound}))
            return False
        if bound is not None and count == near(bound):
            work.tell("limit.near", node)
    if work.taking is not None:
        work.edges.append(work.taking)
    work.entered += 1
    state.activations += 1
    state.nodes[node] = replace(seen, visits=seen.visits + 1)
    return True


def end_completed(work: Work, output: Json) -> None:
    work.state.output = output
    _end(work, "completed", output=output)


def end_failed(work: Work, failure: dict[str, Json]) -> None:
    work.state.error = failure
    _end(work, "failed", error=failure)


def end_canceled(work: Work) -> None:
    _end(work, "canceled")


def _end(work: Work, status: str, **members: Json) -> None:
    """EXE-terminal. What nobody took of the kept signals is told once, last (EXE-buffer-end)."""
    state = work.state
    state.status, state.node, state.waiting, state.invocation = status, None, None, None
    work.command("end", status=status, **members)
    if state.buffer:
        work.tell("signal.unmatched")
