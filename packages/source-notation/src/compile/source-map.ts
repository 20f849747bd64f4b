/**
 * Where the author wrote what a JSON Pointer of the definition points to: a token of the DOT file, a value of the
 * settings, or a value of a schema file. A value that the compiler filled in has the place of the thing it belongs to.
 * Spec: DOT-places.
 */
import type { JsonDocument, Place } from "@swl/base";

export class SourceMap {
  /** What DOT says, by pointer. */
  readonly #drawn = new Map<string, Place>();
  /** Schema files, by the pointer of the schema they stand for. */
  readonly #files = new Map<string, JsonDocument>();
  #settings: JsonDocument | undefined;

  draw(pointer: string, place: Place): void {
    this.#drawn.set(pointer, place);
  }

  mount(pointer: string, file: JsonDocument): void {
    this.#files.set(pointer, file);
  }

  /** Settings are laid out as the definition is: the same pointer means the same thing. */
  useSettings(settings: JsonDocument): void {
    this.#settings = settings;
  }

  placeOf(pointer: string): Place | undefined {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf("/"))) {
      const place =
        this.#drawn.get(at) ?? this.#inFile(at) ?? (at === "" ? undefined : this.#settings?.placeOf(at));
      if (place || at === "") return place;
    }
  }

  #inFile(pointer: string): Place | undefined {
    for (let at = pointer; at !== ""; at = at.slice(0, at.lastIndexOf("/"))) {
      const file = this.#files.get(at);
      if (file) return file.placeOf(pointer.slice(at.length));
    }
    return undefined;
  }
}
