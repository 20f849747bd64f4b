/**
 * The settings of one action that a program serves. Spec: INV-child-process.
 */
import type { BoundText, Environment, FromEnvironment } from "../bindings/secrets.js";
import { type Settings, type TextForm, variableName } from "../bindings/settings.js";
import { type Meaning, readMeanings } from "../reading/meaning.js";

/** What stands in a binding beside `provider`, `version` and `grants`; the same in JSON and in TypeScript. */
export interface ChildBinding {
  /** The program and its arguments: no shell, no expansion, nothing of it from data. */
  readonly command: readonly string[];
  /** Default: that of the host. */
  readonly cwd?: string;
  /** Variables that the program gets: texts, or values of the host's environment that are secret. */
  readonly env?: { readonly [name: string]: string | FromEnvironment };
  /** Variables of the host's environment that are passed on as they are, where they are set. Default `["PATH"]`. */
  readonly pass?: readonly string[];
  /** `document` (default): standard output is an answer document. `output`: it is the output, and the outcome is `ok`. */
  readonly answer?: "document" | "output";
  readonly exitCodes?: {
    readonly [code: string]:
      | { readonly outcome: string }
      | { readonly failed: "retryable" | "final"; readonly code?: string }
      | { readonly unknown: true };
  };
  /** Bytes of standard output; default 8 MiB, at most 64 MiB. */
  readonly maxOutputBytes?: number;
  /** Milliseconds from the request to stop (SIGTERM) to the end by force; default 1,000. */
  readonly killAfterMs?: number;
  /** Milliseconds after which the program is asked to stop; default none: the contract's `attemptMs` decides. */
  readonly timeoutMs?: number;
  /** Asks what became of an operation: a document in, a document out. */
  readonly inspect?: { readonly command: readonly string[] };
  /** Asks for an operation to be stopped. */
  readonly cancel?: { readonly command: readonly string[] };
}

export interface ChildAction {
  readonly command: readonly string[];
  readonly cwd: string | undefined;
  readonly environment: ReadonlyMap<string, BoundText>;
  readonly pass: readonly string[];
  readonly answer: "document" | "output";
  readonly exitCodes: ReadonlyMap<string, Meaning>;
  readonly maxOutputBytes: number;
  readonly killAfterMs: number;
  readonly timeoutMs: number | undefined;
  readonly inspect: readonly string[] | undefined;
  readonly cancel: readonly string[] | undefined;
}

const exitCode: TextForm = {
  expected: "an exit code from 1 to 255",
  pattern: /^([1-9]|[1-9][0-9]|1[0-9]{2}|2[0-4][0-9]|25[0-5])$/,
};
// biome-ignore lint/suspicious/noControlCharactersInRegex: a NUL ends a text for the system
const argument: TextForm = { expected: "a text without NUL", pattern: /^[^\u0000]*$/ };
const maxMs = 2_147_483_647;

export function readChild(settings: Settings): ChildAction | undefined {
  const command = commandOf(settings);
  const timeoutMs = settings.integer("timeoutMs", 1, maxMs, 0);
  const exitCodes = readMeanings(settings.section("exitCodes"), exitCode);
  for (const [code, meaning] of exitCodes) {
    if (meaning.kind === "accepted") {
      settings.fault(
        `exit code ${code}: an accepted operation needs a handle: answer with a document`,
        "exitCodes",
      );
    }
  }
  const action: Omit<ChildAction, "command"> = {
    cwd: settings.text("cwd", argument),
    environment: environmentOf(settings),
    pass: settings.texts("pass", variableName) ?? ["PATH"],
    answer: settings.word("answer", ["document", "output"]) ?? "document",
    exitCodes,
    maxOutputBytes: settings.integer("maxOutputBytes", 1, 64 * 1024 * 1024, 8 * 1024 * 1024),
    killAfterMs: settings.integer("killAfterMs", 0, maxMs, 1_000),
    timeoutMs: timeoutMs === 0 ? undefined : timeoutMs,
    inspect: askOf(settings, "inspect"),
    cancel: askOf(settings, "cancel"),
  };
  return command === undefined ? undefined : { command, ...action };
}

function commandOf(settings: Settings): readonly string[] | undefined {
  const command = settings.texts("command", argument);
  if (command === undefined) {
    return settings.has("command")
      ? undefined
      : settings.fault("command is missing: the program and its arguments");
  }
  if (command[0] === undefined || command[0] === "")
    return settings.fault("command: expected a program", "command");
  return command;
}

function environmentOf(settings: Settings): ReadonlyMap<string, BoundText> {
  const environment = new Map<string, BoundText>();
  const given = settings.section("env");
  for (const name of given?.names() ?? []) {
    const value = given?.bound(name);
    if (!variableName.pattern.test(name)) given?.fault(`expected ${variableName.expected}`, name);
    else if (value?.reveal().includes("\0")) given?.fault("a variable holds no NUL", name);
    else if (value !== undefined) environment.set(name, value);
  }
  return environment;
}

function askOf(settings: Settings, name: "inspect" | "cancel"): readonly string[] | undefined {
  const section = settings.section(name);
  if (section === undefined) return undefined;
  const command = commandOf(section);
  section.done();
  return command;
}

/** What Windows itself needs to start a program. */
const systemNames = process.platform === "win32" ? ["SystemRoot", "PATHEXT", "ComSpec"] : [];

/** All that the program gets of an environment; names of ours come last, so that none is overridden. */
export function environmentFor(
  { environment, pass }: ChildAction,
  host: Environment,
  ours: { readonly [name: string]: string },
): { readonly [name: string]: string } {
  const given = new Map<string, string>();
  for (const name of [...systemNames, ...pass]) {
    const value = Object.hasOwn(host, name) ? host[name] : undefined;
    if (value !== undefined) given.set(name, value);
  }
  for (const [name, value] of environment) given.set(name, value.reveal());
  for (const [name, value] of Object.entries(ours)) given.set(name, value);
  return Object.fromEntries(given);
}
