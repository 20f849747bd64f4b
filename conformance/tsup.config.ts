import { defineConfig } from "tsup";
import { library } from "../tsup.base.js";

export default defineConfig(
  library({
    entries: [
      "src/index.ts",
      "src/cases/index.ts",
      "src/providers/index.ts",
      "src/stdio/index.ts",
      "src/store/index.ts",
      "src/table/index.ts",
    ],
  }),
);
