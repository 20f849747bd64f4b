"""Findings of a definition, and the small readers that make them (EXE-prepare, CNF-finding-shape)."""

from __future__ import annotations

import re
from collections.abc import Iterable

from ..canonical import Json, in_order, pointer_segment
from ..mapping import check_mapping
from ..numbers import is_integer
from ..schema import Schema, compile_schema

ID = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")
OUTCOME = re.compile(r"[a-z][a-z0-9-]{0,63}")
DAY = 86_400_000
YEAR = 365 * DAY


class Findings:
    """Collects what is wrong with one definition; nothing is thrown for any JSON."""

    def __init__(self, requires: frozenset[str], node_ids: set[str]) -> None:
        self.requires = requires
        self.node_ids = node_ids
        self.found: list[dict[str, str]] = []

    def tell(self, code: str, pointer: str, message: str) -> None:
        self.found.append({"code": code, "severity": "error", "message": message, "pointer": pointer})

    def invalid(self, pointer: str, message: str) -> None:
        self.tell("definition.invalid", pointer, message)

    def needs(self, profile: str, pointer: str) -> None:
        """What belongs to a profile stands only where it is listed."""
        if profile not in self.requires:
            self.tell("definition.profile-missing", pointer, f"this needs the profile {profile} in requires")

    def object(
        self, value: Json, pointer: str, members: Iterable[str], required: Iterable[str] = ()
    ) -> dict[str, Json]:
        """An object of fixed form; an empty one where it is none."""
        if type(value) is not dict:
            self.invalid(pointer, "this is an object")
            return {}
        allowed = set(members).union(required)
        for name in in_order(value):
            if name not in allowed and not name.startswith("x-"):
                self.invalid(pointer + pointer_segment(name), f"there is no member {name} here")
        for name in required:
            if name not in value:
                self.invalid(pointer, f"the member {name} is missing")
        return value

    def named(self, value: Json, pointer: str, names: re.Pattern[str]) -> dict[str, Json]:
        """An object whose names the author chose; only members with a good name are answered."""
        if type(value) is not dict:
            self.invalid(pointer, "this is an object")
            return {}
        good = {}
        for name, member in value.items():
            if names.fullmatch(name):
                good[name] = member
            else:
                self.invalid(pointer + pointer_segment(name), f"{name} is no name here")
        return good

    def marks(self, value: Json, pointer: str, by_outcome: str | None = None) -> None:
        """What is marked as sensitive: an engine keeps state whole, so the marks only must be readable."""
        if type(value) is not dict:
            self.invalid(pointer, "this is an object")
            return
        lists = {"/input": value["input"]} if "input" in value else {}
        if by_outcome is not None and by_outcome in value:
            place = f"/{by_outcome}"
            if type(value[by_outcome]) is dict:
                for outcome, marked in value[by_outcome].items():
                    lists[place + pointer_segment(outcome)] = marked
            else:
                self.invalid(pointer + place, "this is an object")
        for place, marked in lists.items():
            if type(marked) is not list or any(type(one) is not str for one in marked):
                self.invalid(pointer + place, "this is a list of texts")

    def integer(self, value: Json, pointer: str, least: int, most: int) -> int:
        if not is_integer(value) or not least <= value <= most:
            self.invalid(pointer, f"this is an integer from {least} to {most}")
            return least
        return value

    def text(self, value: Json, pointer: str, form: re.Pattern[str] | None = None) -> str:
        if type(value) is not str or (form is not None and not form.fullmatch(value)):
            self.invalid(pointer, "this is a text" if form is None else f"this is a text of the form {form.pattern}")
            return ""
        return value

    def one_of(self, value: Json, pointer: str, values: tuple[str, ...]) -> str:
        if type(value) is not str or value not in values:
            self.invalid(pointer, f"this is one of {', '.join(values)}")
            return values[0]
        return value

    def schema(self, holder: dict[str, Json], name: str, pointer: str) -> Schema | None:
        """The schema in a member, None where there is none."""
        if name not in holder:
            return None
        return compile_schema(holder[name], pointer + pointer_segment(name), self.tell)

    def mapping(self, value: Json, pointer: str) -> Json:
        check_mapping(value, pointer, self.node_ids, self.invalid)
        return value
