"""JSON Schema 2020-12, as far as this engine claims it: `type`, `properties`, `required`, `enum`, `items`.

Other keywords that assert or apply something are refused when a definition is prepared (`model.unsupported`); what the
dialect does not know, and what only annotates, means nothing. A value that does not fit is answered with the places at
which it does not (data page, *Errors that the model makes*).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from .canonical import Json, canonical, in_order, pointer_segment
from .numbers import is_number, is_whole

KEYWORDS = ["type", "properties", "required", "enum", "items"]
TYPES = {"null", "boolean", "object", "array", "number", "string", "integer"}
MAX_POINTERS = 20

UNCHECKED = frozenset(
    "allOf anyOf oneOf not if then else dependentSchemas prefixItems contains minContains maxContains"
    " additionalProperties patternProperties propertyNames unevaluatedItems unevaluatedProperties const multipleOf"
    " maximum exclusiveMaximum minimum exclusiveMinimum maxLength minLength pattern maxItems minItems uniqueItems"
    " maxProperties minProperties dependentRequired $ref $dynamicRef $dynamicAnchor $vocabulary".split()
)

Tell = Callable[[str, str, str], None]


@dataclass(slots=True)
class Schema:
    """One schema, ready to be asked."""

    nothing: bool = False
    types: frozenset[str] | None = None
    enum: frozenset[str] | None = None
    required: list[str] = field(default_factory=list)
    properties: dict[str, Schema] = field(default_factory=dict)
    items: Schema | None = None

    def misfits(self, value: Json) -> list[str]:
        """The places at which a value does not fit: pointers, each once, in order, at most 20."""
        places: set[str] = set()
        self._look(value, "", places)
        return in_order(places)[:MAX_POINTERS] if places else []

    def _look(self, value: Json, place: str, places: set[str]) -> None:
        if self.nothing:
            places.add(place)
            return
        if self.types is not None and not _has_type(value, self.types):
            places.add(place)
        if self.enum is not None and canonical(value) not in self.enum:
            places.add(place)
        if type(value) is dict:
            if any(name not in value for name in self.required):
                places.add(place)
            for name, schema in self.properties.items():
                if name in value:
                    schema._look(value[name], place + pointer_segment(name), places)
        elif type(value) is list and self.items is not None:
            for index, item in enumerate(value):
                self.items._look(item, f"{place}/{index}", places)


def _has_type(value: Json, types: frozenset[str]) -> bool:
    if value is None:
        return "null" in types
    kind = type(value)
    if kind is bool:
        return "boolean" in types
    if kind is dict:
        return "object" in types
    if kind is list:
        return "array" in types
    if kind is str:
        return "string" in types
    return is_number(value) and ("number" in types or ("integer" in types and is_whole(value)))


def compile_schema(schema: Json, pointer: str, tell: Tell) -> Schema:
    """A schema ready to be asked. `tell(code, pointer, message)` hears of everything that stands in the way."""
    if type(schema) is bool:
        return Schema(nothing=not schema)
    if type(schema) is not dict:
        tell("definition.invalid", pointer, "a schema is an object, true or false")
        return Schema()
    made = Schema()
    for name in in_order(schema):
        if name in UNCHECKED:
            tell("model.unsupported", pointer + pointer_segment(name), f"the schema keyword {name} is not checked here")
    if "type" in schema:
        wanted = schema["type"] if type(schema["type"]) is list else [schema["type"]]
        known = all(type(name) is str and name in TYPES for name in wanted)
        if known and wanted and len(set(wanted)) == len(wanted):
            made.types = frozenset(wanted)
        else:
            tell("definition.invalid", pointer + "/type", "a type is the name of one, or a list of different ones")
    if "enum" in schema:
        if type(schema["enum"]) is list:
            made.enum = frozenset(canonical(value) for value in schema["enum"])
        else:
            tell("definition.invalid", pointer + "/enum", "enum is a list")
    if "required" in schema:
        names = schema["required"]
        if type(names) is list and all(type(name) is str for name in names) and len(set(names)) == len(names):
            made.required = names
        else:
            tell("definition.invalid", pointer + "/required", "required is a list of different names")
    if "properties" in schema:
        if type(schema["properties"]) is dict:
            for name, inner in schema["properties"].items():
                place = f"{pointer}/properties{pointer_segment(name)}"
                made.properties[name] = compile_schema(inner, place, tell)
        else:
            tell("definition.invalid", pointer + "/properties", "properties is an object")
    if "items" in schema:
        made.items = compile_schema(schema["items"], pointer + "/items", tell)
    return made
