import type { Json } from "@swl/base";
import { defineWorkflow } from "@swl/definition";
import { core } from "@swl/execution";
import type { ExecutionModel } from "@swl/execution/model";
import { describe, expect, it } from "vitest";
import { Definitions } from "../src/definitions.js";
import type { CreatedDocument } from "../src/formats.js";

describe("prepared definitions", () => {
  it("are remembered as long as they are among the last thousand used [DUR-created-runs]", async () => {
    const blobs = new Map<string, Json>();
    const loads: string[] = [];
    const store = {
      blob: async (digest: string) => {
        loads.push(digest);
        return blobs.get(digest);
      },
    };
    const definitions = new Definitions(store as never, [core as ExecutionModel]);
    const pinned = (id: string): CreatedDocument => {
      const document = defineWorkflow({
        id,
        start: "done",
        nodes: { done: { kind: "complete", output: null } },
      } as never) as unknown as Json;
      const { definition } = definitions.prepare(document).requirements;
      blobs.set(definition, document);
      return { definition, model: core.id, semantics: core.semantics.writes } as CreatedDocument;
    };
    const [used, unused] = [pinned("used"), pinned("unused")];
    await definitions.serve(used);
    await definitions.serve(unused);
    for (let index = 0; index < 1_000; index++) {
      await definitions.serve(pinned(`w${index}`));
      if (index % 100 === 0) await definitions.serve(used);
    }
    loads.length = 0;
    await definitions.serve(used);
    await definitions.serve(unused);
    expect(loads).toEqual([unused.definition]);
  });
});
