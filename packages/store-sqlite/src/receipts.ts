/** Receipts: what the first request under an ID was given. */
import type { Changes, Receipt } from "@swl/store-provider";
import type { Database } from "./driver.js";

export function findReceipt(database: Database, scope: string, request: string): Receipt | undefined {
  const row = database.get(
    `SELECT r.digest, r.position, r.at, s.stream FROM receipts r JOIN streams s ON s.sid = r.sid
      WHERE r.scope = ? AND r.request = ?`,
    scope,
    request,
  );
  if (row === undefined) return undefined;
  return {
    scope,
    request,
    digest: row["digest"] as string,
    stream: row["stream"] as string,
    position: row["position"] as number,
    at: row["at"] as number,
  };
}

export function insertReceipts(database: Database, sid: number, { receipts }: Changes): void {
  for (const { scope, request, digest, position, at } of receipts) {
    database.run(
      "INSERT INTO receipts (scope, request, digest, sid, position, at) VALUES (?, ?, ?, ?, ?, ?)",
      scope,
      request,
      digest,
      sid,
      position,
      at,
    );
  }
}
