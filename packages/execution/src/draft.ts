/**
 * One transition under construction. Rules write into a draft: head fields, slots, commands, diagnostics, edges. The
 * state it began from is never touched; what comes out is immutable. A draft lives for one call of `transition`.
 */
import type { Code, Diagnostic, Json, Severity } from "@swl/base";
import { type Head, initialHead, type MutableHead } from "./head.js";
import type { AcceptedEvent, Command, Edge, Effect, EventStamp, Transition } from "./model.js";
import type { CorePrepared, PreparedNode } from "./prepared.js";
import { Slots } from "./slots.js";

/** The state of a core run. Opaque to hosts: `toJSON` gives the portable form. */
export interface CoreState {
  readonly head: Head;
  readonly slots: Slots;
}

export const initialState: CoreState = { head: initialHead, slots: Slots.empty };

/** Slot `node:<id>`: visits so far and the latest result; `visit` is null before the first one. */
export interface NodeRecord {
  readonly visits: number;
  readonly outcome: string | null;
  readonly output: Json;
  readonly visit: number | null;
  /** Consecutive occurrences of a limited outcome. */
  readonly streak: { readonly outcome: string; readonly count: number } | null;
}

export const unvisited: NodeRecord = { visits: 0, outcome: null, output: null, visit: null, streak: null };

const applied: Effect = { kind: "applied" };
const noWrites: ReadonlyMap<string, Json | undefined> = new Map();

export class Draft {
  readonly prepared: CorePrepared;
  readonly base: CoreState;
  readonly event: EventStamp;
  readonly head: MutableHead;
  readonly commands: Command[] = [];
  readonly diagnostics: Diagnostic[] = [];
  readonly edges: Edge[] = [];
  effect: Effect = applied;
  /** Nodes entered for this event. */
  entered = 0;
  /** Steps of logic evaluated for this event. */
  steps = 0;
  #writes: Map<string, Json | undefined> | undefined;
  /** The event leaves no trace: a duplicate, or a terminal run. */
  #kept = false;
  #error: Diagnostic | undefined;

  constructor(prepared: CorePrepared, base: CoreState, event: AcceptedEvent) {
    this.prepared = prepared;
    this.base = base;
    this.event = event;
    this.head = { ...base.head };
    this.head.last = event.position;
    if (event.at > this.head.time) this.head.time = event.at;
  }

  slot(key: string): Json | undefined {
    const writes = this.#writes;
    return writes?.has(key) ? writes.get(key) : this.base.slots.get(key);
  }

  write(key: string, value: Json): void {
    this.#writes ??= new Map();
    this.#writes.set(key, value);
  }

  remove(key: string): void {
    this.#writes ??= new Map();
    this.#writes.set(key, undefined);
  }

  node({ slot }: PreparedNode): NodeRecord {
    return (this.slot(slot) as NodeRecord | undefined) ?? unvisited;
  }

  writeNode({ slot }: PreparedNode, record: NodeRecord): void {
    this.write(slot, record as unknown as Json);
  }

  note(code: Code, severity: Severity, message: string, node?: string): void {
    this.diagnostics.push(
      node === undefined
        ? { code, severity, message, pointer: "" }
        : { code, severity, message, pointer: "", node },
    );
  }

  /** The event moves nothing, and its sender is told why. */
  none(code: Code, message: string): void {
    this.note(code, "warning", message);
    this.effect = { kind: "none", code, message, refuse: false };
  }

  /** The same for an event that would have been turned away before acceptance. */
  refuse(code: Code, message: string): void {
    this.note(code, "error", message);
    this.effect = { kind: "none", code, message, refuse: true };
  }

  /** Diagnostics only: the state stays exactly as it was, the position applied included. */
  keep(): void {
    this.#kept = true;
  }

  /** A host that keeps its contract cannot have sent this. */
  impossible(message: string): void {
    this.#error = { code: "model.event-impossible", severity: "error", message, pointer: "" };
  }

  finish(): Transition<CoreState> {
    if (this.#error !== undefined) return { error: this.#error };
    const { commands, diagnostics, edges, effect } = this;
    if (this.#kept) {
      const changes = { head: this.base.head as unknown as Json, slots: noWrites };
      return { state: this.base, changes, commands, diagnostics, edges, effect };
    }
    const head: Head = this.head;
    const slots = this.#writes ?? noWrites;
    const state: CoreState = { head, slots: this.base.slots.with(slots) };
    return { state, changes: { head: head as unknown as Json, slots }, commands, diagnostics, edges, effect };
  }
}
