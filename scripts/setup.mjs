// `npm run setup`: installs what the lockfile says and builds every package. Twice is once; interrupted, it goes on.
import { build, explain, install } from "./lib/toolchain.mjs";

try {
  await install();
  await build();
} catch (error) {
  explain(error);
}
