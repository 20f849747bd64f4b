/** What an event costs where profiles act: kept signals and deadlines, choices; against an event of the core cycle. */
import { choosing, Run, ring, waiting } from "./lib/cycles.ts";
import type { Bench, Subject } from "./lib/harness.ts";

function laps(name: string, count: number, eventsALap: number, lap: () => void): Subject {
  return {
    name,
    unit: "event",
    run() {
      for (let done = 0; done < count; done++) lap();
      return count * eventsALap;
    },
  };
}

/** A signal that comes early and is kept, one that is waited for, and one that never comes. */
function waits(): () => void {
  const run = new Run(waiting()).start();
  const signal = () =>
    run.take({ type: "signal", messageId: "m", name: "go", outcome: "went", payload: null });
  return () => {
    signal();
    run.result();
    run.result();
    signal();
    const [deadline] = run.result().commands;
    if (deadline?.kind !== "set-deadline") throw new Error("no deadline");
    const { key, generation } = deadline;
    const late = run.take({ type: "deadline", kind: "await", key, generation });
    if (late.edges[0]?.route !== "late") throw new Error("the deadline did not fire");
  };
}

export const transitionsProfiles: Bench = {
  name: "transitions-profiles",
  clock: "cpu",
  question:
    "events of the core cycle, against those of profiles: the ratio says how many times as much they cost",
  async open({ quick }) {
    const count = quick ? 10_000 : 40_000;
    const core = new Run(ring(10)).start();
    const choice = new Run(choosing()).start();
    return [
      laps("core: a result an event", count * 6, 1, () => core.result()),
      laps("buffered-signals, timers: 3 waits of 6 events", count, 6, waits()),
      laps("expressions-jsonlogic: a result and a choice an event", count * 6, 1, () => choice.result()),
    ];
  },
};
