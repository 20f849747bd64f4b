/**
 * Limits of what is under way at once.
 *
 * 1. no more begins than the limit says, and what waits is served in turn (DUR-concurrency)
 */
import { completed, gate, HostBench, pause } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { again, single } from "./workflows.js";

const rounds = 40;

export const limitChecks: readonly HostCheck[] = [
  {
    rule: "DUR-concurrency",
    title: "begins no more at once than it may, and lets a short run pass a long one",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        let underWay = 0;
        let most = 0;
        // Nothing ends before all of it was asked for.
        const asked = gate();
        const setting = { concurrency: 1 };
        const { host } = await bench.host(
          async () => {
            most = Math.max(most, ++underWay);
            await asked.opened;
            await pause(3);
            underWay--;
            return completed();
          },
          undefined,
          setting,
        );
        const long = await host.start(again(rounds), { input: null });
        const short = await Promise.all([1, 2].map((input) => host.start(single, { input })));
        await pause(20);
        asked.open();
        await Promise.all(short.map((run) => host.result(run, bench.patience)));
        const passed = bench.calls.filter(({ run }) => run === long).length;
        await host.result(long, bench.patience);
        return [
          ...(most === 1 ? [] : [`${most} attempts are under way where one may be`]),
          ...(passed < rounds ? [] : ["a long run keeps the slot until its end"]),
        ];
      }),
  },
];
