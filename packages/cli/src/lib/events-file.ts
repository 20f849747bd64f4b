/**
 * A file of events: a JSON array, or JSON lines, read strictly and checked before anything is done with it. Whatever
 * stamp an event lacks is counted as the cases of the conformance kit do: position from 1, ID `e<number>`, one second
 * apart. Spec: CNF-trace-form.
 */
import {
  type Diagnostic,
  isJsonObject,
  type Json,
  type JsonDocument,
  pointerTo,
  raise,
  readJson,
  SwlError,
} from "@swl/base";
import type { AcceptedEvent } from "@swl/execution/model";
import { eventProblem } from "./event-form.js";
import { readNamedFile } from "./named-file.js";
import type { Session } from "./session.js";
import { readStandardInput, standardInput } from "./standard-input.js";

const forms = "events are a JSON array or JSON lines, as in docs/spec/execution-data.md";

/** Acceptance time of the first event that gives none. */
const epoch = 1_700_000_000_000;

/** Throws `json.…` and `event.invalid` with every finding, `source.…` for a file that is not there or not to be read. */
export async function readEvents(session: Session, name: string): Promise<readonly AcceptedEvent[]> {
  const file = name === "-" ? standardInput : name;
  const bytes =
    name === "-"
      ? await readStandardInput(session.io)
      : await readNamedFile(session, name, { option: "--events", hint: forms });
  const text = textOf(bytes, file);
  const said = /^\s*\[/.test(text) ? ofArray(text, file) : ofLines(text, file);
  const findings = said.flatMap(({ event, placeOf }) => {
    const problem = eventProblem(event);
    if (problem === undefined) return [];
    const { message, pointer } = problem;
    const place = placeOf(pointer);
    return [
      { code: "event.invalid", severity: "error", message, pointer, ...(place && { place }) } as Diagnostic,
    ];
  });
  if (findings.length > 0) raise("event.invalid", `${file} holds what is no event`, findings);
  if (said.length === 0) {
    const place = { file, line: 1, column: 1 };
    throw new SwlError("event.invalid", `${file} holds no event`, { place, hint: forms });
  }
  return stamped(said.map(({ event }) => event));
}

function textOf(bytes: Uint8Array, file: string): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new SwlError("json.encoding", `${file} is no UTF-8`, {
      place: { file, line: 1, column: 1 },
      hint: "save it as UTF-8",
    });
  }
}

interface Said {
  readonly event: Json;
  readonly placeOf: JsonDocument["placeOf"];
}

function ofArray(text: string, file: string): readonly Said[] {
  const { value, placeOf } = parsed(text, file);
  return (value as readonly Json[]).map((event, index) => ({
    event,
    placeOf: (pointer) => placeOf(`${pointerTo("", index)}${pointer}`),
  }));
}

/** Every finding of every line. */
function ofLines(text: string, file: string): readonly Said[] {
  const said: Said[] = [];
  const findings: Diagnostic[] = [];
  for (const [index, line] of text.split("\n").entries()) {
    if (line.trim() === "") continue;
    const read = readJson(line, { file });
    const moved = (place: Diagnostic["place"]) => place && { ...place, line: place.line + index };
    if (read.ok) {
      const { value, placeOf } = read.value;
      said.push({ event: value, placeOf: (pointer) => moved(placeOf(pointer)) });
    } else {
      findings.push(
        ...read.findings.map((one) => ({ ...one, ...(one.place && { place: moved(one.place)! }) })),
      );
    }
  }
  if (findings.length > 0)
    raise(findings[0]!.code, `${file} is neither a JSON array nor JSON lines`, findings);
  return said;
}

function parsed(text: string, file: string): JsonDocument {
  const document = readJson(text, { file });
  if (document.ok) return document.value;
  raise(document.findings[0]!.code, `${file} is not JSON`, document.findings);
}

function stamped(events: readonly Json[]): readonly AcceptedEvent[] {
  let position = 0;
  return events.map((event, index) => {
    const given = isJsonObject(event) ? event : {};
    position = typeof given["position"] === "number" ? given["position"] : position + 1;
    return { id: `e${index + 1}`, at: epoch + index * 1_000, ...given, position } as unknown as AcceptedEvent;
  });
}
