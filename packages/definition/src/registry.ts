/**
 * The names of the language: every part and every feature profile that the specification knows, and which of them
 * this implementation has. A name that is not built is refused by name, before any side effect.
 * Spec: DEF-requires, CNF-claims.
 */

export interface PartName {
  /** Folder, package suffix, spec chapter and claim name: the same word. */
  readonly name: string;
  /** False: a name in the registry, refused with `part.not-built`. */
  readonly built: boolean;
}

export const parts: readonly PartName[] = [
  { name: "base", built: true },
  { name: "definition", built: true },
  { name: "source-notation", built: true },
  { name: "execution", built: true },
  { name: "invocation-control", built: true },
  { name: "store-provider", built: true },
  { name: "store-memory", built: true },
  { name: "store-sqlite", built: true },
  { name: "store-postgres", built: true },
  { name: "durable-state", built: true },
  { name: "testing", built: true },
  { name: "state-interchange", built: false },
  { name: "distribution", built: false },
  { name: "w6w-engine", built: false },
  { name: "ai-workflow", built: false },
  { name: "server", built: true },
  { name: "cli", built: true },
  { name: "conformance", built: true },
];

export interface ProfileName {
  readonly name: string;
  /**
   * False: a definition that requires it is refused with `definition.profile-unsupported`. True says that the
   * definition model knows its rules; who executes it is for each engine and host to say, in its own claims.
   */
  readonly built: boolean;
}

export const profiles: readonly ProfileName[] = [
  { name: "core", built: true },
  { name: "buffered-signals", built: true },
  { name: "timers", built: true },
  { name: "deferred-actions", built: true },
  { name: "tracked-updates", built: true },
  { name: "expressions-jsonlogic", built: true },
  { name: "reconciliation", built: true },
  { name: "cancellation-acks", built: true },
  { name: "hard-stop", built: true },
  { name: "state-export", built: false },
  { name: "store-provider", built: false },
  { name: "parallel", built: false },
  { name: "subworkflows", built: false },
  { name: "compensation", built: false },
];

/** Expression and schema dialects, claimed beside the profiles. */
export const dialects = {
  schema: "https://json-schema.org/draft/2020-12/schema",
  numbers: ["binary64", "int53"],
  expressions: ["minimal", "jsonlogic"],
} as const;

const partNames: ReadonlyMap<string, PartName> = new Map(parts.map((part) => [part.name, part]));
const profileNames: ReadonlyMap<string, ProfileName> = new Map(profiles.map((item) => [item.name, item]));

export function partNamed(name: string): PartName | undefined {
  return partNames.get(name);
}

export function profileNamed(name: string): ProfileName | undefined {
  return profileNames.get(name);
}
