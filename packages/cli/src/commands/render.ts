/** `swl render`: a workflow as SVG or Mermaid text, with the path that one run took when it is asked for. */
import { SwlError } from "@swl/base";
import { type Definition, definitionDigest, validate } from "@swl/definition";
import type { RunStatus } from "@swl/durable-state";
import type { Edge } from "@swl/execution/model";
import { type Overlay, overlayOf, renderMermaid, renderSvg } from "@swl/source-notation/render";
import { type ExitCode, exit } from "../exit-codes.js";
import { checkId } from "../lib/arguments.js";
import { outFile, writeWhole } from "../lib/output-file.js";
import { print, printJson, remark, type Session } from "../lib/session.js";
import { requireSource } from "../lib/source.js";
import { type StoreOption, withControl } from "../lib/store.js";
import { oneLine, printableXml } from "../lib/visible.js";

export interface RenderOptions extends StoreOption {
  readonly out?: string;
  readonly run?: string;
  /** Default `svg`. */
  readonly format?: "svg" | "mermaid";
  /** Of an SVG; default `auto`: as the reader's own colors are. */
  readonly theme?: "light" | "dark" | "auto";
}

/** Without a source the definition that the run pinned is drawn. */
export async function render(
  session: Session,
  path: string | undefined,
  options: RenderOptions,
): Promise<ExitCode> {
  checkId("--run", options.run);
  const format = options.format ?? "svg";
  if (format === "mermaid" && options.theme !== undefined) {
    throw new SwlError("cli.usage", "--theme is for SVG: who shows Mermaid text chooses its colors");
  }
  const taken = options.run === undefined ? undefined : await runPicture(session, options.run, options);
  const source = path === undefined ? undefined : await requireSource(session, path);
  const definition = source ?? taken?.definition;
  if (definition === undefined) {
    throw new SwlError("cli.usage", "there is nothing to draw: give PATH, or --run RUN");
  }
  if (source && taken && definitionDigest(source) !== definitionDigest(taken.definition)) {
    remark(session, oneLine(`run ${options.run} pins another definition than ${path}: its path may not fit`));
  }
  const overlay = taken === undefined ? {} : { overlay: taken.overlay };
  const theme = options.theme === undefined ? {} : { theme: options.theme };
  const picture =
    format === "svg"
      ? await renderSvg(definition, { ...theme, ...overlay })
      : renderMermaid(definition, overlay);
  const out = outFile(options);
  if (out === undefined) {
    if (session.json) printJson(session, { [format]: picture });
    else print(session, printableXml(picture.trimEnd()));
    return exit.ok;
  }
  await writeWhole(session, out, picture);
  if (session.json) printJson(session, { out });
  else print(session, `wrote ${oneLine(out)}`);
  return exit.ok;
}

async function runPicture(
  session: Session,
  run: string,
  options: StoreOption,
): Promise<{ readonly definition: Definition; readonly overlay: Overlay }> {
  return withControl(session, options, async (control) => {
    const outcome = validate(await control.definition(run));
    if (!outcome.ok) {
      throw new SwlError("definition.invalid", `the definition of run ${run} cannot be read`, {
        findings: outcome.findings,
      });
    }
    const overlay = pictureOf(await control.status(run), await control.path(run));
    return { definition: outcome.value, overlay };
  });
}

/** A run over its workflow: of one whose state cannot be read, the way that its log tells. */
function pictureOf({ view }: RunStatus, path: readonly Edge[]): Overlay {
  return view === undefined
    ? { path, current: [], parked: [], failed: [], counts: {} }
    : overlayOf(view, path);
}
