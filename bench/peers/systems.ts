/** All that are compared. The code of each is loaded by the process that measures it, and by no other. */
import type { OpenPeer } from "./peer.ts";

export interface System {
  /** On the command line. */
  readonly key: string;
  readonly name: string;
  /** Where its records are: figures are compared within one place. */
  readonly place: "postgres" | "sqlite" | "own server";
  load(): Promise<OpenPeer>;
}

export const systems: readonly System[] = [
  {
    key: "swl-postgres",
    name: "swl on PostgreSQL",
    place: "postgres",
    load: async () => (await import("./swl.ts")).swlOnPostgres,
  },
  {
    key: "dbos",
    name: "DBOS Transact",
    place: "postgres",
    load: async () => (await import("./dbos.ts")).dbos,
  },
  {
    key: "openworkflow-postgres",
    name: "openworkflow on PostgreSQL",
    place: "postgres",
    load: async () => (await import("./openworkflow.ts")).openworkflowOnPostgres,
  },
  {
    key: "restate",
    name: "Restate",
    place: "own server",
    load: async () => (await import("./restate.ts")).restateServer,
  },
  {
    key: "by-hand-postgres",
    name: "by hand on PostgreSQL, a commit a step",
    place: "postgres",
    load: async () => (await import("./by-hand.ts")).perStepOnPostgres,
  },
  {
    key: "by-hand-postgres-coalesced",
    name: "by hand on PostgreSQL, commits coalesced",
    place: "postgres",
    load: async () => (await import("./by-hand.ts")).coalescedOnPostgres,
  },
  {
    key: "swl-sqlite",
    name: "swl on SQLite",
    place: "sqlite",
    load: async () => (await import("./swl.ts")).swlOnSqlite,
  },
  {
    key: "openworkflow-sqlite",
    name: "openworkflow on SQLite",
    place: "sqlite",
    load: async () => (await import("./openworkflow.ts")).openworkflowOnSqlite,
  },
  {
    key: "by-hand-sqlite-coalesced",
    name: "by hand on SQLite, commits coalesced",
    place: "sqlite",
    load: async () => (await import("./by-hand.ts")).coalescedOnSqlite,
  },
];
