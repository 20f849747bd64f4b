/** Colors for people; without a terminal every function returns its text unchanged. */

export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
}

export function painter(color: boolean): Paint {
  const sgr = (on: number, off: number) => (text: string) =>
    color ? `\u001b[${on}m${text}\u001b[${off}m` : text;
  return { bold: sgr(1, 22), dim: sgr(2, 22), red: sgr(31, 39), green: sgr(32, 39), yellow: sgr(33, 39) };
}

/** A status word in the color of how much it asks for. */
export function paintStatus(paint: Paint, status: string): string {
  if (status === "completed") return paint.green(status);
  if (status === "failed" || status === "canceled") return paint.red(status);
  if (status === "needs-intervention" || status === "quarantined") return paint.yellow(paint.bold(status));
  if (status === "waiting") return paint.yellow(status);
  return status;
}
