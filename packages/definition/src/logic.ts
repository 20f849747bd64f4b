/**
 * The expression dialect `jsonlogic`: a rule is JSON in which an object with one key is an operator, and its value the
 * arguments. Compiled once, evaluated with a budget of steps; what cannot be evaluated is a coded failure that says
 * where in the rule. Own evaluator: pure, own properties only, no code is made at run time. Which tests of the
 * compatibility tables of JsonLogic pass is published in suites/json-logic.json. Spec: DEF-logic.
 */
import { type Json, SwlError } from "@swl/base";
import { LogicCompiler, type LogicProblem, type LogicRead, type Op } from "./logic-compile.js";
import { LogicEvaluation } from "./logic-evaluate.js";
import { contextScope, type Scope, scopeOf } from "./logic-scope.js";
import { isTrue } from "./logic-values.js";
import { looking } from "./looking.js";
import { maxMappingDepth, maxMappingNodes, sizeOf } from "./mapping-size.js";
import type { MappingContext } from "./mappings.js";

export type { LogicProblem, LogicRead } from "./logic-compile.js";
export { maxLogicDepth } from "./logic-compile.js";
export { operatorNames as logicOperators } from "./logic-operators.js";

/** Steps that an evaluation may take when the caller names no other number. */
export const maxLogicSteps = 1_000_000;

export type LogicResult =
  | { readonly ok: true; readonly value: Json /** What it took. */; readonly steps: number }
  | ({ readonly ok: false } & LogicProblem);

export interface LogicOptions {
  /**
   * Steps that the evaluation may take: one for every part of the rule each time it is evaluated, for every item that is
   * gone over or made, and for every 64 characters of a text that is read or made (more where it is searched). Default `maxLogicSteps`.
   */
  readonly maxSteps?: number;
}

/** A compiled rule: immutable, good for any number of evaluations. */
export interface Logic {
  /** Paths of the context that are written out in the rule, outside operators that go over lists. */
  readonly reads: readonly LogicRead[];
  /** The value of a rule without operators; absent for every other. */
  readonly constant?: Json;
  /**
   * The value of the rule in the context of a node; a missing path is null. It has at most 1,000 levels and 10,000,000
   * nodes, as a mapping has (`logic.too-costly`). Never throws.
   */
  evaluate(context: MappingContext, options?: LogicOptions): LogicResult;
  /** The same with `data` as what `var` sees. Never throws. */
  apply(data: Json, options?: LogicOptions): LogicResult;
}

/** What is wrong with a rule, at most 10,000 problems, before it is ever evaluated. Empty when `compileLogic` takes it. */
export function logicFindings(rule: Json): readonly LogicProblem[] {
  const compiler = new LogicCompiler();
  try {
    compiler.compile(rule, "");
  } catch {
    const problem = { message: "the rule cannot be read, or has too many parts", pointer: "" } as const;
    return [...compiler.problems, { code: "logic.operator", ...problem }];
  }
  return compiler.problems;
}

/**
 * Compiles a rule. Throws the first of `logicFindings`, for a rule that validation refuses, `logic.too-costly` beyond
 * 10,000,000 parts, and `json.not-json` for a value that throws when it is looked at.
 */
export function compileLogic(rule: Json): Logic {
  const compiler = new LogicCompiler();
  const root = looking("json.not-json", "the rule cannot be read", () => compiler.compile(rule, ""));
  const [problem] = compiler.problems;
  if (problem) throw new SwlError(problem.code, problem.message, { pointer: problem.pointer });
  return {
    reads: compiler.reads,
    ...(root.op === "value" && { constant: root.value }),
    evaluate: (context, options) => evaluate(root, contextScope(context), options),
    apply: (data, options) => evaluate(root, scopeOf(data), options),
  };
}

/** Whether a value counts as true: null, false, 0, the empty text and the empty list do not. */
export function isTruthy(value: Json): boolean {
  return isTrue(value);
}

function evaluate(root: Op, scope: Scope, options: LogicOptions | undefined): LogicResult {
  const evaluation = new LogicEvaluation(options?.maxSteps ?? maxLogicSteps);
  const value = evaluation.evaluate(root, scope);
  if (value === undefined) return { ok: false, ...evaluation.failure! };
  const size = sizeOf(value);
  if (size.depth > maxMappingDepth || size.nodes > maxMappingNodes) {
    // A list that holds one list twice, and so on, is made in few steps and would take for ever to be written out.
    const message = `the value has more than ${maxMappingDepth} levels or ${maxMappingNodes} nodes`;
    return { ok: false, code: "logic.too-costly", message, pointer: "" };
  }
  return { ok: true, value, steps: evaluation.steps };
}
