"""The canonical text of a JSON value (RFC 8785), and what is measured in UTF-16 code units or UTF-8 bytes."""

from __future__ import annotations

from collections.abc import Iterable
from json.encoder import encode_basestring
from typing import Any

from .numbers import number_text

Json = Any


def utf16(text: str) -> bytes:
    """Sort key: the order of names and texts is the order of their UTF-16 code units."""
    return text.encode("utf-16-be", "surrogatepass")


def in_order(texts: Iterable[str]) -> list[str]:
    """Texts in the order of their UTF-16 code units."""
    found = list(texts)
    if all(text.isascii() for text in found):
        return sorted(found)
    return sorted(found, key=utf16)


def units(text: str) -> int:
    """The length of a text in UTF-16 code units."""
    return len(text) if text.isascii() else len(utf16(text)) // 2


def canonical(value: Json) -> str:
    """The text of RFC 8785. Equal values, and only those, have equal texts."""
    parts: list[str] = []
    _write(value, parts.append)
    return "".join(parts)


def canonical_bytes(value: Json) -> int:
    """How many UTF-8 bytes the canonical text of a value has."""
    return len(canonical(value).encode("utf-8", "surrogatepass"))


def _write(value: Json, put: Any) -> None:
    kind = type(value)
    if kind is str:
        put(encode_basestring(value))
    elif kind is dict:
        opening = "{"
        for name in in_order(value):
            put(opening)
            put(encode_basestring(name))
            put(":")
            _write(value[name], put)
            opening = ","
        put("{}" if opening == "{" else "}")
    elif kind is list:
        opening = "["
        for item in value:
            put(opening)
            _write(item, put)
            opening = ","
        put("[]" if opening == "[" else "]")
    elif value is None:
        put("null")
    elif kind is bool:
        put("true" if value else "false")
    else:
        put(number_text(value))


def pointer_segment(key: str | int) -> str:
    """One segment of a JSON Pointer with its slash (RFC 6901)."""
    return "/" + str(key).replace("~", "~0").replace("/", "~1")
