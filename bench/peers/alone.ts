/**
 * The process of one system: opens it, does the steps that its parent tells it, one after the other, and says what came
 * out. It ends when it is told to, when something goes wrong, and when its parent is gone.
 */
import type { Peer, Place } from "./peer.ts";
import { systems } from "./systems.ts";
import { type Outcome, type Step, sizeOf, work } from "./workloads.ts";

export interface Given {
  readonly key: string;
  readonly place: Place;
  readonly quick: boolean;
}

export type Asked = "open" | "close" | Step;

export type Answer =
  | { readonly kind: "done"; readonly outcome?: Outcome }
  | { readonly kind: "absent"; readonly reason: string }
  | { readonly kind: "failed"; readonly reason: string };

const { key, place, quick } = JSON.parse(process.argv[2]!) as Given;
let peer: Peer | undefined;

function answer(what: Answer, then: () => void = () => undefined): void {
  process.send?.(what, then);
}

function fail(error: unknown): void {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  answer({ kind: "failed", reason: reason.split("\n")[0]! }, () => process.exit(1));
}

async function open(): Promise<Answer> {
  const opened = await (await systems.find((system) => system.key === key)!.load())(place);
  if ("absent" in opened) return { kind: "absent", reason: opened.absent };
  peer = opened;
  await peer.run();
  return { kind: "done" };
}

async function doStep(asked: Asked): Promise<Answer> {
  if (asked === "open") return open();
  if (asked !== "close") return { kind: "done", outcome: await work(asked, peer!, sizeOf(quick)) };
  await peer?.close();
  return { kind: "done" };
}

process.on("uncaughtException", fail);
process.on("disconnect", () => process.exit(1));
process.on("message", (asked: Asked) => void doStep(asked).then((what) => answer(what), fail));
