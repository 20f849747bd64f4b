/**
 * Suggestions: the known name that a mistyped one most likely meant. Bounded, so that a document full of mistakes
 * costs no more than its length.
 */

/** Names beyond this many are not looked at. */
const maxCandidates = 1_000;
const maxLength = 64;

/**
 * The candidate with the fewest edits (insert, delete, replace, swap of neighbours; case does not count), when that
 * is at most a third of the name and no more than three; the first one of several. Names shorter than three match by
 * case alone. `undefined` otherwise, and when the name is itself among the candidates.
 */
export function nearest(name: string, candidates: Iterable<string>): string | undefined {
  if (name.length === 0 || name.length > maxLength) return undefined;
  const wanted = name.toLowerCase();
  let best: string | undefined;
  let bound = Math.min(3, Math.floor(name.length / 3)) + 1;
  let seen = 0;
  for (const candidate of candidates) {
    if (++seen > maxCandidates) break;
    if (candidate === name) return undefined;
    if (candidate.length > maxLength || Math.abs(candidate.length - name.length) >= bound) continue;
    const edits = distance(wanted, candidate.toLowerCase());
    if (edits < bound) {
      best = candidate;
      bound = edits;
    }
  }
  return best;
}

function distance(a: string, b: string): number {
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let edits = Math.min(previous[j]! + 1, current[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        edits = Math.min(edits, before[j - 2]! + 1);
      }
      current.push(edits);
    }
    before = previous;
    previous = current;
  }
  return previous[b.length]!;
}
