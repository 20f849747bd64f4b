// Client

export type { Client, ClientOptions, RunEvent } from "./client/client.js";
export { createClient } from "./client/client.js";
