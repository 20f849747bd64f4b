import { defineConfig } from "tsup";
import { library, wholeEntries } from "../../tsup.base.js";

/** Each is one file, with the little that it needs of base in it: whoever loads it loads nothing else. */
const alone = ["src/mappings.ts", "src/durations.ts", "src/logic.ts", "src/identity.ts"];
const entries = ["src/index.ts", "src/model.ts", "src/schema.ts", "src/inspect.ts", "src/claims.ts"];

export default defineConfig([
  {
    ...library({ entries, beside: [...alone, "src/zod.ts"] }),
    // What is used of these is in the package (THIRD-PARTY-NOTICES.md): nothing more is installed, and few files are loaded.
    noExternal: ["zod", "@cfworker/json-schema"],
    esbuildPlugins: [wholeEntries([...entries, ...alone])],
  },
  {
    ...library({ entries: alone }),
    splitting: false,
    noExternal: ["@swl/base"],
    plugins: [],
    esbuildPlugins: [wholeEntries(alone)],
  },
  // The schemas themselves are of the reader's zod, or they would not fit into the reader's schemas.
  { ...library({ entries: ["src/zod.ts"] }), plugins: [] },
]);
