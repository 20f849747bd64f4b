/**
 * The profiles that this engine executes. A definition that requires any other is refused by name when it is prepared;
 * one that uses a construct of a profile without listing it is refused too. Spec: EXE-prepare.
 */
export const executedProfiles: readonly string[] = [
  "core",
  "buffered-signals",
  "cancellation-acks",
  "deferred-actions",
  "expressions-jsonlogic",
  // Nothing for an engine to do: a host closes the run in its store.
  "hard-stop",
  "reconciliation",
  "timers",
  "tracked-updates",
];
