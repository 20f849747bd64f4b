/** What goes wrong when items are taken in. */
import { type Json, storeError } from "@swl/store-provider";
import { answering, appending, insisting, isRefused, no, type StoreFault } from "./store-faults.ts";

const short = (id: string) => id.slice(0, 256);

export const appendFaults: readonly StoreFault[] = [
  {
    name: "cuts long IDs to size",
    falsify: (store) => ({
      ...appending(store, (item) => ({ ...item, stream: short(item.stream) })),
      head: (stream) => store.head(short(stream)),
    }),
    caughtBy: ["refuses IDs that are empty, too long, or not text [STO-ids]"],
  },
  {
    name: "keeps the caller's own documents",
    falsify(store) {
      const kept = new Map<string, Json>();
      return {
        ...appending(store, (item) => {
          for (const { digest, document } of item.blobs ?? []) kept.set(digest, document);
          return item;
        }),
        blob: async (digest) => ((await store.blob(digest)) === undefined ? undefined : kept.get(digest)),
      };
    },
    caughtBy: [
      "gives documents back as they were when they were appended [STO-documents]",
      "has everything after a restart [STO-durability]",
    ],
  },
  {
    name: "lets one faulty item fail its batch",
    falsify: (store) => ({
      async append(items) {
        const answers = await store.append(items);
        const faulty = answers.length > 1 && answers.some((answer) => isRefused(answer, "incompatible"));
        if (faulty) throw storeError("incompatible", "An item is faulty.");
        return answers;
      },
    }),
    caughtBy: [
      "refuses what is no JSON or too large for it, and nothing else of the batch [STO-item-checks]",
    ],
  },
  {
    name: "lets a later slot of the same key win",
    falsify: (store) =>
      appending(store, (item) => {
        const slots = new Map((item.slots ?? []).map((slot) => [slot.key, slot]));
        return item.slots === undefined ? item : { ...item, slots: [...slots.values()] };
      }),
    caughtBy: ["refuses members that contradict each other [STO-item-checks]"],
  },
  {
    name: "looks at the position before the hold",
    falsify: (store) =>
      answering(store, async (answer, item) => {
        if (!isRefused(answer, "held") || item.expect === "next") return answer;
        const head = await store.head(item.stream);
        return head?.position === item.expect ? answer : no("stale");
      }),
    caughtBy: ["tells the first reason in the order of the checks [STO-check-order]"],
  },
  {
    name: "says of every refusal that it is final",
    falsify: (store) =>
      answering(store, (answer) =>
        answer.kind === "refused" ? { ...answer, failure: { ...answer.failure, retry: "never" } } : answer,
      ),
    caughtBy: ["says with every refusal whether trying again can help [STO-failure-kinds]"],
  },
  {
    name: "puts a stale item at the end",
    falsify: (store) =>
      insisting(store, "stale", async (item) => {
        const head = await store.head(item.stream);
        return head && { ...item, expect: head.position };
      }),
    caughtBy: [
      "tells the first reason in the order of the checks [STO-check-order]",
      "refuses an item whose position was taken [STO-append-position]",
      "numbers records without a gap, also after a refusal [STO-append-position]",
      "leaves nothing of a refused item [STO-atomic-item]",
      "gives a foreign item the next position, to be applied by a later item [STO-foreign-items]",
      "lets two handles race for positions, claims and requests, with one winner each [STO-peers]",
    ],
  },
  {
    name: "leaves a gap after a refusal",
    falsify(store) {
      const gaps = new Map<string, number>();
      return answering(store, (answer, { stream }) => {
        const gap = gaps.get(stream) ?? 0;
        if (isRefused(answer, "stale")) gaps.set(stream, gap + 1);
        return answer.kind === "accepted"
          ? { ...answer, first: answer.first + gap, last: answer.last + gap }
          : answer;
      });
    },
    caughtBy: [
      "numbers records without a gap, also after a refusal [STO-append-position]",
      "leaves nothing of a refused item [STO-atomic-item]",
      "gives a foreign item the next position, to be applied by a later item [STO-foreign-items]",
    ],
  },
  {
    name: "writes the blobs of a refused item",
    falsify(store) {
      const left = new Map<string, Json>();
      return {
        ...answering(store, (answer, { blobs = [] }) => {
          if (answer.kind === "refused") for (const { digest, document } of blobs) left.set(digest, document);
          return answer;
        }),
        blob: async (digest) => (await store.blob(digest)) ?? left.get(digest),
      };
    },
    caughtBy: ["leaves nothing of a refused item [STO-atomic-item]"],
  },
  {
    name: "marks a foreign item as applied",
    falsify: (store) => ({
      async head(stream) {
        const head = await store.head(stream);
        return head && { ...head, applied: head.position };
      },
    }),
    caughtBy: ["gives a foreign item the next position, to be applied by a later item [STO-foreign-items]"],
  },
  {
    name: "drops what a foreign item must not carry",
    falsify: (store) =>
      insisting(store, "incompatible", ({ slots: _slots, dues: _dues, owner: _owner, ...item }) =>
        item.expect === "next" ? item : undefined,
      ),
    caughtBy: ["lets a foreign item carry nothing of a host's [STO-foreign-items]"],
  },
  {
    name: "does not know an item again",
    falsify: (store) =>
      answering(store, (answer) => (answer.kind === "accepted" && answer.repeated ? no("stale") : answer)),
    caughtBy: [
      "tells the first reason in the order of the checks [STO-check-order]",
      "gives the first answer to an item that is sent again [STO-commit-repeat]",
    ],
  },
  {
    name: "forgets receipts",
    falsify: (store) =>
      appending(store, (item) =>
        item.expect === "next"
          ? { ...item, receipts: [{ scope: "lost", request: item.commit, digest: "lost" }] }
          : { ...item, receipts: [] },
      ),
    caughtBy: [
      "tells the first reason in the order of the checks [STO-check-order]",
      "lets a foreign item carry nothing of a host's [STO-foreign-items]",
      "answers a request that was accepted with its first receipt [STO-receipts]",
      "refuses the same request with other content, and keeps no receipt of a refusal [STO-receipts]",
      "lets two handles race for positions, claims and requests, with one winner each [STO-peers]",
    ],
  },
  {
    name: "gives the receipt whatever the content is",
    falsify: (store) =>
      answering(store, async (answer, { receipts: [request] = [] }) => {
        const receipt = request && (await store.receipt(request.scope, request.request));
        return isRefused(answer, "conflict") && receipt ? { kind: "receipt", receipt } : answer;
      }),
    caughtBy: [
      "refuses the same request with other content, and keeps no receipt of a refusal [STO-receipts]",
    ],
  },
  {
    name: "takes any stamp",
    falsify: (store) => appending(store, (item) => ({ ...item, stamp: Math.min(item.stamp, 1) })),
    caughtBy: [
      "tells the first reason in the order of the checks [STO-check-order]",
      "refuses a stamp more than five seconds ahead and tells its clock [STO-clock-ahead]",
    ],
  },
];
