import { defineConfig } from "tsup";
import { library } from "../../tsup.base.js";

export default defineConfig(library({ entries: ["src/index.ts", "src/otel.ts"] }));
