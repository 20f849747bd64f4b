/**
 * What the checks of one definition share: findings, the profiles it requires, and what later checks need from
 * earlier ones (schemas seen, references to other nodes).
 */
import { isJsonObject, type Json, type JsonObject, pointerSegments } from "@swl/base";
import { type Findings, kindOf, quote, type Spot } from "./findings.js";
import { operatorProblem, type PathSegment, pathProblem } from "./mappings.js";
import type { JsonSchema } from "./model.js";
import { profileNamed } from "./registry.js";
import { schemaFindings } from "./schema-check.js";

/** One `$get` of a mapping. */
export interface Reference {
  /** The node whose mapping it is. */
  readonly node: string;
  readonly path: readonly PathSegment[];
  readonly spot: Spot;
}

/** One path that a rule of a choice looks up. */
export type Lookup = Reference;

export class Check {
  readonly findings: Findings;
  /** Profiles that the definition lists and the caller supports. */
  readonly listed = new Set<string>();
  readonly references: Reference[] = [];
  readonly lookups: Lookup[] = [];
  /** The first schema met: from then on the schema dialect must be declared. */
  firstSchema: Spot | undefined;
  /** The first rule met where its profile is listed: from then on the expression dialect must be `jsonlogic`. */
  firstLogic: Spot | undefined;

  constructor(findings: Findings) {
    this.findings = findings;
  }

  /** Notes the use of a construct that belongs to a profile which is not built. */
  profile(name: string, what: string, spot: Spot): void {
    if (!this.listed.has(name)) {
      const hint = `list ${quote(name)} in "requires"`;
      this.findings.error(
        "definition.profile-missing",
        `${what} belongs to the profile ${quote(name)}`,
        spot,
        hint,
      );
    } else if (profileNamed(name)?.built === false) {
      this.findings.error("definition.profile-unsupported", `${what} is not supported here`, spot);
    }
  }

  /** Whether the member of an object, if it has it, is a JSON Schema; notes why not. */
  schema<K extends string>(holder: { readonly [key in K]?: JsonSchema }, key: K, spot: Spot): boolean {
    if (!Object.hasOwn(holder, key)) return true;
    this.firstSchema ??= spot;
    const value = holder[key];
    // What is neither an object nor true or false has been noted.
    if (value === undefined) return true;
    const problems = schemaFindings(value);
    for (const { pointer, message } of problems) {
      this.findings.error("definition.schema-invalid", message, spot.within(pointerSegments(pointer) ?? []));
    }
    return problems.length === 0;
  }

  /** Checks operators and paths of a mapping and notes what it refers to. Recursion is bounded by the reader. */
  mapping(value: Json, spot: Spot, node: string): void {
    if (Array.isArray(value)) {
      value.forEach((item: Json, index) => {
        if (holds(item)) this.mapping(item, spot.to(index), node);
      });
    } else if (isJsonObject(value)) this.#mappingObject(value, spot, node);
  }

  #mappingObject(value: JsonObject, spot: Spot, node: string): void {
    const keys = Object.keys(value);
    if (!keys.some((key) => key.startsWith("$"))) {
      for (const key of keys) {
        const inner = value[key]!;
        if (holds(inner)) this.mapping(inner, spot.to(key), node);
      }
      return;
    }
    const problem = operatorProblem(keys);
    if (problem !== undefined) {
      const unknown = keys.find((key) => key.startsWith("$") && key !== "$get" && key !== "$literal");
      const hint = unknown && this.findings.suggest(unknown, ["$get", "$literal"]);
      this.findings.error("mapping.operator", problem, spot, hint ?? `wrap plain data as {"$literal": …}`);
      return;
    }
    if (keys[0] !== "$get") return;
    const path = value["$get"]!;
    const fault = pathProblem(path);
    if (fault !== undefined) this.findings.error("mapping.path", fault, spot.to("$get"));
    else this.references.push({ node, path: path as readonly PathSegment[], spot: spot.to("$get") });
  }

  /** A mapping that must yield a text: a text, or an operator that may. */
  textMapping(value: Json, spot: Spot, node: string): void {
    this.mapping(value, spot, node);
    if (typeof value === "string") return;
    if (isJsonObject(value) && Object.hasOwn(value, "$get")) return;
    const literal = isJsonObject(value) ? value["$literal"] : undefined;
    if (typeof literal === "string") return;
    const message = `expected a text or a mapping that yields one, found ${kindOf(literal ?? value)}`;
    this.findings.error("definition.type", message, spot);
  }
}

/** Only in what holds something is anything to check, and a spot to be made. */
function holds(value: Json): boolean {
  return typeof value === "object" && value !== null;
}
