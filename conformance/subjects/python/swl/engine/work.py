"""One transition while it is made: the copy of the state, and what is told, authorized and taken meanwhile."""

from __future__ import annotations

from dataclasses import dataclass

from ..canonical import Json
from ..definition.model import Model, Node
from .state import State


class Impossible(Exception):
    """The event cannot arise in a host which keeps its contract (EXE-transition)."""


@dataclass(slots=True, frozen=True)
class Effect:
    """What an event did. With `none` it says why, and whether the event is refused."""

    kind: str
    code: str = ""
    refuse: bool = False

    def data(self) -> dict[str, Json]:
        if self.kind != "none":
            return {"kind": self.kind}
        return {"kind": "none", "code": self.code, "message": f"no effect: {self.code}", "refuse": self.refuse}


APPLIED = Effect("applied")
BUFFERED = Effect("buffered")
STALE = Effect("none", "event.stale")
EVIDENCE = Effect("none", "event.evidence")


def refused(code: str) -> Effect:
    return Effect("none", code, True)


class Work:
    """The state that becomes, with the step that tells of it."""

    __slots__ = ("came", "commands", "diagnostics", "edges", "entered", "event", "model", "state", "taking")

    def __init__(self, model: Model, state: State, event: dict[str, Json]) -> None:
        self.model = model
        self.state = state
        self.event = event
        self.commands: list[dict[str, Json]] = []
        self.diagnostics: list[dict[str, Json]] = []
        self.edges: list[dict[str, Json]] = []
        self.entered = 0
        """Nodes entered for this event (EXE-limits)."""
        self.came: dict[str, Json] | None = None
        """The edge taken into the node that is entered (EXE-mapping-context)."""
        self.taking: dict[str, Json] | None = None
        """The same edge, listed once its node is entered."""

    def tell(self, code: str, node: str | None = None, severity: str = "warning") -> None:
        """A diagnostic."""
        finding = {"code": code, "severity": severity, "message": f"told: {code}", "pointer": ""}
        if node is not None:
            finding["node"] = node
        self.diagnostics.append(finding)

    def command(self, kind: str, **members: Json) -> None:
        self.commands.append({"kind": kind, **members})

    def here(self) -> Node:
        """The node that the run stands on."""
        return self.model.nodes[self.state.node]


def error(code: str, message: str, details: Json) -> dict[str, Json]:
    """An error that the model makes."""
    return {"code": code, "message": message, "details": details}
