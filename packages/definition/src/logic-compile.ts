/**
 * Compiles rules of the dialect `jsonlogic`: operators and the number of their arguments are checked once, and parts
 * without operators become constants. Finds everything in one pass. Spec: DEF-logic, DEF-logic-operators.
 */
import {
  type Code,
  excerpt,
  type Json,
  type JsonObject,
  nearest,
  pointerTo,
  quoted,
  SwlError,
} from "@swl/base";
import { countProblem, type OperatorName, operatorNamed, operatorNames } from "./logic-operators.js";
import type { PathSegment } from "./mapping-compile.js";

/** Parts of a rule, shared ones counted each time: as many as a document has values. */
const maxParts = 10_000_000;
/** Problems that are listed, and those of them that get a near name. */
const maxProblems = 10_000;
const maxNear = 100;

/** Levels of lists and operators that a rule may have. */
export const maxLogicDepth = 64;

export type Op =
  | { readonly op: "value"; readonly value: Json }
  | { readonly op: "list"; readonly items: readonly Op[] }
  | {
      readonly op: "call";
      readonly name: OperatorName;
      readonly args: readonly Op[];
      /** Where it stands in the rule. */
      readonly pointer: string;
    };

/** What is wrong with a rule, and where. */
export interface LogicProblem {
  readonly code: Extract<Code, `logic.${string}`>;
  readonly message: string;
  /** JSON Pointer into the rule. */
  readonly pointer: string;
}

/** A path that a rule reads of the whole context, where it is written out. */
export interface LogicRead {
  readonly path: readonly PathSegment[];
  /** Of the operator that reads it. */
  readonly pointer: string;
}

const nothing: Op = { op: "value", value: null };

export class LogicCompiler {
  readonly problems: LogicProblem[] = [];
  readonly reads: LogicRead[] = [];
  #depth = 0;
  #parts = 0;
  /** How many operators around have given `var` another context. */
  #inside = 0;

  compile(rule: Json, pointer: string): Op {
    if (typeof rule !== "object" || rule === null) return { op: "value", value: rule };
    if (++this.#parts > maxParts) {
      throw new SwlError("logic.too-costly", `a rule has at most ${maxParts} parts`, { pointer });
    }
    if (this.#depth >= maxLogicDepth) {
      return this.#problem("logic.too-deep", `a rule has at most ${maxLogicDepth} levels`, pointer);
    }
    this.#depth++;
    const op = Array.isArray(rule) ? this.#list(rule, pointer) : this.#call(rule as JsonObject, pointer);
    this.#depth--;
    return op;
  }

  #list(rules: readonly Json[], pointer: string): Op {
    const items = rules.map((rule, index) => this.compile(rule, pointerTo(pointer, index)));
    const constant = items.every((item) => item.op === "value");
    return constant ? { op: "value", value: items.map((item) => item.value) } : { op: "list", items };
  }

  #call(rule: JsonObject, pointer: string): Op {
    const [name, ...more] = Object.keys(rule);
    if (name === undefined) return { op: "value", value: rule };
    if (more.length > 0) {
      const message = `an operator is the only key of its object, found ${more.length + 1} keys`;
      return this.#problem("logic.operator", message, pointer);
    }
    const operator = operatorNamed(name);
    const at = pointerTo(pointer, name);
    if (!operator) {
      const near = this.problems.length < maxNear ? nearest(name, operatorNames) : undefined;
      const hint = near === undefined ? "" : `; did you mean ${quoted(near)}?`;
      return this.#problem(
        "logic.operator",
        `${quoted(name)} is not an operator of the dialect jsonlogic${hint}`,
        at,
      );
    }
    const said = rule[name]!;
    if (!Array.isArray(said) && operator.takes !== "eager") {
      return this.#problem("logic.arguments", `${quoted(name)} takes a list of arguments`, at);
    }
    const args = this.#args(name as OperatorName, said, at);
    const wrong = countProblem(operator, args.length) ?? nullProblem(name, args);
    if (wrong !== undefined) return this.#problem("logic.arguments", `${quoted(name)} ${wrong}`, at);
    this.#note(name, args, at);
    return { op: "call", name: name as OperatorName, args, pointer: at };
  }

  #args(name: OperatorName, said: Json, pointer: string): readonly Op[] {
    if (!Array.isArray(said)) return [this.compile(said, pointer)];
    const hasBody = operatorNamed(name)?.takes === "each";
    return said.map((arg: Json, index) => {
      const body = hasBody && index === 1;
      if (body) this.#inside++;
      const op = this.compile(arg, pointerTo(pointer, index));
      if (body) this.#inside--;
      return op;
    });
  }

  /** Notes a path that is written out and read of the whole context. */
  #note(name: string, args: readonly Op[], pointer: string): void {
    if (this.#inside > 0 || (name !== "var" && name !== "val")) return;
    const path = name === "var" ? staticPath(args[0]) : args.map(constantOf);
    if (path?.every((segment) => typeof segment === "string" || typeof segment === "number")) {
      this.reads.push({ path, pointer });
    }
  }

  #problem(code: LogicProblem["code"], message: string, pointer: string): Op {
    if (this.problems.length < maxProblems)
      this.problems.push({ code, message: excerpt(message, 300), pointer });
    return nothing;
  }
}

/** Going over nothing that is written out is a mistake; a list that is missing at run time is an empty one. */
function nullProblem(name: string, args: readonly Op[]): string | undefined {
  if (name !== "map" && name !== "filter" && name !== "reduce") return undefined;
  return args[0] === undefined || constantOf(args[0]) === null || constantOf(args[1]!) === null
    ? "goes over a list with a rule, found null"
    : undefined;
}

function constantOf(op: Op): Json | undefined {
  return op.op === "value" ? op.value : undefined;
}

function staticPath(op: Op | undefined): readonly PathSegment[] | undefined {
  const path = op && constantOf(op);
  if (typeof path === "number") return [path];
  return typeof path === "string" && path !== "" ? path.split(".") : undefined;
}
