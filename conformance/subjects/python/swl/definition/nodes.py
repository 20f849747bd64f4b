"""Nodes as the engine reads them (DEF-node-kinds, DEF-routes-complete, DEF-await-signal, DEF-timer, DEF-deadline)."""

from __future__ import annotations

import re

from ..canonical import Json, in_order, pointer_segment
from ..schema import Schema
from ..times import duration, instant
from .findings import OUTCOME, Findings
from .model import RESERVED, Action, Activity, AwaitSignal, AwaitTimer, Complete, Fail, Node, Time

SIGNAL = re.compile(r"[A-Za-z0-9_.-]{1,64}")
CODE = re.compile(r"[a-z0-9][a-z0-9.-]{0,63}")
MANY = 10_000_000

Contracts = dict[str, tuple[Action, Schema | None]]


def read_node(name: str, value: Json, pointer: str, actions: Contracts, findings: Findings) -> Node | None:
    """A node; None where it cannot be read or belongs to a profile that is not executed."""
    if type(value) is not dict:
        findings.invalid(pointer, "a node is an object")
        return None
    kind = value.get("kind")
    if kind == "activity":
        return _activity(name, value, pointer, actions, findings)
    if kind == "await-signal":
        return _await_signal(name, value, pointer, findings)
    if kind == "await-timer":
        findings.needs("timers", pointer + "/kind")
        return _await_timer(name, value, pointer, findings)
    if kind == "complete":
        node = findings.object(value, pointer, ("sensitive",), ("kind", "output"))
        return Complete(name, findings.mapping(node.get("output"), pointer + "/output"))
    if kind == "fail":
        return _fail(name, value, pointer, findings)
    if kind == "choice":
        findings.needs("expressions-jsonlogic", pointer + "/kind")
        _choice(value, pointer, findings)
        return None
    findings.invalid(pointer + ("/kind" if "kind" in value else ""), "this is a kind of node")
    return None


def _routes(node: dict[str, Json], pointer: str, findings: Findings) -> dict[str, str]:
    routes = findings.named(node["routes"], pointer + "/routes", OUTCOME) if "routes" in node else {}
    good = {}
    for route, target in routes.items():
        if type(target) is str and target in findings.node_ids:
            good[route] = target
        else:
            findings.invalid(f"{pointer}/routes/{route}", "a route leads to a node of the definition")
    return good


def _expect(routes: dict[str, str], wanted: set[str], pointer: str, findings: Findings) -> None:
    """Exactly these outcomes are routed, `failed` and `exhausted` apart."""
    for outcome in in_order(wanted.difference(routes)):
        findings.invalid(pointer + "/routes", f"the outcome {outcome} is not routed")
    for outcome in in_order(set(routes).difference(wanted, RESERVED)):
        findings.invalid(f"{pointer}/routes/{outcome}", f"there is no outcome {outcome} here")


def _loops(node: dict[str, Json], routes: dict[str, str], pointer: str, findings: Findings) -> dict[str, int]:
    """`loopLimits`, and the route `exhausted` exactly where they stand (DEF-loop-limits, DEF-exhausted-route)."""
    if ("exhausted" in routes) != ("loopLimits" in node):
        findings.invalid(pointer + "/routes", "exhausted is routed exactly where there are loopLimits")
    if "loopLimits" not in node:
        return {}
    loops = findings.named(node["loopLimits"], pointer + "/loopLimits", OUTCOME)
    if node["loopLimits"] == {}:
        findings.invalid(pointer + "/loopLimits", "loopLimits names an outcome")
    for outcome, limit in loops.items():
        place = f"{pointer}/loopLimits/{outcome}"
        if outcome == "exhausted" or outcome not in routes:
            findings.invalid(place, f"{outcome} is not routed, or has no limit")
        findings.integer(limit, place, 1, MANY)
    return loops


def _activity(name: str, value: Json, pointer: str, actions: Contracts, findings: Findings) -> Node | None:
    members = ("parameters", "loopLimits", "sensitive")
    node = findings.object(value, pointer, members, ("kind", "action", "input", "routes"))
    findings.mapping(node.get("input"), pointer + "/input")
    routes = _routes(node, pointer, findings)
    loops = _loops(node, routes, pointer, findings)
    if "action" not in node:
        return None
    if type(node["action"]) is not str or node["action"] not in actions:
        findings.invalid(pointer + "/action", "an activity names an action of the definition")
        return None
    action, parameters_schema = actions[node["action"]]
    if "routes" in node and action.outcomes:
        _expect(routes, set(action.outcomes), pointer, findings)
    parameters = node.get("parameters")
    if parameters_schema is not None and parameters_schema.misfits(parameters):
        findings.invalid(pointer + "/parameters", "the parameters do not fit the schema of the action")
    return Activity(name, action, node.get("input"), parameters, routes, loops)


