import { defineConfig } from "tsup";
import { library } from "../../tsup.base.js";

export default defineConfig(
  library({
    entries: [
      "src/index.ts",
      "src/model.ts",
      "src/mappings.ts",
      "src/schema.ts",
      "src/identity.ts",
      "src/inspect.ts",
      "src/claims.ts",
    ],
  }),
);
