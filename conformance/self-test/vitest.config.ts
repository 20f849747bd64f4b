import { mergeConfig } from "vitest/config";
import base from "../../vitest.base.js";

export default mergeConfig(base, {
  test: { globalSetup: ["src/cases-first.ts", "../../packages/store-postgres/test/setup.ts"] },
});