def _await_signal(name: str, value: Json, pointer: str, findings: Findings) -> Node:
    members = ("payloads", "loopLimits", "sensitive", "deadline")
    node = findings.object(value, pointer, members, ("kind", "signal", "routes"))
    signal = findings.text(node["signal"], pointer + "/signal", SIGNAL) if "signal" in node else ""
    routes = _routes(node, pointer, findings)
    outcomes = [outcome for outcome in in_order(routes) if outcome not in RESERVED]
    if "routes" in node and not (outcomes and len(node["routes"]) <= 256):
        findings.invalid(pointer + "/routes", "a waiting node has 1 to 256 routes, and an outcome among them")
    payloads = {}
    for outcome in findings.named(node.get("payloads", {}), pointer + "/payloads", OUTCOME):
        if outcome not in outcomes:
            findings.invalid(f"{pointer}/payloads/{outcome}", f"the outcome {outcome} is not routed")
        payloads[outcome] = findings.schema(node["payloads"], outcome, pointer + "/payloads")
    deadline = None
    if "deadline" in node:
        place = pointer + "/deadline"
        findings.needs("timers", place)
        told = findings.object(node["deadline"], place, ("after", "until"), ("outcome",))
        outcome = told.get("outcome")
        if "outcome" in told and (type(outcome) is not str or outcome not in outcomes):
            findings.invalid(place + "/outcome", "the outcome of a deadline is an outcome that is routed")
        deadline = _time(told, place, str(outcome), findings)
    loops = _loops(node, routes, pointer, findings)
    return AwaitSignal(name, signal, routes, outcomes, payloads, loops, deadline)


def _await_timer(name: str, value: Json, pointer: str, findings: Findings) -> Node:
    node = findings.object(value, pointer, ("after", "until", "sensitive"), ("kind", "routes"))
    routes = _routes(node, pointer, findings)
    if "routes" in node:
        _expect(routes, {"elapsed"}, pointer, findings)
        if "exhausted" in routes:
            findings.invalid(pointer + "/routes/exhausted", "a timer has no loop limits")
    return AwaitTimer(name, routes, _time(node, pointer, "elapsed", findings))


def _time(holder: dict[str, Json], pointer: str, outcome: str, findings: Findings) -> Time:
    """Exactly one of `after` and `until`: a text, or a mapping that yields one."""
    if ("after" in holder) == ("until" in holder):
        findings.invalid(pointer, "a time has exactly one of after and until")
        return Time(True, None, None, outcome)
    member = "after" if "after" in holder else "until"
    source, place, fixed = holder[member], f"{pointer}/{member}", None
    if type(source) is str:
        fixed = duration(source) if member == "after" else instant(source)
        if fixed is None:
            findings.invalid(place, "this is no duration" if member == "after" else "this is no instant")
    elif type(source) is dict:
        findings.mapping(source, place)
    else:
        findings.invalid(place, "a time is a text, or a mapping that yields one")
    return Time(member == "after", source, fixed, outcome)


def _fail(name: str, value: Json, pointer: str, findings: Findings) -> Node:
    node = findings.object(value, pointer, ("sensitive",), ("kind", "error"))
    place = pointer + "/error"
    if "error" not in node:
        return Fail(name, "", "", None)
    error = findings.object(node["error"], place, ("details",), ("code", "message"))
    code = findings.text(error["code"], place + "/code", CODE) if "code" in error else ""
    message = error.get("message", "")
    if type(message) not in (str, dict):
        findings.invalid(place + "/message", "a message is a text, or a mapping that yields one")
    findings.mapping(message, place + "/message")
    return Fail(name, code, message, findings.mapping(error.get("details"), place + "/details"))


def _choice(value: dict[str, Json], pointer: str, findings: Findings) -> None:
    """A choice is not executed here; that its outcomes are routed is said all the same."""
    node = findings.object(value, pointer, ("sensitive",), ("kind", "cases", "otherwise", "routes"))
    wanted = set()
    if "otherwise" in node:
        wanted.add(findings.text(node["otherwise"], pointer + "/otherwise", OUTCOME))
    cases = node.get("cases", [])
    if type(cases) is not list or ("cases" in node and not 1 <= len(cases) <= 256):
        findings.invalid(pointer + "/cases", "a choice has 1 to 256 cases")
        cases = []
    for index, case in enumerate(cases):
        place = f"{pointer}/cases/{index}"
        told = findings.object(case, place, (), ("when", "outcome"))
        if "outcome" in told:
            wanted.add(findings.text(told["outcome"], f"{place}/outcome", OUTCOME))
    routes = _routes(node, pointer, findings)
    for outcome in in_order(set(routes).intersection(RESERVED)):
        findings.invalid(pointer + "/routes" + pointer_segment(outcome), f"a choice has no route {outcome}")
    if "routes" in node:
        _expect(routes, wanted, pointer, findings)
