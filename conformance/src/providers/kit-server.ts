/** A server of the kit's own on loopback: it answers as it is told, byte for byte, and remembers what it received. */
import { type AddressInfo, createServer, type Socket } from "node:net";

export interface KitServer {
  readonly origin: string;
  /** The requests that were received whole, as text. */
  readonly requests: readonly string[];
  close(): Promise<void>;
}

/** `answer` gets each whole request and the connection that it came on. */
export async function openKitServer(
  answer: (request: string, connection: Socket) => void,
): Promise<KitServer> {
  const requests: string[] = [];
  const connections = new Set<Socket>();
  const server = createServer((connection) => {
    connections.add(connection);
    let text = "";
    connection.on("error", () => undefined);
    connection.on("data", (chunk) => {
      text += chunk.toString("latin1");
      const head = text.indexOf("\r\n\r\n");
      const length = Number(/^content-length: *(\d+)/im.exec(text)?.[1] ?? 0);
      if (head < 0 || text.length < head + 4 + length) return;
      requests.push(text);
      const request = text;
      text = "";
      answer(request, connection);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const connection of connections) connection.destroy();
      }),
  };
}

export function respond(status: number, body: string, headers: readonly string[] = []) {
  return (_: string, connection: Socket): void => {
    const length = `content-length: ${Buffer.byteLength(body)}`;
    const head = [`HTTP/1.1 ${status} Kit`, "content-type: application/json", length, ...headers];
    connection.write(`${head.join("\r\n")}\r\n\r\n${body}`);
  };
}

export async function withServer<T>(
  answer: (request: string, connection: Socket) => void,
  use: (server: KitServer) => Promise<T>,
): Promise<T> {
  const server = await openKitServer(answer);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}
