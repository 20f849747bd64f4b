import { defineConfig } from "tsup";
import { library } from "../../tsup.base.js";

export default defineConfig([
  {
    ...library({
      entries: [
        "src/index.ts",
        "src/model.ts",
        "src/mappings.ts",
        "src/durations.ts",
        "src/logic.ts",
        "src/schema.ts",
        "src/identity.ts",
        "src/inspect.ts",
        "src/claims.ts",
      ],
      beside: ["src/zod.ts"],
    }),
    // What validation uses of zod is in the package; whoever validates installs nothing more.
    noExternal: ["zod"],
  },
  // The schemas themselves are of the reader's zod, or they would not fit into the reader's schemas.
  { ...library({ entries: ["src/zod.ts"] }), plugins: [] },
]);
