/**
 * The marked values of runs, gathered from their logs: only where the definition marks something, and each record once.
 * Spec: INV-masking.
 */
import { isJsonObject, isSwlError, type Json, type JsonObject } from "@swl/base";
import { allMarked, type Marks, marksOf, type Path, valueAt } from "./control-marks.js";
import { maskView, Secrets } from "./control-masking.js";
import type { ControlEvent, ControlPort, ControlRecord } from "./control-port.js";

interface Gathered {
  readonly marks: Marks;
  readonly secrets: Secrets;
  position: number;
}

/** Runs remembered at once. */
const most = 10_000;

/** Masks what is shown of one run. */
export type Mask = <T>(shown: T) => T;

export class Masks {
  readonly #port: ControlPort;
  readonly #runs = new Map<string, Gathered>();
  readonly #pinning = new Map<string, Promise<Marks>>();
  readonly #definitions = new WeakMap<object, Marks>();

  constructor(port: ControlPort) {
    this.#port = port;
  }

  /** `asked`: a request that is not in the log yet, and may never be: its values are masked in its own answer alone. */
  async of(run: string, asked?: ControlEvent): Promise<Mask> {
    const gathered = this.#runs.get(run) ?? (await this.#known(run));
    if (!gathered.marks.any) return (shown) => shown;
    await this.#gather(run, gathered);
    const { marks } = gathered;
    const secrets = asked === undefined ? gathered.secrets : gathered.secrets.copy();
    if (asked !== undefined) addEvent({ marks, secrets }, asked as unknown as JsonObject, undefined);
    return (shown) => maskView(shown, marks, secrets);
  }

  /** For a run that is not there yet. */
  ofStart(definition: Json, input: Json): Mask {
    const marks = this.#marks(definition);
    if (!marks.any) return (shown) => shown;
    const secrets = new Secrets();
    for (const constant of marks.constants) secrets.add(constant);
    addParts(secrets, input, marks.input);
    return (shown) => maskView(shown, marks, secrets);
  }

  /** Spares the first look at a run that was just created. */
  created(run: string, definition: Json): void {
    this.#remember(run, this.#marks(definition));
  }

  /** Many may ask at once: the definition is read for all of them. */
  async #known(run: string): Promise<Gathered> {
    const reading = this.#pinning.get(run) ?? this.#pinned(run);
    this.#pinning.set(run, reading);
    try {
      const marks = await reading;
      return this.#runs.get(run) ?? this.#remember(run, marks);
    } finally {
      if (this.#pinning.get(run) === reading) this.#pinning.delete(run);
    }
  }

  /** Of a definition that the store lost nothing is known: then no value is shown. */
  async #pinned(run: string): Promise<Marks> {
    try {
      return marksOf(await this.#port.definition(run));
    } catch (error) {
      if (isSwlError(error) && error.code === "host.definition-missing") return allMarked;
      throw error;
    }
  }

  #marks(definition: Json): Marks {
    if (!isJsonObject(definition)) return marksOf(definition);
    const known = this.#definitions.get(definition) ?? marksOf(definition);
    this.#definitions.set(definition, known);
    return known;
  }

  #remember(run: string, marks: Marks): Gathered {
    if (this.#runs.size >= most) this.#runs.delete(this.#runs.keys().next().value ?? "");
    const secrets = new Secrets();
    for (const constant of marks.constants) secrets.add(constant);
    const gathered = { marks, secrets, position: 0 };
    this.#runs.set(run, gathered);
    return gathered;
  }

  async #gather(run: string, gathered: Gathered): Promise<void> {
    for (;;) {
      const records = await this.#port.records(run, gathered.position);
      if (records.length === 0) return;
      for (const record of records) addRecord(gathered, record);
      gathered.position = records.at(-1)?.position ?? gathered.position;
    }
  }
}

function addRecord(gathered: Gathered, record: ControlRecord): void {
  if (record.input !== undefined) addParts(gathered.secrets, record.input, gathered.marks.input);
  if (record.event !== undefined) addEvent(gathered, record.event, record.node);
  for (const { event, node } of record.inherited ?? []) addEvent(gathered, event, node);
}

function addEvent(
  { marks, secrets }: Omit<Gathered, "position">,
  event: JsonObject,
  node: string | undefined,
): void {
  const { type, name } = event;
  if (type === "signal" || type === "update") {
    for (const waiter of marks.waiters.get(String(name)) ?? [])
      addResult(secrets, marks, waiter, undefined, event["payload"] ?? null);
    return;
  }
  const result = isJsonObject(event["result"]) ? event["result"] : event;
  const { outcome, output } = result;
  if (output === undefined) return;
  // Whose result it is may not be known here: then it may be anybody's.
  const nodes = node === undefined ? [...marks.results.keys()] : [node];
  for (const of of nodes)
    addResult(secrets, marks, of, typeof outcome === "string" ? outcome : undefined, output);
}

/** Without an outcome that anybody declared it may stand for any. */
function addResult(
  secrets: Secrets,
  marks: Marks,
  node: string,
  outcome: string | undefined,
  value: Json,
): void {
  const marked = marks.results.get(node);
  if (marked === undefined) return;
  for (const [of, places] of marked) {
    if (outcome === undefined || of === "*" || of === outcome || !marked.has(outcome))
      addParts(secrets, value, places);
  }
}

function addParts(secrets: Secrets, value: Json, places: readonly Path[]): void {
  for (const place of places) secrets.add(valueAt(value, place));
}
