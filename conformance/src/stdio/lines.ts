/** Bytes to lines: UTF-8, ended by LF, bounded. What is no text, or too long, breaks it off for good. */

export interface LineReader {
  readonly line: (text: string) => void;
  readonly broken: (why: string) => void;
}

export class Lines {
  readonly #maxBytes: number;
  readonly #reader: LineReader;
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  #parts: Buffer[] = [];
  #bytes = 0;
  #broken = false;

  constructor(maxBytes: number, reader: LineReader) {
    this.#maxBytes = maxBytes;
    this.#reader = reader;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0 && !this.#broken; end = chunk.indexOf(10, from)) {
      this.#take(chunk.subarray(from, end));
      from = end + 1;
      if (!this.#broken) this.#emit();
    }
    if (!this.#broken) this.#take(chunk.subarray(from));
  }

  #take(part: Buffer): void {
    this.#parts.push(part);
    this.#bytes += part.length;
    if (this.#bytes > this.#maxBytes) this.#break(`it printed a line of more than ${this.#maxBytes} bytes`);
  }

  #emit(): void {
    const bytes = Buffer.concat(this.#parts);
    this.#parts = [];
    this.#bytes = 0;
    let text: string;
    try {
      text = this.#decoder.decode(bytes);
    } catch {
      this.#break("it printed what is no UTF-8");
      return;
    }
    this.#reader.line(text);
  }

  #break(why: string): void {
    this.#broken = true;
    this.#parts = [];
    this.#reader.broken(why);
  }
}
