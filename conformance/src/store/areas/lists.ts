/**
 * Lists and paging.
 * - the newest stream first, by label, page by page: STO-lists
 * - no page leaves one out or repeats one, whatever is created, closed or relabelled meanwhile: STO-lists
 */
import { codeOf } from "../bench.js";
import type { StoreArea } from "../harness.js";

export const lists: StoreArea = {
  title: "lists and paging",
  tests: [
    [
      "lists the newest stream first, by label and page [STO-lists]",
      async (bench, expect) => {
        for (const name of ["b", "a", "c", "d"]) {
          await bench.put(
            bench.item(name, 0, { facets: { status: name === "c" ? "done" : "open", ["__proto__"]: "x" } }),
          );
        }
        await bench.put(bench.item("b", 1, { facets: { status: "done" } }));
        const all = await bench.store.list();
        expect(all.items.map((head) => head.stream)).toEqual(["d", "c", "a", "b"]);
        expect(all.next).toEqual(undefined);
        expect(all.items.map((head) => head.facets["status"])).toEqual(["open", "done", "open", "done"]);
        const page = await bench.store.list({ facets: { status: "open" }, limit: 1 });
        expect(page.items.map((head) => head.stream)).toEqual(["d"]);
        const rest = await bench.store.list({ facets: { status: "open" }, after: page.next ?? "", limit: 1 });
        expect([rest.items.map((head) => head.stream), rest.next]).toEqual([["a"], undefined]);
        expect((await bench.store.list({ facets: { status: "done", other: "x" } })).items).toEqual([]);
        expect(await codeOf(bench.store.list({ limit: 1_001 }))).toEqual("store.incompatible");
      },
    ],
    [
      "leaves none out and repeats none while streams come and end [STO-lists]",
      async (bench, expect) => {
        const names = Array.from({ length: 17 }, (_, n) => `run-${n}`);
        await bench.batch(names.map((name) => bench.item(name, 0, { facets: { kind: "old" } })));
        const seen: string[] = [];
        let after: string | undefined;
        for (let page = 0; page < 20; page += 1) {
          const part = await bench.store.list({ limit: 4, ...(after !== undefined && { after }) });
          seen.push(...part.items.map((head) => head.stream));
          after = part.next;
          if (after === undefined) break;
          await bench.put(bench.item(`new-${page}`, 0, { facets: { kind: "old" } }));
          await bench.put(bench.item(names[page] as string, 1, { close: true, facets: { kind: "other" } }));
        }
        expect(seen).toEqual(names.toReversed());
        const labelled = await bench.store.list({ facets: { kind: "other" }, limit: 1_000 });
        expect(labelled.items.map((head) => head.stream)).toEqual(["run-3", "run-2", "run-1", "run-0"]);
      },
    ],
    [
      "lists streams of one batch as they stood in it, and says where there are no more [STO-lists]",
      async (bench, expect) => {
        await bench.batch(
          ["c", "a", "b"].map((name) => bench.item(name, 0, { facets: { x: name, all: "y" } })),
        );
        const exact = await bench.store.list({ facets: { all: "y" }, limit: 3 });
        expect([exact.items.map((head) => head.stream), exact.next]).toEqual([["b", "a", "c"], undefined]);
        const both = await bench.store.list({ facets: { all: "y", x: "a" } });
        expect(both.items.map((head) => [head.stream, head.facets])).toEqual([["a", { x: "a", all: "y" }]]);
        expect(await bench.store.list({ facets: { all: "z" } })).toEqual({ items: [] });
        // No label alone tells which one is meant.
        await bench.batch(
          [{ p: "1" }, { p: "1", r: "1" }, { r: "1" }].map((facets, n) =>
            bench.item(`two-${n}`, 0, { facets }),
          ),
        );
        const meant = await bench.store.list({ facets: { p: "1", r: "1" } });
        expect(meant.items.map((head) => head.stream)).toEqual(["two-1"]);
        expect(await codeOf(bench.store.list({ after: "no cursor" }))).toEqual("store.incompatible");
      },
    ],
  ],
};
