/**
 * Reading the members of a definition that are neither nodes nor actions: profiles, dialects, limits, marks and what
 * is for people only. Spec: DEF-requires, DEF-dialects, DEF-ranges.
 */
import { isJsonObject } from "@swl/base";
import type { Check } from "./check.js";
import { quote } from "./findings.js";
import { anyText, ranges } from "./grammar.js";
import type { Definition, Dialects, Limits, Meta } from "./model.js";
import { dialects as dialectNames, profileNamed, profiles } from "./registry.js";
import { Members } from "./shape.js";

export function readRequires(
  top: Members,
  check: Check,
  supportedNames: readonly string[] | undefined,
): readonly string[] {
  const { findings } = check;
  const value = top.require("requires", `say "requires": ["core"]`);
  if (value === undefined) return [];
  const spot = top.spot.to("requires");
  const names = top.texts("requires", anyText) ?? [];
  const supported = supportedNames ?? profiles.map((profile) => profile.name);
  names.forEach((name, index) => {
    const profile = profileNamed(name);
    if (profile === undefined) {
      const hint = findings.suggest(
        name,
        profiles.map((known) => known.name),
      );
      findings.error(
        "definition.profile-unknown",
        `there is no profile ${quote(name)}`,
        spot.to(index),
        hint,
      );
    } else if (!profile.built || !supported.includes(name)) {
      findings.error(
        "definition.profile-unsupported",
        `the profile ${quote(name)} is not supported here`,
        spot.to(index),
      );
    }
    check.listed.add(name);
  });
  if (Array.isArray(value) && !names.includes("core")) {
    findings.error("definition.profile-missing", `"requires" contains "core"`, spot);
  }
  return [...names].sort();
}

export function readDialects(top: Members, check: Check): Dialects | undefined {
  const value = top.require("dialects", `say "dialects": {"numbers": "binary64", "expressions": "minimal"}`);
  const spot = top.spot.to("dialects");
  const said =
    value === undefined
      ? undefined
      : Members.read(value, spot, check.findings, ["schema", "numbers", "expressions"]);
  if (!said) return undefined;
  const rule = (known: readonly string[]) =>
    ({
      code: "definition.dialect",
      expected: known.join(" or "),
      test: (text: string) => known.includes(text),
    }) as const;
  const schema = said.text("schema", rule([dialectNames.schema]));
  const numbers = said.text("numbers", rule(dialectNames.numbers), true);
  const expressions = said.text("expressions", rule(dialectNames.expressions), true);
  if (expressions === "jsonlogic") {
    check.profile("expressions-jsonlogic", `the dialect "jsonlogic"`, spot.to("expressions"));
  }
  if (numbers === undefined || expressions === undefined) return undefined;
  const rest = { numbers, expressions, ...said.extensions() } as Dialects;
  return schema === undefined ? rest : { schema: dialectNames.schema, ...rest };
}

/** A schema has a meaning only in a declared dialect. */
export function checkSchemaDialect(top: Members, check: Check, dialects: Dialects | undefined): void {
  if (!check.firstSchema || !dialects || saysSchema(top)) return;
  const message = `a schema appears at ${quote(check.firstSchema.pointer())}, but "dialects" declares no "schema"`;
  const hint = `say "schema": "${dialectNames.schema}"`;
  check.findings.error("definition.dialect", message, top.spot.to("dialects"), hint);
}

function saysSchema(top: Members): boolean {
  const dialects = top.get("dialects");
  return isJsonObject(dialects) && Object.hasOwn(dialects, "schema");
}

export function readLimits(top: Members, check: Check): Limits {
  const value = top.get("limits");
  const names = ["maxActivations", "maxNodeVisits", "maxInternalTransitions"];
  const said =
    value === undefined ? undefined : Members.read(value, top.spot.to("limits"), check.findings, names);
  const maxNodeVisits = said?.integer("maxNodeVisits", ranges.maxNodeVisits);
  return {
    maxActivations: said?.integer("maxActivations", ranges.maxActivations) ?? 100_000,
    ...(maxNodeVisits !== undefined && { maxNodeVisits }),
    maxInternalTransitions: said?.integer("maxInternalTransitions", ranges.maxInternalTransitions) ?? 1_000,
    ...said?.extensions(),
  };
}

export function readSensitive(top: Members, check: Check): Definition["sensitive"] {
  const value = top.get("sensitive");
  if (value === undefined) return undefined;
  const spot = top.spot.to("sensitive");
  const said = Members.read(value, spot, check.findings, ["input"]);
  const input = said?.get("input");
  return {
    ...(input !== undefined && { input: check.pointers(input, spot.to("input")) }),
    ...said?.extensions(),
  };
}

export function readMeta(top: Members, check: Check): Meta | undefined {
  const value = top.get("meta");
  if (value === undefined) return undefined;
  const spot = top.spot.to("meta");
  const said = Members.read(value, spot, check.findings, ["title", "description", "labels", "layout"]);
  if (!said) return undefined;
  said.text("title", anyText);
  said.text("description", anyText);
  for (const [node, label] of Object.entries(said.object("labels") ?? {})) {
    if (typeof label === "string") continue;
    check.findings.error("definition.type", "a label is a text", spot.to("labels").to(node));
  }
  return said.value as Meta;
}
