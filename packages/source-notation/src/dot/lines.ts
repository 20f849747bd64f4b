/** Offsets to lines and columns: one pass over the text at the first question, then a binary search each. */
import type { Place } from "@swl/base";

export interface LineIndex {
  /** Lines and columns from 1; columns count UTF-16 code units; `\n`, `\r\n` and `\r` end a line. */
  at(offset: number): Place;
}

function lineStarts(text: string): readonly number[] {
  const starts = [0];
  const end = /\r\n|\r|\n/g;
  while (end.exec(text)) starts.push(end.lastIndex);
  return starts;
}

export function lineIndex(file: string, text: string): LineIndex {
  let starts: readonly number[] | undefined;
  return {
    at(offset) {
      starts ??= lineStarts(text);
      let low = 0;
      let high = starts.length;
      while (high - low > 1) {
        const middle = (low + high) >> 1;
        if ((starts[middle] ?? 0) <= offset) low = middle;
        else high = middle;
      }
      return { file, line: low + 1, column: offset - (starts[low] ?? 0) + 1 };
    },
  };
}
