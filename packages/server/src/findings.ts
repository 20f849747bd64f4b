/** What zod found, as findings with JSON Pointers. */
import { type Diagnostic, pointerTo, quoted } from "@swl/base";
import type { z } from "zod";

type Issue = z.core.$ZodIssue;

const MOST = 20;

export function findingsOf(issues: readonly Issue[]): readonly [Diagnostic, ...Diagnostic[]] {
  const found = issues.slice(0, MOST).map(finding);
  return [
    found[0] ?? { code: "request.invalid", severity: "error", message: "wrong", pointer: "" },
    ...found.slice(1),
  ];
}

function finding(issue: Issue): Diagnostic {
  const pointer = pointerTo("", ...issue.path.map(String));
  const where = pointer === "" ? "" : `${pointer} `;
  const hint = hintOf(issue);
  return {
    code: "request.invalid",
    severity: "error",
    message: `${where}${sentence(issue)}`,
    pointer,
    ...(hint !== undefined && { hint }),
  };
}

/** What callers in this process and the command line call it. */
const requestIds: ReadonlySet<string> = new Set(["startKey", "requestId", "messageId", "idempotencyKey"]);

function hintOf(issue: Issue): string | undefined {
  const misplaced = issue.code === "unrecognized_keys" && issue.keys.find((key) => requestIds.has(key));
  return misplaced ? `give ${misplaced} as the header Idempotency-Key` : undefined;
}

function sentence(issue: Issue): string {
  if (issue.code === "unrecognized_keys") {
    const named = issue.keys.slice(0, MOST).map((key) => quoted(key, 64));
    return `has the unknown member ${named.join(", ")}${issue.keys.length > MOST ? ", …" : ""}`;
  }
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}
