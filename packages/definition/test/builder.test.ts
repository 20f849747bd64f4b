import { isSwlError } from "@swl/base";
import { describe, expect, it } from "vitest";
import {
  type ActionInput,
  type Definition,
  defineWorkflow,
  definitionDigest,
  type Mapping,
  type NodeInput,
  type NodeSet,
  readDefinition,
} from "../src/index.js";
import { actions, ask, charge, done, Order, order, Receipt, refused, ship } from "./builder-sample.js";

const said = { id: "order", start: "charge", actions } as const;
const rest = { ask, ship, done, refused } as const;
const typed = { ...said, inputSchema: Order, outputSchema: Receipt } as const;

describe("defineWorkflow", () => {
  it("returns the normalized definition that a file with the same content gives [DEF-normalized]", () => {
    expect(Object.keys(order)).not.toContain("~types");
    const read = readDefinition(JSON.stringify(order), { file: "f" });
    expect(read.ok && read.value).toEqual(order);
    expect(read.ok && definitionDigest(read.value)).toBe(definitionDigest(order));
  });

  it("keeps early signals where a node waits for one, unless profiles are said [DEF-requires]", () => {
    expect(order.requires).toEqual(["buffered-signals", "core"]);
    expect(order.limits.maxBufferedSignals).toBe(64);
    expect(defineWorkflow({ ...typed, requires: ["core"], nodes: { charge, ...rest } }).requires).toEqual([
      "core",
    ]);
    expect(
      defineWorkflow({ id: "a", start: "done", nodes: { done: { kind: "complete" } } }).requires,
    ).toEqual(["core"]);
  });

  it("fills in the dialects of which nothing is said, each by itself [DEF-dialects]", () => {
    const nodes = { done: { kind: "complete" } } as const;
    const dialects = (said: Parameters<typeof defineWorkflow>[0]["dialects"]) =>
      defineWorkflow({ id: "a", start: "done", nodes, ...(said && { dialects: said }) }).dialects;
    const schema = "https://json-schema.org/draft/2020-12/schema";
    expect(dialects({ numbers: "int53" })).toEqual({ schema, numbers: "int53", expressions: "minimal" });
    expect(dialects({ schema: null })).toEqual({ numbers: "binary64", expressions: "minimal" });
    expect(() => dialects(["int53"] as never)).toThrow(
      expect.objectContaining({ code: "definition.invalid" }),
    );
  });

  it("throws definition.invalid with every finding for what types cannot see", () => {
    try {
      defineWorkflow({ id: "x", start: "a", nodes: { a: { kind: "complete" }, b: { kind: "complete" } } });
    } catch (error) {
      if (!isSwlError(error)) throw error;
      expect(error.code).toBe("definition.invalid");
      expect(error.findings?.map((finding) => finding.code)).toEqual(["definition.unreachable"]);
      return;
    }
    throw new Error("accepted");
  });

  it("takes parts that were made elsewhere, and mappings about which nothing is known", () => {
    const mapping: Mapping = { amount: 1, order: "x" };
    const path: string[] = ["input", "amount"];
    const anywhere: NodeInput = done;
    const nodes: NodeSet = { charge, ...rest };
    const contracts: { readonly [id: string]: ActionInput } = actions;
    const whole: Definition[] = [
      defineWorkflow({ ...typed, nodes: { ...rest, charge: { ...charge, input: mapping } } }),
      defineWorkflow({
        ...typed,
        nodes: { ...rest, charge: { ...charge, input: { amount: { $get: path }, order: "x" } } },
      }),
      defineWorkflow({ ...typed, nodes: { ...rest, charge, done: anywhere } }),
      defineWorkflow({ ...said, nodes }),
      defineWorkflow({ ...said, actions: contracts, nodes: { ...rest, charge } }),
    ];
    expect(whole.map(({ id }) => id)).toEqual(Array.from(whole, () => "order"));
  });
});

describe("a mapping", () => {
  it("is allowed where it is right: a list by index, an optional member, a constant, a literal, an unknown result", () => {
    const right: readonly Mapping[] = [
      { amount: 1, order: { $get: ["input", "lines", 0, "item"] } },
      { amount: { $literal: 1 }, order: { $get: ["input", "note"] } },
      { amount: { $get: ["nodes", "ship", "output", "anything"] }, order: { $get: ["run", "id"] } },
      { amount: { $get: ["from", "output", "amount"] }, order: { $get: ["nodes", "charge", "outcome"] } },
    ];
    defineWorkflow({
      ...typed,
      nodes: {
        ...rest,
        charge: { ...charge, input: { amount: 1, order: { $get: ["input", "lines", 0, "item"] } } },
      },
    });
    defineWorkflow({
      ...typed,
      nodes: {
        ...rest,
        charge: { ...charge, input: { amount: { $literal: 1 }, order: { $get: ["input", "note"] } } },
      },
    });
    defineWorkflow({
      ...typed,
      nodes: {
        ...rest,
        charge: {
          ...charge,
          input: {
            amount: { $get: ["nodes", "ship", "output", "anything"] },
            order: { $get: ["run", "id"] },
          },
        },
      },
    });
    for (const input of right) {
      const built = defineWorkflow({ ...typed, nodes: { ...rest, charge: { ...charge, input } } });
      expect(built.nodes["charge"]).toMatchObject({ input });
    }
  });
});
