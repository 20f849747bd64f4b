/**
 * This engine behind the kit's line protocol: what an implementation in another language has to be, in sixty lines.
 * `--broken=WORD` makes it misbehave in one way, so that the kit can be seen to notice. Spec: CNF-stdio-subject.
 */
import { core } from "@swl/execution";
import execution from "@swl/execution/claims.json" with { type: "json" };

const broken = process.argv.find((word) => word.startsWith("--broken="))?.slice("--broken=".length);

/** One step of a trace; an impossible event leaves the state as it was. */
function step(prepared, run, event) {
  const transition = core.transition(prepared, run.state, event);
  if ("error" in transition) return { error: transition.error };
  if (broken !== "forgets" || event.type === "start") run.state = transition.state;
  const { effect, commands, diagnostics, edges, state } = transition;
  return {
    effect,
    commands,
    diagnostics,
    edges,
    disposition: core.disposition(state),
    view: core.view(prepared, state),
  };
}

const operations = {
  hello: () => ({
    ok: true,
    value: {
      name: "swl-typescript over stdio",
      claims: broken === "strange-claim" ? ["telepathy"] : execution.claims,
      ...(broken === "few-keywords" && { keywords: ["type"] }),
    },
  }),
  prepare({ definition }) {
    const prepared = core.prepare(definition);
    return prepared.ok ? { ok: true } : { ok: false, findings: prepared.findings };
  },
  trace({ definition, events }) {
    const prepared = core.prepare(definition);
    if (!prepared.ok) return { ok: false, findings: prepared.findings };
    const run = { state: undefined };
    const steps = events.map((event) => step(prepared.value, run, event));
    return { ok: true, value: broken === "short" ? steps.slice(1) : steps };
  },
};

function answer({ id, do: operation, ...body }) {
  if (!Object.hasOwn(operations, operation)) return { id, ok: false, error: `there is no ${operation}` };
  return { id: broken === "wrong-id" && operation !== "hello" ? id + 1 : id, ...operations[operation](body) };
}

function misbehave(operation) {
  if (operation === "hello") return undefined;
  if (broken === "ends") process.exit(7);
  if (broken === "garbage") return "Traceback (most recent call last):\n";
  if (broken === "silent") return "";
  if (broken === "endless") return "x".repeat(2_000_000);
  if (broken === "latin") return Buffer.from([0x22, 0xe4, 0x22, 0x0a]);
  if (broken === "no-outcome") return `${JSON.stringify({ id: 2, value: [] })}\n`;
  if (broken === "gives-up") return `${JSON.stringify({ id: 2, ok: false, error: "out of memory" })}\n`;
  return undefined;
}

function reply(line) {
  const request = JSON.parse(line);
  const said = misbehave(request.do) ?? `${JSON.stringify(answer(request))}\n`;
  process.stdout.write(said);
  if (broken === "talkative") process.stdout.write("done\n");
}

// A line ends at LF and nowhere else: texts may hold U+2028, at which others break lines too.
let rest = "";
process.stdin.setEncoding("utf8");
for await (const chunk of process.stdin) {
  const lines = (rest + chunk).split("\n");
  rest = lines.pop();
  for (const line of lines) reply(line);
}
