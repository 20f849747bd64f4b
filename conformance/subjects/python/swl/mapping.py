"""Mappings (DEF-mapping-operators, DEF-mapping-paths, EXE-mapping-context): JSON with `$get` and `$literal`."""

from __future__ import annotations

from collections.abc import Callable

from .canonical import Json, in_order, pointer_segment, units

ROOTS = ("input", "nodes", "from", "run")
MAX_LEVELS = 1_000
MAX_NODES = 10_000_000


class MappingError(Exception):
    """A mapping that has no value: a code, and for a missing path where it ends."""

    def __init__(self, code: str, path: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.path = path


def evaluate(mapping: Json, roots: dict[str, Json]) -> Json:
    """The value of a mapping. Keys are visited in UTF-16 order, which decides what is reported first."""
    return _Evaluation(roots).value(mapping, 0)


class _Evaluation:
    """One evaluation: what it reads, and how large the result has become."""

    def __init__(self, roots: dict[str, Json]) -> None:
        self.roots = roots
        self.nodes = 0
        self.measured: dict[int, tuple[int, int]] = {}

    def value(self, mapping: Json, levels: int) -> Json:
        kind = type(mapping)
        if kind is dict:
            if len(mapping) == 1:
                if "$get" in mapping:
                    return self.taken(self.get(mapping["$get"]), levels)
                if "$literal" in mapping:
                    return self.taken(mapping["$literal"], levels)
            self.enter(levels)
            made = {}
            for name in in_order(mapping):
                self.count(units(name) // 64)
                made[name] = self.value(mapping[name], levels + 1)
            return made
        if kind is list:
            self.enter(levels)
            return [self.value(item, levels + 1) for item in mapping]
        self.count(1 + (units(mapping) // 64 if kind is str else 0))
        return mapping

    def get(self, path: list[str | int]) -> Json:
        root = path[0]
        found = self.roots[root]
        for depth, key in enumerate(path[1:], 2):
            if type(found) is dict and type(key) is str and key in found:
                found = found[key]
            elif type(found) is list and type(key) is int and 0 <= key < len(found):
                found = found[key]
            else:
                raise MappingError("mapping.missing-path", "".join(pointer_segment(part) for part in path[:depth]))
        return found

    def enter(self, levels: int) -> None:
        if levels >= MAX_LEVELS:
            raise MappingError("mapping.too-deep")
        self.count(1)

    def count(self, nodes: int) -> None:
        self.nodes += nodes
        if self.nodes > MAX_NODES:
            raise MappingError("mapping.too-large")

    def taken(self, value: Json, levels: int) -> Json:
        """A value that is taken as it is, after a look at its levels and its size."""
        depth, nodes = self.measure(value)
        if levels + depth > MAX_LEVELS:
            raise MappingError("mapping.too-deep")
        self.count(nodes)
        return value

    def measure(self, value: Json) -> tuple[int, int]:
        """Levels and nodes of a value; parts that stand in it several times are looked at once."""
        kind = type(value)
        if kind is not dict and kind is not list:
            return 0, 1 + (units(value) // 64 if kind is str else 0)
        known = self.measured.get(id(value))
        if known is not None:
            return known
        depth, nodes = 0, 1
        if kind is dict:
            nodes += sum(units(name) // 64 for name in value)
        for item in value.values() if kind is dict else value:
            below, many = self.measure(item)
            depth = max(depth, below)
            nodes += many
        self.measured[id(value)] = depth + 1, nodes
        return depth + 1, nodes


def check_mapping(mapping: Json, pointer: str, node_ids: set[str], tell: Callable[[str, str], None]) -> None:
    """Tells of operators and paths that are none."""
    if type(mapping) is list:
        for index, item in enumerate(mapping):
            check_mapping(item, f"{pointer}/{index}", node_ids, tell)
    if type(mapping) is not dict:
        return
    if len(mapping) == 1 and "$literal" in mapping:
        return
    if len(mapping) == 1 and "$get" in mapping:
        trouble = _path_trouble(mapping["$get"], node_ids)
        if trouble:
            tell(pointer + "/$get", trouble)
        return
    for name in in_order(mapping):
        place = pointer + pointer_segment(name)
        if name.startswith("$"):
            tell(place, f"{name} is no operator here; an operator is the only key of its object")
        else:
            check_mapping(mapping[name], place, node_ids, tell)


def _path_trouble(path: Json, node_ids: set[str]) -> str | None:
    if type(path) is not list or not path or type(path[0]) is not str or path[0] not in ROOTS:
        return "a path is a list that begins with input, nodes, from or run"
    if not all(type(key) is str or (type(key) is int and key >= 0) for key in path[1:]):
        return "a path goes on with keys and indexes from 0"
    if path[0] == "nodes" and len(path) > 1 and not (type(path[1]) is str and path[1] in node_ids):
        return "a path into nodes names a node of the definition"
    return None
