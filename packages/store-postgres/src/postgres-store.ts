/**
 * The durable store on PostgreSQL: any number of processes and machines on one schema. An accepted append has been
 * flushed to the server's disk when its answer comes; a commit is one statement. Leases are decided by the server's
 * clock. Spec: docs/spec/store-provider.md.
 */
import {
  assembleStore,
  type Codec,
  createDocuments,
  type Documents,
  plainCodec,
  resolveLimits,
  type Store,
  type StoreCore,
  type StoreInfo,
  type StoreLimits,
  storeError,
} from "@swl/store-provider";
import { type Appending, append } from "./append.js";
import { check } from "./check.js";
import { connect } from "./database.js";
import * as holders from "./holders.js";
import { openSchema } from "./open-schema.js";
import { statementBytes } from "./portions.js";
import { type Pruning, prune } from "./prune.js";
import { createFolding } from "./slots.js";
import { stats } from "./stats.js";
import * as streams from "./streams.js";
import { createWakeUps } from "./wake-ups.js";
import * as work from "./work.js";

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:port/database`; parameters as the driver `pg` knows them (`?sslmode=require`). */
  readonly url: string;
  /** The schema that belongs to the store, made when it is missing: `[a-z_][a-z0-9_]*`, at most 63. Default `swl`. */
  readonly schema?: string;
  /** False: a schema that is not there is `store.not-found` instead of being made. Default true. */
  readonly create?: boolean;
  /** `never`: an older version's schema is refused as `store.incompatible` instead of being brought forward. Default `auto`. */
  readonly migrate?: "auto" | "never";
  /** Connections to the server, at most, 1..64. Default 4. */
  readonly connections?: number;
  /** Longest time for one call, in milliseconds, 100..600,000: waiting for a connection, or for the answer. Default 30,000. */
  readonly callTimeout?: number;
  /**
   * `required` (default): a server that would not keep what it accepted is refused. `relaxed`: it is taken as it is, and
   * the store says of itself that it is not durable.
   */
  readonly durability?: "required" | "relaxed";
  /**
   * True: `url` is a pooler's that gives a connection for one transaction only. Then nothing rests on a session: no
   * prepared statement has a name, no setting is made for longer than a statement. Default false.
   */
  readonly pooler?: boolean;
  /**
   * Where wake-ups are heard, on one spare connection that is open only while somebody watches. A pooler by transaction
   * cannot: name the server's own address, or false for none of other processes. Default: `url`; with `pooler` false.
   */
  readonly listen?: { readonly url?: string } | false;
  /** For simulations and tests: milliseconds since the epoch. Default: the server's own clock. */
  readonly clock?: () => number;
  /** Default: bytes as they are. Every process must use the same one. */
  readonly codec?: Codec;
  /** `itemBytes` at most, and by default, 134,217,728. */
  readonly limits?: Partial<StoreLimits>;
}

/**
 * Connects and makes the schema or brings it forward. Throws and leaves the database as it is: `store.incompatible` (a
 * newer version's schema, an older one's with `migrate: "never"`, another application's, a server before 14, an encoding other than UTF8, a durability setting
 * that is off, a bad option), `store.unauthorized`, `store.not-found` (no such database, or no schema and `create` is false), `store.unavailable`.
 */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { schema = "swl", connections = 4, callTimeout = 30_000, durability = "required" } = options;
  const { migrate = "auto", pooler = false } = options;
  const place = placeOf("url", options.url);
  if (typeof schema !== "string" || !/^(?!pg_)[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw storeError(
      "incompatible",
      "The option schema must be a plain lower-case name, not of the system's.",
    );
  }
  checkRange("connections", connections, 1, 64);
  checkRange("callTimeout", callTimeout, 100, 600_000);
  if (durability !== "required" && durability !== "relaxed") {
    throw storeError("incompatible", "The option durability must be required or relaxed.");
  }
  if (migrate !== "auto" && migrate !== "never") {
    throw storeError("incompatible", "The option migrate must be auto or never.");
  }
  const listenTo = listenerOf(options);
  const limits = resolveLimits({ itemBytes: statementBytes, ...options.limits });
  checkRange("limits.itemBytes", limits.itemBytes ?? 0, 1, statementBytes);
  const durable = durability === "required";
  const info: StoreInfo = {
    name: `postgres (${place}, schema ${schema})`,
    limits,
    capabilities: {
      durable,
      multiProcess: true,
      wakeUps: listenTo === undefined ? "process" : "everywhere",
      clock: options.clock === undefined ? "store" : "injected",
      pooler,
    },
    // While the server works on one, its client makes the next; more of them would only make each smaller.
    appendsAtOnce: Math.min(2, connections),
  };
  const { name } = info;
  const database = connect({ name, url: options.url, schema, connections, callTimeout, durable, pooler });
  try {
    await openSchema(database, schema, {
      create: options.create !== false,
      migrate,
      patience: callTimeout,
    });
  } catch (error) {
    await database.close();
    throw error;
  }
  const documents = createDocuments(options.codec ?? plainCodec, limits.documentBytes);
  const clock = () => options.clock?.() ?? null;
  const folding = createFolding(database);
  const context = { name, database, folding, patience: callTimeout, clock, documents };
  const storage = `postgres ${place} ${schema}`;
  const wakeUps = createWakeUps({
    database,
    schema,
    storage,
    clock,
    ...(listenTo !== undefined && { listenTo }),
  });
  return assembleStore({
    info,
    documents,
    hub: wakeUps.hub,
    core: {
      ...streamCore(context),
      ...noteCore(context),
      ...holderCore(context),
      ...hostCore(context),
      ...keepingCore(context),
      async now() {
        if (options.clock !== undefined) return options.clock();
        const [row] = await database.read("SELECT swl.now_by(NULL) AS now");
        return row?.["now"] as number;
      },
      async release() {
        await wakeUps.finish();
        await folding.finish();
        await database.close();
      },
    },
  });
}

/** What may be shown of the address: host and database, never user or password. */
function placeOf(name: string, url: unknown): string {
  let ports: readonly string[] = [];
  try {
    const { protocol, host, port, pathname, hash, searchParams } = new URL(url as string);
    ports = [...(port === "" ? [] : [port]), ...searchParams.getAll("port")];
    // A password with an unescaped `/` or `#` ends the address early: what follows must not be shown.
    const whole = /^(\/[^/@]*)?$/.test(pathname) && hash === "";
    // With a port that there is not the driver would wait for ever.
    if (/^postgres(ql)?:$/.test(protocol) && whole && ports.every(isPort)) return `${host}${pathname}`;
  } catch {
    // The same answer as for any other text.
  }
  if (!ports.every(isPort)) {
    throw storeError(
      "incompatible",
      `The port in the option ${name} must be a whole number from 1 to 65535.`,
    );
  }
  throw storeError(
    "incompatible",
    `The option ${name} must be an address like postgres://user@host:5432/database.`,
  );
}

