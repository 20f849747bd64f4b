// Store
export type { SqliteStoreOptions } from "./sqlite-store.js";
export { openSqliteStore } from "./sqlite-store.js";
