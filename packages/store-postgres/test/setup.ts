/** Before any test: one server for all of them, unless SWL_TEST_DATABASE_URL names one; gone when they have ended. */
import { canServe, givenUrl, startServer } from "./server.js";

export default async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (givenUrl() !== undefined || !canServe()) return undefined;
  const server = await startServer();
  process.env["SWL_TEST_DATABASE_URL"] = server.url;
  process.env["SWL_TEST_OWN_SERVER"] = server.url;
  return () => server.remove();
}
