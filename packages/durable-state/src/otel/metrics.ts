/** Metrics. No name of a run is ever an attribute: there are as many series as workflows, actions and answers. */
import type { Observation } from "../observation.js";
import type { OtelMeter } from "./api.js";

export function instruments(meter: OtelMeter): (observation: Observation) => void {
  const counter = (name: string, description: string) => meter.createCounter(name, { description });
  const inMs = (name: string, description: string) =>
    meter.createHistogram(name, { description, unit: "ms" });
  const commits = counter("swl.commits", "Commits that the store accepted of this host");
  const visits = counter("swl.visits", "Nodes left by accepted commits");
  const attempts = counter("swl.attempts", "Attempts ended by accepted commits, by answer");
  const parked = counter("swl.runs.parked", "Runs that began to wait for a decision, by effect class");
  const ended = counter("swl.runs.ended", "Runs that ended, by status");
  const underWay = meter.createUpDownCounter("swl.attempts.under_way", {
    description: "Attempts under way in this process",
  });
  const items = meter.createHistogram("swl.batch.items", {
    description: "Commits in one batch to the store",
  });
  const batch = inMs("swl.batch.duration", "Time until the store answered a batch");
  const claim = inMs("swl.claim.lag", "Time from when work could be claimed to its claim");
  const wake = inMs("swl.wakeup.latency", "Time from an event's acceptance to the commit that applied it");
  return (observed) => {
    switch (observed.kind) {
      case "commit": {
        const { workflow, waited } = observed;
        commits.add(1, { workflow });
        if (observed.visits > 0) visits.add(observed.visits, { workflow });
        for (const milliseconds of waited) wake.record(milliseconds, { workflow });
        return;
      }
      case "request":
        return;
      case "attempt": {
        const { workflow, action, answer } = observed;
        return attempts.add(1, { workflow, action, answer });
      }
      case "parked":
        return parked.add(1, { workflow: observed.workflow, effect: observed.effect ?? "none" });
      case "ended":
        return ended.add(1, { workflow: observed.workflow, status: observed.status });
      case "batch":
        items.record(observed.items);
        return batch.record(observed.milliseconds);
      case "claim":
        return claim.record(observed.lag, { action: observed.action });
      case "under-way":
        return underWay.add(observed.change, { action: observed.action });
    }
  };
}
