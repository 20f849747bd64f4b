"""Action contracts as the engine reads them (DEF-contract, DEF-retry, DEF-ranges)."""

from __future__ import annotations

import re

from ..canonical import Json, in_order
from ..schema import Schema
from .findings import OUTCOME, YEAR, Findings
from .model import RESERVED, Action

EFFECTS = ("pure", "read-only", "idempotent", "unsafe", "reconcilable")
OPTIONAL = (
    "version", "title", "description", "inputSchema", "parametersSchema",
    "timeouts", "limits", "sensitive", "onExhausted",
)  # fmt: skip
REQUIRED = ("outcomes", "effect", "retry", "capabilities", "deferred", "cancellation")
RETRY = ("maxAttempts", "initialDelayMs", "backoff", "maxDelayMs", "jitter")
GIB = 2**30
VERSION = re.compile(r".{1,64}", re.DOTALL)


def read_action(name: str, value: Json, pointer: str, findings: Findings) -> tuple[Action, Schema | None]:
    """A contract, and what the static parameters of its activities have to fit."""
    contract = findings.object(value, pointer, OPTIONAL, REQUIRED)
    effect = "pure"
    if "effect" in contract:
        effect = findings.one_of(contract["effect"], pointer + "/effect", EFFECTS)
    if effect == "reconcilable":
        findings.needs("reconciliation", pointer + "/effect")
    _operations(contract, pointer, findings)
    if "sensitive" in contract:
        findings.marks(contract["sensitive"], pointer + "/sensitive", "outputs")
    for member in ("title", "description"):
        if member in contract:
            findings.text(contract[member], f"{pointer}/{member}")
    if "version" in contract:
        findings.text(contract["version"], pointer + "/version", VERSION)
    on_exhausted = "park"
    if "onExhausted" in contract:
        on_exhausted = findings.one_of(contract["onExhausted"], pointer + "/onExhausted", ("park", "fail"))
        if effect != "idempotent":
            findings.invalid(pointer + "/onExhausted", "onExhausted belongs to idempotent actions")
    limits = findings.object(contract.get("limits", {}), pointer + "/limits", ("maxInputBytes", "maxOutputBytes"))
    timeouts = findings.object(contract.get("timeouts", {}), pointer + "/timeouts", ("attemptMs", "operationMs"))
    numbers = {
        member: findings.integer(holder[member], f"{pointer}/{place}/{member}", 1, most)
        for holder, place, most in ((limits, "limits", GIB), (timeouts, "timeouts", YEAR))
        for member in ("maxInputBytes", "maxOutputBytes", "attemptMs", "operationMs")
        if member in holder
    }
    retry = _retry(contract.get("retry"), pointer + "/retry", findings) if "retry" in contract else {}
    outcomes = _outcomes(contract["outcomes"], pointer + "/outcomes", findings) if "outcomes" in contract else {}
    action = Action(
        name=name,
        effect=effect,
        outcomes=outcomes,
        declared=in_order(outcomes),
        max_attempts=retry.get("maxAttempts", 1),
        initial_delay=retry.get("initialDelayMs", 0),
        max_delay=retry.get("maxDelayMs", 0),
        exponential=retry.get("backoff") == "exponential",
        jitter=retry.get("jitter") == "full",
        on_exhausted=on_exhausted,
        operation_ms=numbers.get("operationMs"),
        input_schema=findings.schema(contract, "inputSchema", pointer),
        max_input_bytes=numbers.get("maxInputBytes"),
        max_output_bytes=numbers.get("maxOutputBytes"),
    )
    return action, findings.schema(contract, "parametersSchema", pointer)


def _operations(contract: dict[str, Json], pointer: str, findings: Findings) -> None:
    """Capabilities, `deferred` and `cancellation`."""
    if "deferred" in contract:
        if type(contract["deferred"]) is not bool:
            findings.invalid(pointer + "/deferred", "this is true or false")
        elif contract["deferred"]:
            findings.needs("deferred-actions", pointer + "/deferred")
    if "cancellation" in contract:
        cancellation = findings.one_of(contract["cancellation"], pointer + "/cancellation", ("none", "requestable"))
        if cancellation == "requestable":
            findings.needs("cancellation-acks", pointer + "/cancellation")
    names = contract.get("capabilities", [])
    if type(names) is not list or not all(type(name) is str for name in names):
        findings.invalid(pointer + "/capabilities", "this is a list of texts")


def _retry(value: Json, pointer: str, findings: Findings) -> dict[str, Json]:
    retry = findings.object(value, pointer, (), RETRY)
    read: dict[str, Json] = {}
    if "maxAttempts" in retry:
        read["maxAttempts"] = findings.integer(retry["maxAttempts"], pointer + "/maxAttempts", 1, 1000)
    for member in ("initialDelayMs", "maxDelayMs"):
        if member in retry:
            read[member] = findings.integer(retry[member], f"{pointer}/{member}", 0, YEAR)
    for member, values in (("backoff", ("fixed", "exponential")), ("jitter", ("none", "full"))):
        if member in retry:
            read[member] = findings.one_of(retry[member], f"{pointer}/{member}", values)
    return read


def _outcomes(value: Json, pointer: str, findings: Findings) -> dict[str, Schema | None]:
    outcomes = findings.named(value, pointer, OUTCOME)
    if type(value) is dict and not 1 <= len(value) <= 256:
        findings.invalid(pointer, "an action has 1 to 256 outcomes")
    read: dict[str, Schema | None] = {}
    for name, outcome in outcomes.items():
        place = f"{pointer}/{name}"
        if name in RESERVED:
            findings.invalid(place, f"{name} is a reserved route")
        read[name] = findings.schema(findings.object(outcome, place, ("outputSchema",)), "outputSchema", place)
    return read
