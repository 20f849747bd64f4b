import { defineConfig } from "vitest/config";

/** What every package's tests share. A test that prints to the console fails: output is a result, never a side effect. */
export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 180_000,
    hookTimeout: 180_000,
    passWithNoTests: false,
    onConsoleLog(log) {
      throw new Error(`a test printed to the console: ${log.slice(0, 200)}`);
    },
  },
});
