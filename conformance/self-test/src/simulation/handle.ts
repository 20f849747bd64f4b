/** A process's handle on the store: every call goes through the scheduler, and wake-ups come late, or never. */
import { through } from "@swl/conformance";
import type { Store, Wake } from "@swl/store-provider";
import { type Calls, storeFailed } from "./calls.ts";
import type { Life } from "./life.ts";
import type { World } from "./world.ts";

export function handleOf(world: World, calls: Calls, life: Life, store: Store): Store {
  const called = through(store, (name, perform) =>
    name === "close"
      ? Promise.resolve()
      : calls.make(life, { name, takes: 3, perform, failed: storeFailed(name) }),
  );
  return new Proxy(called, {
    get: (target, name) =>
      name === "watch"
        ? (listener: (wakes: readonly Wake[]) => void) =>
            store.watch((wakes) => hear(world, life, wakes, listener))
        : (Reflect.get(target, name) as unknown),
  });
}

/** One in eight is lost in any case, and some come twice. */
function hear(
  world: World,
  life: Life,
  wakes: readonly Wake[],
  listener: (wakes: readonly Wake[]) => void,
): void {
  if (life.dead || world.now < life.deafUntil || world.random.oneIn(8)) return;
  for (let times = world.random.oneIn(8) ? 2 : 1; times > 0; times--)
    life.after(world.random.int(6), () => listener(wakes));
}
