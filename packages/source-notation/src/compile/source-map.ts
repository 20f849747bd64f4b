/**
 * Where the author wrote what a JSON Pointer of the definition points to: a token of the DOT file, a value of the
 * settings, or a value of a schema file. A value that the compiler filled in has the place of the thing it belongs to.
 * Spec: DOT-places.
 */
import type { JsonDocument, Place } from "@swl/base";

/** Takes the place of what a pointer of the definition points to. */
export type Draw = (pointer: string, place: Place) => void;

export class SourceMap {
  /** What DOT says, by pointer; collected when the first place is asked for. */
  #drawn: Map<string, Place> | undefined;
  #collect: ((draw: Draw) => void) | undefined;
  /** Schema files, by the pointer of the schema they stand for. */
  readonly #files = new Map<string, JsonDocument>();
  #settings: JsonDocument | undefined;

  useDrawing(collect: (draw: Draw) => void): void {
    this.#collect = collect;
  }

  mount(pointer: string, file: JsonDocument): void {
    this.#files.set(pointer, file);
  }

  /** Settings are laid out as the definition is: the same pointer means the same thing. */
  useSettings(settings: JsonDocument): void {
    this.#settings = settings;
  }

  placeOf(pointer: string): Place | undefined {
    const drawn = this.#drawings();
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const place =
        drawn.get(at) ?? this.#inFile(at) ?? (at === "" ? undefined : this.#settings?.placeOf(at));
      if (place || at === "") return place;
    }
  }

  /** Where the settings name the file that stands for the schema at a pointer; undefined where none does. */
  mountOf(pointer: string): Place | undefined {
    return this.#files.has(pointer) ? this.#settings?.placeOf(pointer) : undefined;
  }

  #drawings(): ReadonlyMap<string, Place> {
    if (this.#drawn === undefined) {
      const drawn = new Map<string, Place>();
      this.#collect?.((pointer, place) => drawn.set(pointer, place));
      this.#drawn = drawn;
    }
    return this.#drawn;
  }

  #inFile(pointer: string): Place | undefined {
    for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      const file = this.#files.get(at);
      if (file) return file.placeOf(pointer.slice(at.length));
    }
    return undefined;
  }
}
