import { describe, expect, it } from "vitest";
import { mayReach, parseRange } from "../src/http/address.js";
import { callHttp, providerOf, serve } from "./http-server.js";

describe("an address", () => {
  it("that is not public is refused in every form [INV-call-guard]", () => {
    const refused = [
      ...[
        "0.0.0.0",
        "10.0.0.1",
        "100.64.0.1",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
      ],
      ...[
        "172.31.255.255",
        "192.0.0.1",
        "192.168.1.1",
        "198.18.0.1",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
      ],
      ...[
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:7f00:1",
        "::ffff:10.0.0.1",
        "fe80::1",
        "fec0::1",
      ],
      ...["fc00::1", "fd12:3456::1", "ff02::1", "64:ff9b::10.0.0.1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1"],
      ...["2002:7f00:1::", "2002:a00:1::1", "2001:db8::1", "2001::1", "100::1", "3fff::1", "5f00::1"],
      ...["fe80::1%eth0", "", "localhost", "127.1", "0x7f000001", "2130706433", "1.2.3.4.5"],
    ];
    expect(refused.filter((address) => mayReach(address, []))).toEqual([]);
  });

  it("that is public is reached [INV-call-guard]", () => {
    const public_ = [
      ...[
        "1.1.1.1",
        "8.8.8.8",
        "100.63.255.255",
        "100.128.0.1",
        "172.15.0.1",
        "172.32.0.1",
        "223.255.255.255",
      ],
      ...["2606:4700::1111", "2a00:1450:4001::200e", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8", "2002:808:808::1"],
    ];
    expect(public_.filter((address) => !mayReach(address, []))).toEqual([]);
  });

  it("is allowed by a range of a binding, in its other forms too [INV-call-guard]", () => {
    const allowed = [parseRange("10.1.0.0/16")!, parseRange("fd00::/8")!, parseRange("127.0.0.1")!];
    for (const address of ["10.1.2.3", "::ffff:10.1.2.3", "fd12::1", "127.0.0.1"]) {
      expect([address, mayReach(address, allowed)]).toEqual([address, true]);
    }
    for (const address of ["10.2.0.1", "127.0.0.2", "fe80::1"]) {
      expect([address, mayReach(address, allowed)]).toEqual([address, false]);
    }
    for (const text of [
      "10.0.0.0/33",
      "::/129",
      "x",
      "10.0.0.0/",
      "10.0.0.0/08",
      "10.0.0.0/8/8",
      "localhost",
    ]) {
      expect([text, parseRange(text)]).toEqual([text, undefined]);
    }
  });
});

describe("the guard", () => {
  const refused = { kind: "failed", retryable: false, error: { code: "provider.address-refused" } };

  it("refuses a binding that names such an address, however it is written [INV-call-guard]", () => {
    for (const host of [
      ...["127.0.0.1", "0x7f.1", "0177.0.0.1", "2130706433", "127.1", "0", "[::1]", "[::ffff:127.0.0.1]"],
      ...["169.254.169.254", "[fe80::1]", "10.0.0.1", "[64:ff9b::7f00:1]", "１２７.０.０.１"],
    ]) {
      expect(() => providerOf({ url: `http://${host}/`, allow: [] })).toThrow(/is not a public address/);
    }
  });

  it("refuses a name that leads to one, alone or among others [INV-call-guard]", async () => {
    const server = await serve();
    const { port } = new URL(server.origin);
    for (const addresses of [["127.0.0.1"], ["1.1.1.1", "127.0.0.1"], ["::ffff:127.0.0.1"]]) {
      const lookup = async () => addresses.map((address) => ({ address }));
      const url = `http://public.example:${port}/`;
      expect(await callHttp({ url, allow: [] }, { lookup })).toMatchObject(refused);
    }
    expect(server.seen).toEqual([]);
  });

  it("connects to the address that it judged, and asks for the name once [INV-call-guard]", async () => {
    const server = await serve();
    const { port } = new URL(server.origin);
    let asked = 0;
    const lookup = async () => [{ address: asked++ === 0 ? "127.0.0.1" : "10.0.0.1" }];
    const answer = await callHttp({ url: `http://rebinding.example:${port}/` }, { lookup });
    expect([answer.kind, asked, server.seen[0]?.headers.host]).toEqual([
      "completed",
      1,
      `rebinding.example:${port}`,
    ]);
  });

  it("judges where a redirect leads [INV-call-redirects]", async () => {
    const inner = await serve();
    const { port } = new URL(inner.origin);
    const location = `http://inner.example:${port}/`;
    const outer = await serve((_, respond) => respond(307, "", { location }));
    const lookup = async () => [{ address: "127.0.0.2" }];
    const redirects = { max: 3, to: [new URL(location).origin] };
    expect(await callHttp({ url: outer.origin, redirects }, { lookup })).toMatchObject(refused);
    expect(inner.seen).toEqual([]);
  });
});

describe("a redirect", () => {
  it("is not followed unless the binding says so, and then to its own origin alone [INV-call-redirects]", async () => {
    const other = await serve();
    const server = await serve((seen, respond) => {
      if (seen.url === "/there") respond(200, "1");
      else respond(307, "", { location: seen.url === "/away" ? other.origin : "/there" });
    });
    const call = (path: string, max: number) => callHttp({ url: server.origin + path, redirects: { max } });
    expect(await call("/", 0)).toMatchObject({
      kind: "failed",
      retryable: false,
      error: { details: { status: 307 } },
    });
    expect(await call("/", 1)).toMatchObject({ kind: "completed", output: 1 });
    expect(server.seen.at(-1)).toMatchObject({ method: "POST", body: '{"order":{"id":"o-7"}}' });
    expect(await call("/away", 5)).toMatchObject({ kind: "failed", error: { details: { status: 307 } } });
    expect(other.seen).toEqual([]);
  });

  it("takes no secret to another origin [INV-call-redirects]", async () => {
    const other = await serve();
    const server = await serve((_, respond) => respond(308, "", { location: `${other.origin}/x` }));
    await callHttp(
      {
        url: server.origin,
        headers: { authorization: "Basic eA==", "x-key": { env: "KEY" }, "x-plain": "1" },
        redirects: { max: 1, to: [other.origin] },
      },
      { environment: { KEY: "the-secret-key" } },
    );
    expect(other.seen[0]?.headers).toMatchObject({ "x-plain": "1", "idempotency-key": "r1/act/1" });
    expect(other.seen[0]?.headers).not.toHaveProperty("authorization");
    expect(other.seen[0]?.headers).not.toHaveProperty("x-key");
  });

  it("without end ends [INV-call-redirects]", async () => {
    const server = await serve((_, respond) => respond(307, "", { location: "/again" }));
    expect(await callHttp({ url: server.origin, redirects: { max: 4 } })).toMatchObject({ kind: "failed" });
    expect(server.seen.length).toBe(5);
  });

  it("after which the work may have been done is no failure of what may not be repeated [INV-call-status]", async () => {
    const server = await serve((_, respond) => respond(303, "", { location: "/elsewhere" }));
    expect(await callHttp({ url: server.origin })).toMatchObject({ kind: "unknown", reason: "ack-lost" });
    expect(await callHttp({ url: server.origin }, { effect: "pure" })).toMatchObject({ kind: "failed" });
  });
});
