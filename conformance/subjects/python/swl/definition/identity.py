"""The digest of a definition (DEF-identity; data page, *Definition*)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from ..canonical import Json, canonical


def digest(definition: Json) -> str:
    """`sha256:` and the hash over the semantic projection of what was given."""
    text = "swl.definition/0.1\n" + canonical(_definition(definition))
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _fixed(value: Json, without: tuple[str, ...] = (), **parts: Callable[[Json], Json]) -> Json:
    """An object of fixed form without what means nothing, its parts treated by name."""
    if type(value) is not dict:
        return value
    return {
        name: parts[name](member) if name in parts else member
        for name, member in value.items()
        if not name.startswith("x-") and name not in without
    }


def _each(treat: Callable[[Json], Json]) -> Callable[[Json], Json]:
    """What stands under names that the author chose, or in a list, one by one."""

    def treated(value: Json) -> Json:
        if type(value) is dict:
            return {name: treat(member) for name, member in value.items()}
        return [treat(member) for member in value] if type(value) is list else value

    return treated


def _node(node: Json) -> Json:
    return _fixed(node, error=_fixed, sensitive=_fixed, deadline=_fixed, cases=_each(_fixed))


def _action(action: Json) -> Json:
    return _fixed(
        action,
        ("title", "description"),
        retry=_fixed,
        timeouts=_fixed,
        limits=_fixed,
        sensitive=_fixed,
        outcomes=_each(_fixed),
    )


def _definition(definition: Json) -> Json:
    return _fixed(
        definition,
        ("$schema", "version", "meta", "hints"),
        dialects=_fixed,
        limits=_fixed,
        sensitive=_fixed,
        nodes=_each(_node),
        actions=_each(_action),
    )
