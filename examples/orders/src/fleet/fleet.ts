/**
 * Several hosts on one store, as processes: orders are handed out, members are killed and frozen, and every order that
 * was acknowledged is remembered. The fleet keeps the world's ledger: the one thing that outlives everything.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Ledger } from "../ledger.ts";
import { nodeFlags } from "../node-flags.ts";
import type { Order } from "../orders.ts";
import type { FromMember, MemberOptions, ToMember } from "./member.ts";

/** The gateway's side of the charges: what it took, and which attempts it will never serve. */
export class Gateway {
  readonly #ledger: Ledger;
  readonly #charges = new Map<string, Effect>();
  readonly #voided = new Map<string, number>();

  constructor(file: string) {
    this.#ledger = new Ledger(file);
  }

  /** Undefined: the attempt was voided before it came. */
  take(mode: "append" | "once", effect: Effect): Effect | undefined {
    if (mode === "once") return this.#ledger.once(effect);
    if (effect.attempt <= (this.#voided.get(effect.key) ?? 0)) return undefined;
    const taken = this.#ledger.append(effect);
    this.#charges.set(effect.key, taken);
    return taken;
  }

  /** What an operator asks before deciding: the charge, or the promise that this attempt will never make one. */
  settle(key: string, attempt: number): Effect | undefined {
    const charge = this.#charges.get(key);
    if (charge === undefined) this.#voided.set(key, attempt);
    return charge;
  }

  close(): void {
    this.#ledger.close();
  }
}

type Effect = Parameters<Ledger["append"]>[0];

interface Member {
  readonly process: ChildProcess;
  serving: boolean;
  frozen: boolean;
  /** Was told to. */
  leaves: boolean;
  readonly starting: Set<Order>;
}

export class Fleet {
  /** Acknowledged starts: order → run. */
  readonly started = new Map<string, string>();
  kills = 0;
  freezes = 0;
  /** Members that left as they were told. */
  replaced = 0;
  /** How members ended that nobody killed. */
  readonly failures: string[] = [];
  readonly #options: MemberOptions;
  readonly #gateway: Gateway;
  readonly #size: number;
  readonly #members = new Set<Member>();
  #orders: Order[];
  #over = false;

  constructor(options: MemberOptions, gateway: Gateway, orders: readonly Order[], size: number) {
    this.#options = options;
    this.#gateway = gateway;
    this.#orders = [...orders];
    this.#size = size;
    this.#fill();
  }

  /** Orders that no member has been given, or that come back from one that is gone. */
  get left(): number {
    return this.#orders.length;
  }

  /** Hands the next orders to a member each. */
  handOut(count: number): void {
    for (const order of this.#orders.splice(0, count)) {
      const member = pick(this.#awake());
      if (member === undefined) this.#orders.unshift(order);
      else this.#start(member, order);
    }
  }

  /** Two serve besides the one that it costs. */
  get canLose(): boolean {
    return this.#awake().length >= 3;
  }

  /** SIGKILL to one of those who serve, as long as two others do. False: they do not. */
  kill(): boolean {
    if (!this.canLose) return false;
    this.kills++;
    const member = pick(this.#awake())!;
    member.serving = false;
    member.process.kill("SIGKILL");
    return true;
  }

  /** SIGSTOP to one who serves, for so many milliseconds: beyond its lease. One at a time, as long as two others serve. */
  freeze(milliseconds: number): boolean {
    if (!this.canLose || [...this.#members].some(({ frozen }) => frozen)) return false;
    const member = pick(this.#awake())!;
    this.freezes++;
    member.frozen = true;
    member.process.kill("SIGSTOP");
    setTimeout(() => {
      member.process.kill("SIGCONT");
      member.frozen = false;
      // Others may have been handed these orders meanwhile if it was slow to say so: the key makes them one.
      this.#orders.push(...member.starting);
    }, milliseconds);
    return true;
  }

  /** It was told to end: nobody joins any more. */
  get over(): boolean {
    return this.#over;
  }

  /** Process IDs of those who serve. */
  get serving(): readonly number[] {
    return this.#awake().map(({ process: { pid = 0 } }) => pid);
  }

  /**
   * Every member that is there now leaves by SIGTERM, one after the other, as soon as three others serve. `told` hears of
   * each: when it is told to, and when it has left.
   */
  async replaceAll(told: (pid: number, step: "leaves" | "left") => void = () => undefined): Promise<void> {
    for (const member of [...this.#members]) {
      while (this.#awake().filter((one) => one !== member).length < 3) {
        if (this.#over) return;
        await sleep(50);
      }
      const exit = once(member.process, "exit");
      member.serving = false;
      member.leaves = true;
      const { pid = 0 } = member.process;
      told(pid, "leaves");
      member.process.kill("SIGTERM");
      await exit;
      told(pid, "left");
      this.replaced++;
    }
  }

  async end(): Promise<void> {
    this.#over = true;
    const processes = [...this.#members].map((member) => member.process);
    await Promise.all(
      processes.map(async (one) => {
        const exit = once(one, "exit");
        one.kill("SIGKILL");
        await exit;
      }),
    );
  }

  #awake(): Member[] {
    return [...this.#members].filter(({ serving, frozen }) => serving && !frozen);
  }

  #start(member: Member, order: Order): void {
    member.starting.add(order);
    say(member, { kind: "start", order });
  }

  #fill(): void {
    while (!this.#over && this.#members.size < this.#size) this.#add();
  }

  #add(): void {
    const script = join(import.meta.dirname, "member.ts");
    const child = fork(script, [JSON.stringify(this.#options)], { execArgv: [...nodeFlags] });
    const member: Member = {
      process: child,
      serving: false,
      frozen: false,
      leaves: false,
      starting: new Set(),
    };
    this.#members.add(member);
    child.on("message", (message) => this.#heard(member, message as FromMember));
    child.on("exit", (code, signal) => {
      this.#members.delete(member);
      if (signal !== "SIGKILL" && !(member.leaves && code === 0))
        this.failures.push(`a member ended with ${signal ?? code}`);
      this.#orders.push(...member.starting);
      this.#fill();
    });
  }

  #heard(member: Member, message: FromMember): void {
    if (message.kind === "serving") member.serving = true;
    if (message.kind === "started") {
      this.started.set(message.order, message.run);
      for (const order of member.starting) if (order.order === message.order) member.starting.delete(order);
    }
    if (message.kind === "effect") {
      const effect = this.#gateway.take(message.mode, message.effect);
      say(member, { kind: "answer", id: message.id, ...(effect && { effect }) });
    }
  }
}

/** To one that is gone nothing can be said; its exit is told apart. */
function say(member: Member, message: ToMember): void {
  if (member.process.connected) member.process.send(message, () => undefined);
}

function pick<T>(list: readonly T[]): T | undefined {
  return list[Math.floor(Math.random() * list.length)];
}
