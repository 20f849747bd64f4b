/** `swl render`: a workflow as SVG, with the path that one run took when it is asked for. */
import { SwlError } from "@swl/base";
import { type Definition, definitionDigest, validate } from "@swl/definition";
import type { Edge } from "@swl/execution/model";
import { renderSvg } from "@swl/source-notation/render";
import { type ExitCode, exit } from "../exit-codes.js";
import { print, printJson, remark, type Session } from "../lib/session.js";
import { requireSource } from "../lib/source.js";
import { type StoreOption, withControl } from "../lib/store.js";
import { writeWhole } from "./author.js";

export interface RenderOptions extends StoreOption {
  readonly out?: string;
  readonly run?: string;
  readonly theme?: "light" | "dark";
}

/** Without a source the definition that the run pinned is drawn. */
export async function render(
  session: Session,
  path: string | undefined,
  options: RenderOptions,
): Promise<ExitCode> {
  const taken = options.run === undefined ? undefined : await runPicture(session, options.run, options);
  const source = path === undefined ? undefined : await requireSource(session, path);
  const definition = source ?? taken?.definition;
  if (definition === undefined) {
    throw new SwlError("cli.usage", "there is nothing to draw: give PATH, or --run RUN");
  }
  if (source && taken && definitionDigest(source) !== definitionDigest(taken.definition)) {
    remark(session, `run ${options.run} pins another definition than ${path}: its path may not fit`);
  }
  const svg = await renderSvg(definition, {
    ...(options.theme !== undefined && { theme: options.theme }),
    ...(taken !== undefined && { path: taken.path }),
  });
  if (options.out === undefined) {
    if (session.json) printJson(session, { svg });
    else print(session, svg.trimEnd());
    return exit.ok;
  }
  await writeWhole(session, options.out, svg);
  if (session.json) printJson(session, { out: options.out });
  else print(session, `wrote ${options.out}`);
  return exit.ok;
}

async function runPicture(
  session: Session,
  run: string,
  options: StoreOption,
): Promise<{ readonly definition: Definition; readonly path: readonly Edge[] }> {
  return withControl(session, options, async (control) => {
    const outcome = validate(await control.definition(run));
    if (!outcome.ok) {
      throw new SwlError("definition.invalid", `the definition of run ${run} cannot be read`, {
        findings: outcome.findings,
      });
    }
    return { definition: outcome.value, path: await control.path(run) };
  });
}
