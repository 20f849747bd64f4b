/**
 * What is tested: an implementation behind one small interface. A member that is missing is an operation that the
 * subject does not offer; claiming what needs it is then a false claim, which fails. Spec: CNF-claims.
 */
import type { Json, JsonObject, Outcome } from "@swl/base";
import type { AcceptedEvent, ExecutionModel } from "@swl/execution/model";
import type { CaseOptions } from "./case.js";

/** An input file: its bytes, and the name by which findings shall call it. */
export interface SourceFile {
  readonly name: string;
  readonly bytes: Uint8Array;
}

export interface Subject {
  readonly name: string;
  /** Parts and profiles. Absent means no. */
  readonly claims: readonly string[];
  /** Keywords of JSON Schema that it checks; absent means all. */
  readonly keywords?: readonly string[];
  /** Reads JSON strictly. Needed for the phase `read`. */
  readJson?(source: SourceFile, options: CaseOptions): Answer;
  /** Reads and validates a definition: the normalized definition. Needed for the phase `validate`. */
  validateDefinition?(source: SourceFile, options: CaseOptions): Answer;
  /** Compiles a source folder, given by its absolute path: the normalized definition. Needed for `compile`. */
  compileSources?(folder: string, options: CaseOptions): Answer;
  /**
   * Reads and validates a definition and prints it: the texts of `workflow.dot` and, where there is one,
   * `settings.json`, by name. Needed for `print`.
   */
  printDefinition?(source: SourceFile, options: CaseOptions): Answer;
  /** Compiles files given as texts by name: the normalized definition. Needed for `print`: what was printed is judged by it. */
  compileFiles?(files: { readonly [name: string]: string }, options: CaseOptions): Answer;
  /** Lays a graph out: its text. Needed for `format`. */
  formatSource?(source: SourceFile, options: CaseOptions): Answer;
  /**
   * Does operations in a source folder, given by its absolute path, and writes nothing: the texts of `workflow.dot` and,
   * where there is one, `settings.json`, by name. Needed for `edit`.
   */
  editSources?(folder: string, operations: Json, options: CaseOptions): Answer;
  /** Needed for the phases `prepare` and `transition`, unless the next two are there. */
  readonly model?: ExecutionModel;
  /** Instead of a model, in another process or language: says whether a definition can be executed. */
  prepare?(definition: Json): Outcome<null> | Promise<Outcome<null>>;
  /**
   * Instead of a model: the steps of a trace, one an event, in any form of which `portableStep` makes the portable
   * one. After an impossible event the state is as it was, and the next event meets it.
   */
  trace?(
    definition: Json,
    events: readonly AcceptedEvent[],
  ): Outcome<readonly JsonObject[]> | Promise<Outcome<readonly JsonObject[]>>;
}

export type Answer = Outcome<Json> | Promise<Outcome<Json>>;
