// Worker

export type { Worker, WorkerLogEntry, WorkerOptions } from "./worker/worker.js";
export { createWorker } from "./worker/worker.js";
