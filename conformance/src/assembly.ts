/**
 * Parts put together: what each one needs is provided by another one of them, and nobody asks for a part that does
 * not exist yet. Checked as data, before anything runs. Spec: CNF-claims, CNF-absent-means-no.
 */
import { type Diagnostic, type Outcome, pointerTo } from "@swl/base";
import { type Claims, isBuilt, isClaimName, parts } from "@swl/definition/claims";

/**
 * The names that an assembly of parts provides, or every need that it does not meet: `part.not-built` for a name of the
 * registry that is not built, `claims.invalid` for one that nobody of the assembly provides.
 */
export function checkAssembly(claims: readonly Claims[]): Outcome<readonly string[]> {
  const provided = new Set(claims.flatMap((part) => part.claims));
  const findings: Diagnostic[] = [];
  for (const [index, part] of claims.entries()) {
    for (const [at, need] of part.needs.entries()) {
      if (!provided.has(need)) findings.push(unmet(part, need, pointerTo("", index, "needs", at)));
    }
  }
  return findings.length === 0
    ? { ok: true, value: [...provided].sort(), findings }
    : { ok: false, findings };
}

function unmet(part: Claims, need: string, pointer: string): Diagnostic {
  if (isClaimName(need) && !isBuilt(need)) {
    const built = parts.filter((one) => one.built).map((one) => one.name);
    const message = `${part.package} needs ${need}, which this release does not have; built: ${built.join(", ")}`;
    return { code: "part.not-built", severity: "error", message, pointer };
  }
  const message = `${part.package} needs ${need}, and no part of the assembly provides it`;
  return { code: "claims.invalid", severity: "error", message, pointer };
}
