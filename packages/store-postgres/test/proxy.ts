/**
 * A wire between store and server that can be cut: before what the client says next has got through, or after the server
 * has answered it and before the client hears. What the client says at once counts as one call.
 */
import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { onTestFinished } from "vitest";

export interface Wire {
  readonly url: string;
  /** Cuts at the call with this number, counted from 1 and from now on, once. */
  cut(when: "before" | "after", call: number): void;
  /** True when the cut asked for last has been made. */
  readonly wasCut: boolean;
  /** What the server says on the connections that are open now is never heard. */
  mute(): void;
  /** Ends every connection. */
  drop(): void;
  /** Ends every connection and takes no further one, as when the process at its one end has died. */
  sever(): void;
}

export async function openProxy(target: string): Promise<Wire> {
  const address = new URL(target);
  const port = Number(address.port || 5432);
  let plan: { when: "before" | "after"; left: number } | undefined;
  let made = false;
  const sockets = new Set<Socket>();
  let generation = 0;

  const server = createServer((client) => {
    const upstream = connect(port, address.hostname);
    let deaf = false;
    const born = generation;
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => {
        sockets.delete(socket);
        client.destroy();
        upstream.destroy();
      });
    }
    client.on("data", (chunk) => {
      if (plan !== undefined) {
        plan.left -= 1;
        if (plan.left === 0) {
          const { when } = plan;
          plan = undefined;
          made = true;
          if (when === "before") {
            client.destroy();
            return;
          }
          deaf = true;
        }
      }
      upstream.write(chunk);
    });
    upstream.on("data", (chunk) => {
      if (born < generation) return;
      if (deaf) client.destroy();
      else client.write(chunk);
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const local = new URL(target);
  local.hostname = "127.0.0.1";
  local.port = String((server.address() as { readonly port: number }).port);
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };
  const sever = () => {
    drop();
    server.close();
  };
  onTestFinished(sever);
  return {
    url: local.href,
    cut(when, call) {
      plan = { when, left: call };
      made = false;
    },
    get wasCut() {
      return made;
    },
    mute() {
      generation += 1;
    },
    drop,
    sever,
  };
}
