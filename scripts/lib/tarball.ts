/**
 * What publint and attw say about a packed tarball. We publish ES modules only, so resolution from CommonJS sources
 * (`node16-cjs`) and the resolution of Node 10 are outside what attw is asked.
 */
import { readFileSync } from "node:fs";
import { checkPackage, createPackageFromTarballData } from "@arethetypeswrong/core";
import { publint } from "publint";
import { formatMessage } from "publint/utils";

export async function publintComplaints(tarball: string): Promise<readonly string[]> {
  const bytes = readFileSync(tarball);
  const buffer = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  const { messages, pkg } = await publint({ pack: { tarball: buffer }, strict: true });
  return messages
    .filter((message) => message.type !== "suggestion")
    .map((message) => `${message.code}: ${formatMessage(message, pkg, { color: false }) ?? ""}`);
}

export async function typesComplaints(tarball: string): Promise<readonly string[]> {
  const result = await checkPackage(createPackageFromTarballData(readFileSync(tarball)), {
    excludeEntrypoints: [/\.json$/],
  });
  if (result.types === false) return ["the tarball has no types"];
  const complaints: string[] = [];
  for (const problem of result.problems) {
    const kind = "resolutionKind" in problem ? problem.resolutionKind : undefined;
    if (kind === "node10" || kind === "node16-cjs") continue;
    const where = "entrypoint" in problem ? ` at ${problem.entrypoint}` : "";
    complaints.push(`${problem.kind}${where}${kind === undefined ? "" : ` (${kind})`}`);
  }
  return complaints;
}
