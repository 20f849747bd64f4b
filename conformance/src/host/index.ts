// Checks of a durable host
import { acceptanceChecks } from "./acceptance-checks.js";
import { claimChecks } from "./claim-checks.js";
import { creationChecks } from "./creation-checks.js";
import { effectChecks } from "./effect-checks.js";
import type { HostCheck } from "./harness.js";
import { limitChecks } from "./limit-checks.js";
import { mandatoryChecks } from "./mandatory-checks.js";
import { operationChecks } from "./operation-checks.js";
import { operatorChecks } from "./operator-checks.js";
import { recoveryChecks } from "./recovery-checks.js";
import { sharingChecks } from "./sharing-checks.js";

export type { CrashPoint } from "./crash-life.js";
export type { CrashSetting } from "./crash-points.js";
export { crashPoints, crashProblems, recoveryPoints } from "./crash-points.js";
export type { CrashScenario, Outside, World } from "./crash-scenarios.js";
export { crashScenarios } from "./crash-scenarios.js";
export type { Effect } from "./effect-ledger.js";
export { EffectLedger } from "./effect-ledger.js";
export type {
  CheckClock,
  CheckTime,
  HostCheck,
  HostHarness,
  HostSetting,
  HostStorage,
  HostUnderTest,
} from "./harness.js";
export { mandatoryChecks } from "./mandatory-checks.js";
export type { Mortal } from "./mortal.js";
export { mortal, through } from "./mortal.js";

export const hostChecks: readonly HostCheck[] = [
  ...acceptanceChecks,
  ...effectChecks,
  ...recoveryChecks,
  ...sharingChecks,
  ...operationChecks,
  ...limitChecks,
  ...operatorChecks,
  ...creationChecks,
  ...claimChecks,
  ...mandatoryChecks,
];
