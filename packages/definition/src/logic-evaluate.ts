/**
 * One evaluation of a compiled rule: every step is counted, and the first failure ends it. `undefined` stands for a
 * failure, never for a value. Spec: EXE-choice, EXE-logic-values.
 */
import { type Json, quoted } from "@swl/base";
import type { LogicProblem, Op } from "./logic-compile.js";
import { eagerOperators } from "./logic-eager.js";
import { type Scope, scopeOf } from "./logic-scope.js";
import { isEqual, isSame, isTrue, order } from "./logic-values.js";

type Call = Extract<Op, { op: "call" }>;

/** Characters of a text that cost a step. */
const charactersPerStep = 64;

export class LogicEvaluation {
  readonly #maxSteps: number;
  steps = 0;
  failure: LogicProblem | undefined;

  constructor(maxSteps: number) {
    this.#maxSteps = maxSteps;
  }

  evaluate(op: Op, scope: Scope): Json | undefined {
    if (!this.spend(1, op.op === "call" ? op.pointer : "")) return undefined;
    if (op.op === "value") return op.value;
    return op.op === "list" ? this.#all(op.items, scope) : this.#call(op, scope);
  }

  /** False when the budget is used up; then the failure is noted. */
  spend(steps: number, pointer: string): boolean {
    this.steps += steps;
    if (this.steps <= this.#maxSteps) return true;
    this.fail("logic.too-costly", `the rule takes more than ${this.#maxSteps} steps`, pointer);
    return false;
  }

  /** Spends what reading texts costs; nothing for other values. */
  spendTexts(values: readonly Json[], pointer: string): boolean {
    let steps = 0;
    for (const value of values) {
      if (typeof value === "string") steps += Math.floor(value.length / charactersPerStep);
    }
    return this.spend(steps, pointer);
  }

  fail(code: LogicProblem["code"], message: string, pointer: string): undefined {
    this.failure ??= { code, message, pointer };
  }

  #all(ops: readonly Op[], scope: Scope): Json[] | undefined {
    const values: Json[] = [];
    for (const op of ops) {
      const value = this.evaluate(op, scope);
      if (value === undefined) return undefined;
      values.push(value);
    }
    return values;
  }

  #call(call: Call, scope: Scope): Json | undefined {
    switch (call.name) {
      case "if":
      case "?:":
        return this.#if(call, scope);
      case "and":
        return this.#until(call, scope, false);
      case "or":
        return this.#until(call, scope, true);
      case "==":
      case "===":
      case "<":
      case "<=":
      case ">":
      case ">=":
        return this.#chain(call, scope);
      case "map":
      case "filter":
      case "reduce":
      case "all":
      case "none":
      case "some":
        return this.#each(call, scope);
      default: {
        const args = this.#all(call.args, scope);
        if (args === undefined || !this.spendTexts(args, call.pointer)) return undefined;
        return eagerOperators[call.name](args, { run: this, scope, call });
      }
    }
  }

  #if(call: Call, scope: Scope): Json | undefined {
    const { args } = call;
    let index = 0;
    for (; index + 1 < args.length; index += 2) {
      const condition = this.evaluate(args[index]!, scope);
      if (condition === undefined) return undefined;
      if (isTrue(condition)) return this.evaluate(args[index + 1]!, scope);
    }
    return index < args.length ? this.evaluate(args[index]!, scope) : null;
  }

  /** The first value that is true (or false), else the last; false when there is none. */
  #until(call: Call, scope: Scope, end: boolean): Json | undefined {
    let value: Json | undefined = false;
    for (const arg of call.args) {
      value = this.evaluate(arg, scope);
      if (value === undefined || isTrue(value) === end) return value;
    }
    return value;
  }

  /** Whether each two neighbours keep the relation; those after the first that do not are never looked at. */
  #chain(call: Call, scope: Scope): Json | undefined {
    let left = this.evaluate(call.args[0]!, scope);
    for (let index = 1; index < call.args.length; index++) {
      if (left === undefined) return undefined;
      const right = this.evaluate(call.args[index]!, scope);
      if (right === undefined || !this.spendTexts([left, right], call.pointer)) return undefined;
      const kept = this.#keeps(call, left, right);
      if (!kept) return kept;
      left = right;
    }
    return true;
  }

  #keeps(call: Call, left: Json, right: Json): boolean | undefined {
    if (call.name === "==") return this.comparable(isEqual(left, right), call);
    if (call.name === "===") return this.comparable(isSame(left, right), call);
    const sign = this.comparable(order(left, right), call);
    if (sign === undefined) return undefined;
    if (sign === 0) return call.name === "<=" || call.name === ">=";
    return sign < 0 === call.name.startsWith("<");
  }

  /** A comparison that has no answer is a failure. */
  comparable<T>(answer: T | undefined, call: Call): T | undefined {
    if (answer !== undefined) return answer;
    const message = `${quoted(call.name)} compares texts with texts, or what is a number`;
    return this.fail("logic.not-a-number", message, call.pointer);
  }

  #each(call: Call, scope: Scope): Json | undefined {
    const list = this.evaluate(call.args[0]!, scope);
    if (list === undefined) return undefined;
    const making = call.name === "map" || call.name === "filter" || call.name === "reduce";
    if (!Array.isArray(list) && !(making && list === null)) {
      return this.fail("logic.arguments", `${quoted(call.name)} goes over a list`, call.pointer);
    }
    const items: readonly Json[] = list === null ? [] : (list as readonly Json[]);
    const body = call.args[1]!;
    if (call.name === "reduce") return this.#reduce(call, items, scope);
    if (making) return this.#made(items, body, call.name === "map");
    // An item that is what is not looked for decides: `all` looks for true ones, and there has to be one.
    const wanted = call.name === "all";
    for (const item of items) {
      const value = this.evaluate(body, scopeOf(item));
      if (value === undefined) return undefined;
      if (isTrue(value) !== wanted) return call.name === "some";
    }
    return call.name === "none" || (wanted && items.length > 0);
  }

  #made(items: readonly Json[], body: Op, values: boolean): Json | undefined {
    const made: Json[] = [];
    for (const item of items) {
      const value = this.evaluate(body, scopeOf(item));
      if (value === undefined) return undefined;
      if (values) made.push(value);
      else if (isTrue(value)) made.push(item);
    }
    return made;
  }

  #reduce(call: Call, items: readonly Json[], scope: Scope): Json | undefined {
    const [, body, first] = call.args;
    let accumulator: Json | undefined = first ? this.evaluate(first, scope) : null;
    for (const current of items) {
      if (accumulator === undefined) return undefined;
      accumulator = this.evaluate(body!, scopeOf({ current, accumulator }));
    }
    return accumulator;
  }
}
