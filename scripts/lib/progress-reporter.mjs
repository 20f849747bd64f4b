// For vitest: appends a line to the file that SWL_PROGRESS names for each test file that has ended.
import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { root } from "./toolchain.mjs";

export default class {
  onTestModuleEnd(module) {
    const counts = { passed: 0, failed: 0 };
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === "passed" || state === "failed") counts[state] += 1;
    }
    const seconds = (module.diagnostic().duration / 1000).toFixed(1);
    const file = relative(root, module.moduleId);
    appendFileSync(
      process.env.SWL_PROGRESS,
      `${file}: ${counts.passed} passed, ${counts.failed} failed, ${seconds} s\n`,
    );
  }
}
