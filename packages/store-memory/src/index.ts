// Store
export type { MemoryBacking, MemoryStoreOptions } from "./memory-store.js";
export { createMemoryBacking, openMemoryStore } from "./memory-store.js";
