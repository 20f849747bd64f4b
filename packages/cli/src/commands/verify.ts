/** `swl verify`: whether a run's log and the states that were stored with it say the same. */
import { type ExitCode, exit } from "../exit-codes.js";
import { checkId } from "../lib/arguments.js";
import { print, printJson, type Session } from "../lib/session.js";
import { type StoreOption, withControl } from "../lib/store.js";

export interface VerifyOptions extends StoreOption {
  readonly position?: number;
}

export async function verify(session: Session, run: string, options: VerifyOptions): Promise<ExitCode> {
  checkId("RUN", run);
  const { position } = options;
  return withControl(session, options, async (control) => {
    const found = await control.verify(run, position === undefined ? {} : { position });
    const { compared, differing, view } = found;
    if (session.json) printJson(session, found);
    else {
      const word = differing.length === 0 ? session.paint.green("the same") : session.paint.red("differs");
      const at = differing.length === 0 ? "" : ` at ${differing.join(", ")}`;
      print(session, `${run} to position ${found.position}: ${compared} states compared, ${word}${at}`);
      for (const place of view?.positions ?? []) print(session, `  at ${place.node}, visit ${place.visit}`);
      if (view !== undefined) print(session, `  ${view.status}`);
    }
    return differing.length === 0 ? exit.ok : exit.differs;
  });
}
