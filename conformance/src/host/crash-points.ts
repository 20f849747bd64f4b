/**
 * Crashes at every point: a host dies before and after each call of its store and its provider, another one goes on,
 * and the ledger of effects says whether anybody was lied to.
 *
 * 1. the run ends as the undisturbed one does, with the same effects
 * 2. what was acknowledged stands where the answer said, in that order (DUR-acknowledged-kept, DUR-accepted-order)
 * 3. an effect that must not be repeated blindly is there once, or as often as somebody decided (DUR-takeover)
 * 4. a start key gives one run (DUR-start-key); the log folds to the stored states; nothing is left to do
 */
import { isJsonObject } from "@swl/base";
import type { CrashPoint } from "./crash-life.js";
import { CrashPlay, type Played, type PlaySetting } from "./crash-play.js";
import type { CrashScenario } from "./crash-scenarios.js";
import type { HostHarness } from "./harness.js";

export interface CrashSetting {
  /** Milliseconds that a host's lease lasts; default 500. */
  readonly lease?: number;
  /** Plays at once; default 1. */
  readonly atOnce?: number;
}

const settingOf = ({ lease = 500 }: CrashSetting): PlaySetting => ({ lease });

/** Before and after each call that a host makes from its opening to the end of an undisturbed run. */
export async function crashPoints(
  harness: HostHarness,
  scenario: CrashScenario,
  setting: CrashSetting = {},
): Promise<readonly CrashPoint[]> {
  const { calls } = await CrashPlay.play(harness, scenario, [], settingOf(setting));
  return bothSides(calls[0] ?? []);
}

/** Before and after each call of the host that goes on when the first one died at the point. */
export async function recoveryPoints(
  harness: HostHarness,
  scenario: CrashScenario,
  first: CrashPoint,
  setting: CrashSetting = {},
): Promise<readonly CrashPoint[]> {
  const { calls } = await CrashPlay.play(harness, scenario, [first], settingOf(setting));
  return bothSides(calls[1] ?? []);
}

function bothSides(calls: readonly string[]): CrashPoint[] {
  return calls.flatMap((_, index): CrashPoint[] => [
    { at: index + 1, when: "before" },
    { at: index + 1, when: "after" },
  ]);
}

/**
 * Plays the scenario once for each list of deaths (of the first host, of the next one, …), and says in words what is
 * wrong in which; empty when nothing is.
 */
export async function crashProblems(
  harness: HostHarness,
  scenario: CrashScenario,
  deaths: readonly (readonly CrashPoint[])[],
  setting: CrashSetting = {},
): Promise<readonly string[]> {
  const calm = await CrashPlay.play(harness, scenario, [], settingOf(setting));
  const problems: string[] = [];
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let mine = next++; mine < deaths.length; mine = next++) {
      const points = deaths[mine]!;
      problems.push(...(await problemsOf(harness, scenario, points, calm, settingOf(setting))));
    }
  };
  await Promise.all(Array.from({ length: setting.atOnce ?? 1 }, worker));
  return problems;
}

async function problemsOf(
  harness: HostHarness,
  scenario: CrashScenario,
  points: readonly CrashPoint[],
  calm: Played,
  setting: PlaySetting,
): Promise<readonly string[]> {
  const where = points.map(({ at, when }) => `${when} call ${at}`).join(", then ");
  try {
    const played = await CrashPlay.play(harness, scenario, points, setting);
    const calls = points.map(({ at }, index) => played.calls[index]?.[at - 1] ?? "none").join(", ");
    return faultsOf(scenario, played, calm).map((fault) => `${where} (${calls}): ${fault}`);
  } catch (error) {
    return [`${where}: ${error instanceof Error ? error.message : String(error)}`];
  }
}

function faultsOf(scenario: CrashScenario, played: Played, calm: Played): string[] {
  const { result, head, stats, ledger, run } = played;
  const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
  const effects = ledger.names(run);
  const expected = calm.ledger.names(calm.run);
  const few = effects.every((name) => expected.includes(name));
  const left = stats.work.waiting + stats.work.claimed + stats.dues;
  return [
    ...(same(result, calm.result) ? [] : [`ends with ${JSON.stringify(result)}`]),
    ...((scenario.anyEffects ? few : same(effects, expected)) ? [] : [`has the effects ${effects.join()}`]),
    ...ledger.problems,
    ...repeated(played),
    ...acknowledgedIn(played),
    ...(played.startedAgain === run ? [] : ["its start key gives another run"]),
    ...(played.differing.length === 0 ? [] : [`stored states differ at ${played.differing.join()}`]),
    ...played.faults.map(({ message }) => message),
    ...(head.owner === undefined && left === 0 ? [] : ["something is left to do"]),
  ];
}

/** Effects done twice that must not be, and unsafe attempts after the first one that nobody has decided. */
function repeated({ ledger, log }: Played): string[] {
  const decided = log.flatMap(({ document }) => {
    const event = isJsonObject(document) ? document["event"] : undefined;
    return event !== undefined && isJsonObject(event) && event["decision"] === "retry"
      ? [event["invocation"]]
      : [];
  });
  const twice = ledger.all.filter(({ invocation, times }) => times > 1 && !ledger.isRepeatable(invocation));
  const undecided = ledger.attempts.filter(
    ({ effect, attempt, invocation }) =>
      effect === "unsafe" && attempt > 1 + decided.filter((one) => one === invocation).length,
  );
  return [
    ...twice.map(({ action, times }) => `${action} is done ${times} times`),
    ...undecided.map(({ invocation, attempt }) => `attempt ${attempt} of ${invocation} is nobody's decision`),
  ];
}

function acknowledgedIn({ acknowledged }: Played): string[] {
  return acknowledged.flatMap(({ request, position, receipt }, index) => [
    ...(receipt === position ? [] : [`${request} was acknowledged at ${position} and is at ${receipt}`]),
    ...(index === 0 || acknowledged[index - 1]!.position < position ? [] : [`${request} is out of order`]),
  ]);
}
