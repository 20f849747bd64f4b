/** What goes wrong with names, documents, limits and lists. */
import type { OpenOptions } from "@swl/conformance/store";
import { type Codec, type Store, storeError } from "@swl/store-provider";
import { appending, type StoreFault } from "./store-faults.ts";

/** Every name of a stream is changed on its way in. */
const renaming = (store: Store, change: (name: string) => string): Partial<Store> => ({
  ...appending(store, (item) => ({ ...item, stream: change(item.stream) })),
  head: (stream) => store.head(change(stream)),
  load: (stream) => store.load(change(stream)),
});

/** Takes more than it says. */
const raising = (limit: "documentBytes" | "recordsPerItem" | "itemBytes") => ({
  options: (options: OpenOptions) => ({
    ...options,
    limits: { ...options.limits, [limit]: (options.limits?.[limit] ?? 0) + 1 },
  }),
  falsify(store: Store) {
    const limits = { ...store.info.limits, [limit]: (store.info.limits[limit] ?? 0) - 1 };
    return { info: { ...store.info, limits } };
  },
});

/** Leaves out what has this word in it. */
const passing = (codec: Codec, word: string): Codec => ({
  name: codec.name,
  encode: (bytes) => (textOf(bytes).includes(word) ? bytes : codec.encode(bytes)),
  decode: (bytes) => (textOf(bytes).includes(word) ? bytes : codec.decode(bytes)),
});
const textOf = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

export const limitFaults: readonly StoreFault[] = [
  {
    name: "takes names of other case for the same",
    falsify: (store) => renaming(store, (name) => name.toLowerCase()),
    caughtBy: ["keeps names apart that only look alike [STO-ids]"],
  },
  {
    name: "normalises names",
    falsify: (store) => renaming(store, (name) => name.normalize("NFC")),
    caughtBy: ["keeps names apart that only look alike [STO-ids]"],
  },
  {
    name: "trims names",
    falsify: (store) => renaming(store, (name) => name.trim()),
    caughtBy: ["keeps names apart that only look alike [STO-ids]"],
  },
  {
    name: "cannot take keys of the full length",
    falsify: (store) =>
      appending(store, (item) => ({
        ...item,
        ...(item.facets && { facets: Object.fromEntries(Object.entries(item.facets).map(shortened)) }),
      })),
    caughtBy: ["takes names of the full length everywhere, and one of more nowhere [STO-ids]"],
  },
  {
    name: "looks for names that are none",
    falsify: (store) => ({ held: async (holder) => store.held(holder).catch(() => []) }),
    caughtBy: ["refuses names that are none wherever it is asked, before anything is read [STO-ids]"],
  },
  {
    name: "stores a note past the codec",
    options: (options) => ({ ...options, ...(options.codec && { codec: passing(options.codec, "note") }) }),
    falsify: () => ({}),
    caughtBy: ["passes every document through the codec, and gives it back [STO-documents]"],
  },
  {
    name: "takes a document of one byte more than it declares",
    ...raising("documentBytes"),
    caughtBy: ["takes a document of exactly the declared bytes, wherever it stands [STO-item-checks]"],
  },
  {
    name: "takes an item of one byte more than it declares",
    ...raising("itemBytes"),
    caughtBy: [
      "takes an item whose documents have exactly the declared bytes together, wherever they stand [STO-item-checks]",
    ],
  },
  {
    name: "takes one record more than it declares",
    ...raising("recordsPerItem"),
    caughtBy: ["takes exactly the declared number of records and of items [STO-item-checks]"],
  },
  {
    name: "refuses a batch that is full",
    falsify: (store) => ({
      async append(items) {
        if (items.length < store.info.limits.itemsPerBatch) return store.append(items);
        throw storeError("quota", "Too many.");
      },
    }),
    caughtBy: ["takes exactly the declared number of records and of items [STO-item-checks]"],
  },
  {
    name: "writes what it can of a batch that is too large",
    falsify: (store) => ({
      async append(items) {
        const most = store.info.limits.itemsPerBatch;
        if (items.length > most) await store.append(items.slice(0, most));
        return store.append(items);
      },
    }),
    caughtBy: ["takes exactly the declared number of records and of items [STO-item-checks]"],
  },
  {
    name: "gives as many as it can of what is asked for",
    falsify: (store) => ({
      read: (stream, { after = 0, limit = 1_000 } = {}) =>
        store.read(stream, { after: Math.max(0, after), limit: Math.min(Math.max(1, limit), 1_000) }),
    }),
    caughtBy: ["refuses what reads cannot take, before anything is read [STO-item-checks]"],
  },
  {
    name: "pages by counting from the newest",
    falsify: (store) => ({
      async list({ after = "0", limit = 100, ...rest } = {}) {
        const { items } = await store.list({ ...rest, limit: 1_000 });
        const next = Number(after) + limit;
        const page = items.slice(Number(after), next);
        return { items: page, ...(next < items.length && { next: String(next) }) };
      },
    }),
    caughtBy: ["leaves none out and repeats none while streams come and end [STO-lists]"],
  },
  {
    name: "skips a row between two pages",
    falsify: (store) => ({
      list: ({ after, ...options } = {}) =>
        store.list({ ...options, ...(after !== undefined && { after: String(Number(after) - 1) }) }),
    }),
    caughtBy: ["leaves none out and repeats none while streams come and end [STO-lists]"],
  },
  {
    name: "lists a stream still under the label that it had",
    falsify(store, shared) {
      const first = shared(() => new Map<string, { readonly [label: string]: string }>());
      return {
        ...appending(store, (item) => {
          if (item.facets && !first.has(item.stream)) first.set(item.stream, item.facets);
          return item;
        }),
        async list(options = {}) {
          const wanted = Object.entries(options.facets ?? {});
          const { items } = await store.list();
          const stale = items.filter(({ stream }) =>
            wanted.every(([label, value]) => first.get(stream)?.[label] === value),
          );
          return wanted.length === 0 ? store.list(options) : { ...(await store.list(options)), items: stale };
        },
      };
    },
    caughtBy: ["leaves none out and repeats none while streams come and end [STO-lists]"],
  },
  {
    name: "asks for any of several labels",
    falsify: (store) => ({
      list: ({ facets = {}, ...options } = {}) =>
        store.list({ ...options, facets: Object.fromEntries(Object.entries(facets).slice(0, 1)) }),
    }),
    caughtBy: [
      "lists streams of one batch as they stood in it, and says where there are no more [STO-lists]",
    ],
  },
  {
    name: "promises a page that is empty",
    falsify: (store) => ({
      async list(options) {
        const page = await store.list(options);
        return page.items.length === options?.limit ? { ...page, next: page.next ?? "1" } : page;
      },
    }),
    caughtBy: [
      "lists streams of one batch as they stood in it, and says where there are no more [STO-lists]",
    ],
  },
];

function shortened([label, value]: readonly [string, string]): readonly [string, string] {
  return [label.slice(0, 255), value];
}
