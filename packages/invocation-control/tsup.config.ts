import { defineConfig } from "tsup";
import { library } from "../../tsup.base.js";

export default defineConfig(
  library({
    entries: ["src/index.ts", "src/in-process.ts", "src/child-process.ts", "src/http.ts", "src/tokens.ts"],
  }),
);
