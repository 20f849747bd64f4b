/**
 * The operators of the dialect `jsonlogic`, as data: how many arguments each takes, and how it looks at them.
 * Spec: DEF-logic-operators.
 */

export interface Operator {
  readonly min: number;
  readonly max: number;
  /**
   * `eager`: each argument once, before the operator; one that is no list may stand for a list of one. `lazy`: a list
   * of which only what is needed is evaluated. `each`: a list of which the second is evaluated for every item.
   */
  readonly takes: "eager" | "lazy" | "each";
}

const any = Number.POSITIVE_INFINITY;
const eager = (min: number, max: number): Operator => ({ min, max, takes: "eager" });
const lazy = (min: number, max: number): Operator => ({ min, max, takes: "lazy" });
const each = (min: number, max: number): Operator => ({ min, max, takes: "each" });

export const operators = {
  var: eager(0, 2),
  val: eager(0, any),
  missing: eager(0, any),
  missing_some: eager(2, 2),
  if: lazy(0, any),
  "?:": lazy(0, any),
  and: lazy(0, any),
  or: lazy(0, any),
  "!": eager(1, 1),
  "!!": eager(1, 1),
  "==": lazy(2, any),
  "===": lazy(2, any),
  "!=": eager(2, 2),
  "!==": eager(2, 2),
  "<": lazy(2, any),
  "<=": lazy(2, any),
  ">": lazy(2, any),
  ">=": lazy(2, any),
  "+": eager(0, any),
  "*": eager(0, any),
  "-": eager(1, any),
  "/": eager(1, any),
  "%": eager(2, any),
  min: eager(1, any),
  max: eager(1, any),
  cat: eager(0, any),
  substr: eager(2, 3),
  in: eager(2, 2),
  merge: eager(0, any),
  map: each(2, 2),
  filter: each(2, 2),
  all: each(2, 2),
  none: each(2, 2),
  some: each(2, 2),
  reduce: each(2, 3),
} as const satisfies { readonly [name: string]: Operator };

export type OperatorName = keyof typeof operators;

export const operatorNames: readonly OperatorName[] = Object.keys(operators) as OperatorName[];

export function operatorNamed(name: string): Operator | undefined {
  return Object.hasOwn(operators, name) ? operators[name as OperatorName] : undefined;
}

/** Why so many arguments are wrong for an operator; `undefined` when they are right. */
export function countProblem({ min, max }: Operator, count: number): string | undefined {
  if (count >= min && count <= max) return undefined;
  const most = max === any ? " or more" : max === min ? "" : ` to ${max}`;
  return `takes ${min}${most} ${min === 1 && most === "" ? "argument" : "arguments"}, found ${count}`;
}