function isPort(text: string): boolean {
  return /^[0-9]{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= 65_535;
}

function checkRange(name: string, value: number, least: number, most: number): void {
  if (Number.isSafeInteger(value) && value >= least && value <= most) return;
  throw storeError("incompatible", `The option ${name} must be a whole number from ${least} to ${most}.`);
}

/** Undefined: nothing is heard of other processes. */
function listenerOf({ url, listen, pooler }: PostgresStoreOptions): string | undefined {
  if (listen === false || (listen === undefined && pooler === true)) return undefined;
  if (listen?.url !== undefined) placeOf("listen.url", listen.url);
  else if (pooler === true) {
    throw storeError("incompatible", "The option listen must name the server itself beside a pooler.");
  }
  return listen?.url ?? url;
}

type Context = Appending & Pruning & { readonly documents: Documents };

function streamCore(context: Context) {
  const { database, documents, folding } = context;
  return {
    append: (items) => append(context, items),
    head: (stream) => streams.findHead(database, stream),
    load: (stream) =>
      streams.loadStream(database, stream, documents, (recent) => folding.loaded(stream, recent)),
    read: (stream, after, limit) => streams.readLog(database, stream, after, limit, documents),
    list: (facets, before = Number.MAX_SAFE_INTEGER, limit) =>
      streams.listStreams(database, facets, before, limit),
  } satisfies Partial<StoreCore>;
}

function noteCore({ database, documents, clock }: Context) {
  return {
    blob: (digest) => streams.readBlob(database, digest, documents),
    receipt: (scope, request) => streams.findReceipt(database, scope, request),
    note: (stream, event, document) => streams.writeNote(database, stream, event, document, clock()),
    notes: (stream) => streams.readNotes(database, stream, documents),
  } satisfies Partial<StoreCore>;
}

function holderCore({ database, documents, clock }: Context) {
  return {
    openHolder: (holder, lease, exclusive) => holders.openHolder(database, holder, lease, exclusive, clock()),
    renewHolder: (holder, lease) => holders.renewHolder(database, holder, lease, clock()),
    closeHolder: (holder) => holders.closeHolder(database, holder),
    claim: (holder, options) => work.claim(database, holder, options, clock(), documents),
    holders: (limit) => holders.liveHolders(database, clock(), limit),
    queues: (limit, after = "") => work.claimableQueues(database, clock(), limit, after),
    held: (holder) => work.workOfHolder(database, holder, documents),
    unclaim: (holder, ids, delay) => work.unclaim(database, holder, ids, delay, clock()),
    renewWork: (holder, ids, lease) => work.renewWork(database, holder, ids, lease, clock()),
  } satisfies Partial<StoreCore>;
}

function hostCore({ database, documents, clock }: Context) {
  return {
    unapplied: (limit, after = "") => streams.unappliedStreams(database, limit, after),
    orphaned: (limit, after = "") => holders.orphanedStreams(database, clock(), limit, after),
    abandoned: (limit, after = "") => work.abandonedWork(database, clock(), limit, after, documents),
    due: (limit, after) => streams.dueNow(database, clock(), limit, after),
  } satisfies Partial<StoreCore>;
}

function keepingCore(context: Context) {
  const { database, documents, clock } = context;
  return {
    prune: (closedBefore, limit) => prune(context, closedBefore, limit),
    stats: () => stats(database, clock()),
    check: (limit) => check(database, documents, limit),
  } satisfies Partial<StoreCore>;
}
