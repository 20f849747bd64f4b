"""The stdio subject (CNF-stdio-subject): one JSON object a line, answered one line each, in their order."""

from __future__ import annotations

import json
import sys
import threading
from typing import BinaryIO

from .canonical import Json
from .definition.prepare import EXECUTED, prepare
from .engine.state import State
from .engine.transition import transition
from .numbers import read_constant, read_decimal, read_integer
from .schema import KEYWORDS

NAME = "swl-python"
MAX_BYTES = 16 * 1024 * 1024
LEVELS = 20_000
STACK = 128 * 1024 * 1024

_read = json.JSONDecoder(parse_int=read_integer, parse_float=read_decimal, parse_constant=read_constant).decode


def answer(request: Json) -> dict[str, Json]:
    """What is answered to one request, without its id."""
    if type(request) is not dict:
        return _wrong("a request is an object")
    wanted = request.get("do")
    if wanted == "hello":
        claims = ["execution", *EXECUTED]
        return {"ok": True, "value": {"name": NAME, "claims": claims, "keywords": KEYWORDS}}
    if wanted not in ("prepare", "trace"):
        return _wrong("this engine does hello, prepare and trace")
    model = prepare(request.get("definition"))
    if type(model) is list:
        return {"ok": False, "findings": model}
    if wanted == "prepare":
        return {"ok": True}
    events = request.get("events")
    if type(events) is not list:
        return _wrong("events is a list")
    state, steps = State(), []
    for event in events:
        state, step = transition(model, state, event)
        steps.append(step)
    return {"ok": True, "value": steps}


def _wrong(what: str) -> dict[str, Json]:
    return {"ok": False, "error": what}


def respond(line: bytes) -> bytes:
    """The line that answers a line; nothing that stands in it ends the subject."""
    request: Json = None
    try:
        request = _read(line.decode("utf-8"))
        told = answer(request)
        text = _line(request, told)
        if len(text) <= MAX_BYTES:
            return text
        told = _wrong("the answer is larger than 16 MiB")
    except Exception as wrong:  # whatever goes wrong is told, and the next request is answered
        told = _wrong(f"{type(wrong).__name__}: {wrong}"[:1000])
    return _line(request, told)


def _line(request: Json, told: dict[str, Json]) -> bytes:
    identity = request.get("id") if type(request) is dict else None
    return json.dumps({"id": identity, **told}, separators=(",", ":")).encode("ascii") + b"\n"


def serve(source: BinaryIO, target: BinaryIO) -> None:
    """Answers until the input ends."""
    for line in iter(source.readline, b""):
        if line.strip():
            target.write(respond(line))
            target.flush()


def main() -> None:
    """Serves standard input, with room for values that are deeply nested."""
    sys.setrecursionlimit(LEVELS)
    threading.stack_size(STACK)
    server = threading.Thread(target=serve, args=(sys.stdin.buffer, sys.stdout.buffer))
    server.start()
    server.join()
