/**
 * The second act: a new version is rolled out under load. Four processes serve one store, each is told to leave by SIGTERM
 * and replaced before the next one is, while orders keep coming. What a process had not begun is given back to the
 * others, what it had begun has time to end; so nothing is in doubt, and nobody has to decide anything.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { openSqliteStore } from "@swl/store-sqlite";
import type { Audit } from "../audit.ts";
import type { Fleet } from "../fleet/fleet.ts";
import { serve } from "../fleet/life.ts";
import type { Order } from "../orders.ts";
import { bold, files, green, print, red, say } from "./stage.ts";

/** Beyond what the deployment takes: no lease runs out by itself. */
const lease = 30_000;

/** Every order twice: two customers may want the same. */
function twice(orders: readonly Order[]): readonly Order[] {
  return [1, 2].flatMap((round) => orders.map((order) => ({ ...order, order: `${order.order}-${round}` })));
}

/** Problems, in words. */
export async function rollOut(given: readonly Order[]): Promise<readonly string[]> {
  const orders = twice(given);
  const { rollingStore: store, rollingLedger: ledger, definition } = files;
  print("");
  say(
    bold(
      `rolling deployment: four processes on one store, ${orders.length} new orders, ten each quarter of a second`,
    ),
  );
  const place = { store, open: () => openSqliteStore({ file: store }) };
  const { fleet, found, decided } = await serve(place, {
    ...{ orders, definition, ledger, lease },
    pace: 60,
    enough: ({ replaced }) => replaced === 4,
    beside: deploy,
  });
  const lost = found.runs.reduce((sum, run) => sum + run.lost, 0);
  printEnd(found, decided, lost);
  return [
    ...found.problems,
    ...(fleet.replaced === 4 ? [] : [`${fleet.replaced} of 4 processes were replaced`]),
    ...(decided === 0 ? [] : [`the deployment parked ${decided} runs`]),
    ...(lost === 0 ? [] : [`the deployment lost ${lost} attempts`]),
  ];
}

/** Begins once orders are under way everywhere. */
async function deploy(fleet: Fleet): Promise<void> {
  while (fleet.serving.length < 4 || fleet.started.size < 20) {
    if (fleet.over) return;
    await sleep(50);
  }
  say(`processes ${fleet.serving.join(", ")} serve; now each is replaced`);
  let since = 0;
  await fleet.replaceAll((pid, step) => {
    if (step === "leaves") {
      since = performance.now();
      return;
    }
    const took = ((performance.now() - since) / 1000).toFixed(1);
    say(`SIGTERM to ${pid}: it gave back what it had not begun, ended the rest, and left after ${took} s`);
  });
}

function printEnd({ runs, duplicates }: Audit, decided: number, lost: number): void {
  const shipped = runs.filter(({ result }) => result?.status === "completed").length;
  const ended = runs.filter(({ status }) => status.closed).length;
  say(`${ended} of ${runs.length} orders have ended: ${shipped} shipped, ${ended - shipped} refused`);
  const good = decided === 0 && lost === 0 && duplicates.length === 0;
  const counts = `attempts lost: ${lost}, charges twice: ${duplicates.length}`;
  say((good ? green : red)(`runs parked by the deployment: ${decided}, ${counts}`));
}
