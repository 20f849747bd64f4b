/**
 * Rules over the members of a definition that are neither nodes nor actions: profiles and dialects.
 * Spec: DEF-requires, DEF-dialects.
 */
import type { Check } from "./check.js";
import { quote, type Spot } from "./findings.js";
import type { Dialects, Limits } from "./model.js";
import type { Said } from "./parse.js";
import { dialects as dialectNames, profileNamed, profiles } from "./registry.js";

/** Notes profiles that are unknown or not supported, and lists all of them. `undefined` stands for what is no text. */
export function checkRequires(
  names: readonly (string | undefined)[],
  spot: Spot,
  check: Check,
  supportedNames: readonly string[] | undefined,
): void {
  const { findings } = check;
  const known = profiles.map((profile) => profile.name);
  const supported = supportedNames ?? known;
  names.forEach((name, index) => {
    if (name === undefined) return;
    const profile = profileNamed(name);
    if (profile === undefined) {
      const message = `there is no profile ${quote(name)}`;
      findings.error("definition.profile-unknown", message, spot.to(index), findings.suggest(name, known));
    } else if (!profile.built || !supported.includes(name)) {
      const message = `the profile ${quote(name)} is not supported here`;
      findings.error("definition.profile-unsupported", message, spot.to(index));
    }
    check.listed.add(name);
  });
  if (!names.includes("core")) {
    findings.error("definition.profile-missing", `"requires" contains "core"`, spot);
  }
}

export function checkDialects(dialects: Partial<Dialects>, spot: Spot, check: Check): void {
  if (dialects.expressions === "jsonlogic") {
    check.profile("expressions-jsonlogic", `the dialect "jsonlogic"`, spot.to("expressions"));
  }
}

/** A schema has a meaning only in a declared dialect. */
export function checkSchemaDialect(dialects: Partial<Dialects>, spot: Spot, check: Check): void {
  if (!check.firstSchema || Object.hasOwn(dialects, "schema")) return;
  const message = `a schema appears at ${quote(check.firstSchema.pointer())}, but "dialects" declares no "schema"`;
  const hint = `say "schema": "${dialectNames.schema}"`;
  check.findings.error("definition.dialect", message, spot, hint);
}

/** A rule has a meaning only in the dialect that it is written in. */
export function checkExpressionDialect(dialects: Partial<Dialects>, spot: Spot, check: Check): void {
  if (!check.firstLogic || dialects.expressions === "jsonlogic") return;
  const message = `a choice stands at ${quote(check.firstLogic.pointer())}, but the expression dialect is not "jsonlogic"`;
  check.findings.error(
    "definition.dialect",
    message,
    spot.to("expressions"),
    `say "expressions": "jsonlogic"`,
  );
}

/** How many early signals are kept is said exactly where they are kept at all. */
export function checkBuffer(limits: Said<Limits>, spot: Spot, check: Check): void {
  if (!Object.hasOwn(limits, "maxBufferedSignals")) return;
  check.profile("buffered-signals", `"maxBufferedSignals"`, spot.to("maxBufferedSignals"));
}
