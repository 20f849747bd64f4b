// PostgreSQL
export type { PostgresStoreOptions } from "./postgres-store.js";
export { openPostgresStore } from "./postgres-store.js";
