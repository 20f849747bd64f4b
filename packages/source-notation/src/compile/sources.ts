/** A source folder as data: what a compiler needs of it, wherever it comes from. Spec: DOT-source-files. */
import type { Diagnostic } from "@swl/base";

export interface Sources {
  /** Content by name, names relative to the folder and `/` separated. Files that nothing declares are ignored. */
  readonly files: ReadonlyMap<string, string | Uint8Array>;
  /** The graph; default `workflow.dot`. */
  readonly workflow?: string;
  /** The settings; default `settings.json` if there is such a file. */
  readonly settings?: string;
  /** How the caller named the folder: findings name files as `folder/name`. */
  readonly folder?: string;
  /** Declared files that could not be had, and why: the finding is placed where the file is declared. */
  readonly refused?: ReadonlyMap<string, Pick<Diagnostic, "code" | "message">>;
}

/** The name of a file in findings. */
export function displayName({ folder }: Sources, name: string): string {
  return folder === undefined || folder === "" ? name : `${folder.replace(/\/+$/, "")}/${name}`;
}
