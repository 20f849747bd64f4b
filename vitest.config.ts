import { defineConfig } from "vitest/config";

/** `vitest` at the root runs every package as a project; `npm test` runs them through turbo instead, cached. */
export default defineConfig({
  test: { projects: ["packages/*", "conformance", "conformance/self-test", "examples/*"] },
});
