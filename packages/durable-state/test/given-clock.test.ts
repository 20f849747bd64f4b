/** A store that goes by a clock from outside is for tests: a host takes it only when it has one too. */
import { core } from "@swl/execution";
import { inProcess } from "@swl/invocation-control/in-process";
import { openMemoryStore } from "@swl/store-memory";
import { describe, expect, it } from "vitest";
import { systemClock } from "../src/clock.js";
import { createHost } from "../src/index.js";

describe("a host on a store whose clock was given", () => {
  const options = { models: [core], bindings: inProcess({}) };

  it("refuses it when it has none itself [STO-capabilities]", async () => {
    const store = openMemoryStore({ clock: () => 0 });
    const opening = createHost({ ...options, store });
    await expect(opening).rejects.toMatchObject({ code: "host.option-invalid" });
    await expect(opening).rejects.toThrow("a clock that it was given");
    expect(await store.holders(9)).toEqual([]);
  });

  it("takes it when it has one too [STO-capabilities]", async () => {
    const store = openMemoryStore({ clock: Date.now });
    const host = await createHost({ ...options, store, clock: systemClock });
    expect(await store.holders(9)).toHaveLength(1);
    await host.close();
  });

  it("asks for none when the store goes by its own [STO-capabilities]", async () => {
    const host = await createHost({ ...options, store: openMemoryStore() });
    await host.close();
  });
});
