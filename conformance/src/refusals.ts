/**
 * Claims that are absent are tested as well: what a subject does not claim it must refuse by name, before any other
 * judgement. Two generated cases for each profile of the registry, one for whoever validates definitions and one for
 * whoever executes them. Spec: CNF-absent-means-no.
 */
import { profiles } from "@swl/definition/claims";
import type { Case } from "./case.js";
import type { CaseResult } from "./run.js";
import { runCases } from "./run.js";
import type { Subject } from "./subject.js";

/** The smallest normalized definition, with one more profile required. */
function definitionRequiring(profile: string): string {
  return JSON.stringify({
    swl: "0.1",
    id: "refusal",
    requires: ["core", profile].sort(),
    dialects: { numbers: "binary64", expressions: "minimal" },
    start: "done",
    nodes: { done: { kind: "complete", output: null } },
    actions: {},
    limits: { maxActivations: 100_000, maxInternalTransitions: 1_000 },
  });
}

/** Generated cases for a profile that the subject does not claim: it must be refused, and with this code. */
export function refusalCases(claims: readonly string[]): readonly Case[] {
  return profiles
    .filter((profile) => profile.name !== "core" && !claims.includes(profile.name))
    .flatMap(({ name }): readonly Case[] => {
      const bytes = new TextEncoder().encode(definitionRequiring(name));
      const refusal = {
        title: `the profile ${name} is not claimed and refused`,
        rules: ["CNF-absent-means-no"],
        verdict: "reject",
        codes: ["definition.profile-unsupported"],
        input: { file: "definition.json" },
        folder: "",
        read: () => bytes,
      } as const;
      return [
        { ...refusal, id: `definition/refuses-${name}`, requires: ["definition"], phase: "validate" },
        { ...refusal, id: `execution/refuses-${name}`, requires: ["execution"], phase: "prepare" },
      ];
    });
}

/** Runs the refusals of what the subject does not claim. */
export function runRefusals(subject: Subject): Promise<readonly CaseResult[]> {
  return runCases(refusalCases(subject.claims), subject);
}
