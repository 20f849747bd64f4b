// `npm start`: installs and builds what the demo needs, then runs examples/orders on the Node this workspace installed.
// The demo prints its own progress; its exit code is ours.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { build, explain, install, localNode, root, toolEnv } from "./lib/toolchain.mjs";

const demo = join(root, "examples", "orders", "src", "demo.ts");

try {
  await install();
  await build(["@swl/cli...", "./examples/orders..."]);
  const env = { ...(await toolEnv()) };
  delete env.NO_COLOR;
  const { status } = spawnSync(
    localNode(),
    ["--disable-warning=ExperimentalWarning", demo, ...process.argv.slice(2)],
    {
      stdio: "inherit",
      cwd: root,
      env: process.env.NO_COLOR ? { ...env, NO_COLOR: process.env.NO_COLOR } : env,
    },
  );
  process.exitCode = status ?? 1;
} catch (error) {
  explain(error);
}
