/**
 * What hosts make of streams that the control plane made.
 *
 * 1. a run that was only created is bound and started by the host that can serve it (DUR-created-runs)
 * 2. a published name is no run: no list shows it and no host touches it (DUR-publications)
 */
import { completed, HostBench } from "./bench.js";
import type { HostCheck } from "./harness.js";
import { decision, single } from "./workflows.js";

const unable = { id: "unable", has: () => false, invoke: async () => completed() };

export const creationChecks: readonly HostCheck[] = [
  {
    rule: "DUR-created-runs",
    title: "leaves a created run to the host that can serve it, which then starts it",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host: other } = await bench.host(() => completed(), undefined, { provider: unable });
        const run = (await other.control.start({ definition: single, input: "in" })).run;
        const dropped = (await other.control.start({ definition: single, input: "in" })).run;
        const answer = await other.cancel({ run: dropped, requestId: "c" });
        const canceled = await other.result(dropped, bench.patience);
        const peer = await bench.peer();
        const [log, why] = [await peer.read(run), await other.why(run)];
        const { host } = await bench.host(({ input }) => completed(input));
        const result = await host.result(run, bench.patience);
        const kinds = (await peer.read(dropped)).map(({ kind }) => kind);
        return [
          ...(log.length === 1 ? [] : ["a host that cannot serve it has written to it"]),
          ...(why.status === "created" ? [] : [`it is ${why.status} before anybody can serve it`]),
          ...(answer.kind === "applied" && canceled.status === "canceled"
            ? []
            : ["it cannot be canceled before"]),
          ...(kinds.filter((kind) => kind === "event").length === 1 ? [] : ["what was canceled is started"]),
          ...(result.output === "in" ? [] : [`it ends as ${result.status}`]),
        ];
      }),
  },
  {
    rule: "DUR-publications",
    title: "keeps published names apart from runs",
    run: (harness) =>
      HostBench.run(harness, async (bench) => {
        const { host } = await bench.host(() => completed());
        const { control } = host;
        await control.publish({ name: "shop", requestId: "p1", definition: decision });
        const run = (await control.start({ name: "shop" })).run;
        await control.publish({ name: "shop", requestId: "p2", definition: single });
        const served = await bench.eventually(async () => (await host.why(run)).status === "waiting");
        const peer = await bench.peer();
        const listed = (await control.list()).items.map((item) => item.run);
        const streams = (await peer.list()).items.filter(({ stream }) => stream !== run);
        const [name] = streams;
        const log = name === undefined ? [] : await peer.read(name.stream);
        const newest = await control.published("shop");
        return [
          ...(served ? [] : ["a run that was started by name is not served"]),
          ...(listed.join() === run ? [] : [`the list of runs shows ${listed.join()}`]),
          ...(streams.length === 1 && log.length === 2
            ? []
            : ["a name is not one stream with a record a revision"]),
          ...((await peer.unapplied(10)).length === 0 ? [] : ["something of it waits for a host"]),
          ...(newest?.revision === 2 ? [] : ["it does not stand for its newest revision"]),
        ];
      }),
  },
];
