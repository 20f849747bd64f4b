"""EXE-prepare: a definition is compiled once, or refused with everything that is found."""

from __future__ import annotations

import json

from ..canonical import Json, in_order, pointer_segment
from .actions import VERSION, read_action
from .findings import ID, Findings
from .identity import digest
from .model import AwaitSignal, Model
from .nodes import MANY, read_node

EXECUTED = ("core", "buffered-signals", "timers")
SCHEMA = "https://json-schema.org/draft/2020-12/schema"
REQUIRED = ("swl", "id", "requires", "dialects", "start", "nodes", "limits")
OPTIONAL = ("$schema", "version", "hints", "inputSchema", "outputSchema", "sensitive", "meta", "actions")
LIMITS = ("maxActivations", "maxInternalTransitions", "maxNodeVisits", "maxBufferedSignals")
CACHED = 256

_cache: dict[str, Model | list[dict[str, str]]] = {}


def prepare(definition: Json) -> Model | list[dict[str, str]]:
    """A model, or the findings for which there is none. The same definition is prepared once."""
    key = json.dumps(definition)
    answer = _cache.get(key)
    if answer is None:
        if len(_cache) >= CACHED:
            _cache.clear()
        answer = _cache[key] = _prepare(definition)
    return answer


def _prepare(definition: Json) -> Model | list[dict[str, str]]:
    listed = definition.get("requires") if type(definition) is dict else None
    requires = frozenset(name for name in listed if type(name) is str) if type(listed) is list else frozenset()
    nodes = definition.get("nodes") if type(definition) is dict else None
    findings = Findings(requires, set(nodes) if type(nodes) is dict else set())
    if type(definition) is not dict:
        findings.invalid("", "a definition is an object")
        return findings.found
    release = definition.get("swl")
    if type(release) is str and release != "0.1":
        findings.tell("model.unsupported", "/swl", "another release of the language is not executed here")
        return findings.found
    model = _read(definition, findings)
    return findings.found or model


def _read(definition: dict[str, Json], findings: Findings) -> Model:
    findings.object(definition, "", OPTIONAL, REQUIRED)
    if "swl" in definition:
        findings.text(definition["swl"], "/swl")
    name = findings.text(definition["id"], "/id", ID) if "id" in definition else ""
    for member, form in (("version", VERSION), ("$schema", None)):
        if member in definition:
            findings.text(definition[member], "/" + member, form)
    _requires(definition, findings)
    _dialects(definition, findings)
    if "sensitive" in definition:
        findings.marks(definition["sensitive"], "/sensitive")
    limits = _limits(definition.get("limits", {}), findings)
    contracts = {
        action: read_action(action, contract, "/actions" + pointer_segment(action), findings)
        for action, contract in findings.named(definition.get("actions", {}), "/actions", ID).items()
    }
    read = {}
    for node, value in findings.named(definition.get("nodes", {}), "/nodes", ID).items():
        read[node] = read_node(node, value, "/nodes" + pointer_segment(node), contracts, findings)
    start = definition.get("start")
    if "start" in definition and (type(start) is not str or start not in findings.node_ids):
        findings.invalid("/start", "the start is a node of the definition")
    return Model(
        id=name,
        digest=digest(definition),
        start=start,
        nodes=read,
        input_schema=findings.schema(definition, "inputSchema", ""),
        output_schema=findings.schema(definition, "outputSchema", ""),
        max_activations=limits.get("maxActivations", 1),
        max_internal=limits.get("maxInternalTransitions", 1),
        max_visits=limits.get("maxNodeVisits"),
        buffer=limits.get("maxBufferedSignals", 64) if "buffered-signals" in findings.requires else None,
        signals=frozenset(node.signal for node in read.values() if type(node) is AwaitSignal),
    )


def _requires(definition: dict[str, Json], findings: Findings) -> None:
    listed = definition.get("requires", [])
    if type(listed) is not list or not all(type(name) is str for name in listed):
        findings.invalid("/requires", "requires is a list of names")
        return
    if "requires" in definition and "core" not in listed:
        findings.invalid("/requires", "requires contains core")
    for index, name in enumerate(listed):
        if name not in EXECUTED:
            message = f"the profile {name} is not executed here"
            findings.tell("definition.profile-unsupported", f"/requires/{index}", message)


def _dialects(definition: dict[str, Json], findings: Findings) -> None:
    if "dialects" not in definition:
        return
    dialects = findings.object(definition["dialects"], "/dialects", ("schema",), ("numbers", "expressions"))
    if "numbers" in dialects:
        findings.one_of(dialects["numbers"], "/dialects/numbers", ("binary64", "int53"))
    if "schema" in dialects:
        findings.one_of(dialects["schema"], "/dialects/schema", (SCHEMA,))
    if "expressions" in dialects:
        expressions = findings.text(dialects["expressions"], "/dialects/expressions")
        if expressions == "jsonlogic":
            findings.needs("expressions-jsonlogic", "/dialects/expressions")
        elif expressions not in ("minimal", ""):
            message = f"the dialect {expressions} is not executed here"
            findings.tell("model.unsupported", "/dialects/expressions", message)


def _limits(value: Json, findings: Findings) -> dict[str, int]:
    limits = findings.object(value, "/limits", LIMITS, ("maxActivations", "maxInternalTransitions"))
    ranges = {"maxInternalTransitions": 100_000, "maxBufferedSignals": 1_000}
    read = {}
    for name in in_order(set(limits).intersection(LIMITS)):
        if name == "maxBufferedSignals" and "buffered-signals" not in findings.requires:
            findings.needs("buffered-signals", "/limits/maxBufferedSignals")
            continue
        read[name] = findings.integer(limits[name], "/limits/" + name, 1, ranges.get(name, MANY))
    return read
