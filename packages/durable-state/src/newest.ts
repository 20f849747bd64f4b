/** What is remembered of the newest so many names: the oldest make room, so that nothing grows with what came and went. */
export class Newest<Value> {
  readonly #most: number;
  readonly #values = new Map<string, Value>();

  constructor(most: number) {
    this.#most = most;
  }

  get(name: string): Value | undefined {
    return this.#values.get(name);
  }

  has(name: string): boolean {
    return this.#values.has(name);
  }

  /** The newest from now on. */
  set(name: string, value: Value): void {
    this.#values.delete(name);
    this.#values.set(name, value);
    if (this.#values.size > this.#most) this.#values.delete(this.#values.keys().next().value!);
  }

  delete(name: string): void {
    this.#values.delete(name);
  }
}
