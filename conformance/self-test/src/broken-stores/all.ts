/** All broken stores. */
import { appendFaults } from "./append-faults.ts";
import { keepingFaults } from "./keeping-faults.ts";
import { leaseFaults } from "./lease-faults.ts";
import { limitFaults } from "./limit-faults.ts";
import { requestFaults } from "./request-faults.ts";
import { stateFaults } from "./state-faults.ts";
import type { StoreFault } from "./store-faults.ts";
import { wakeFaults } from "./wake-faults.ts";

export const storeFaults: readonly StoreFault[] = [
  ...appendFaults,
  ...requestFaults,
  ...limitFaults,
  ...stateFaults,
  ...leaseFaults,
  ...wakeFaults,
  ...keepingFaults,
];
