/**
 * The command line as commander sees it: names, options, help with examples. Commands live in `commands/` and are
 * loaded when they run, so that `swl --help` opens no store and loads no renderer.
 */
import { Command, Option } from "commander";
import { exitTable } from "./exit-codes.js";
import { addStoreCommands } from "./keeping.js";
import { retention } from "./lib/durations.js";
import { actionLimit, files, several, whole } from "./lib/options.js";
import type { Session } from "./lib/session.js";
import {
  type Done,
  dryRunOption,
  revealOption,
  storeOption,
  subcommand,
  waitOptions,
} from "./lib/subcommand.js";
import { addOperatingCommands } from "./operating.js";
import { version } from "./version.js";

export function buildProgram(session: Session, done: Done): Command {
  const program = new Command("swl");
  program
    .description("Spore Workflow Language: check, draw, run and operate workflows.")
    .version(version, "-V, --version")
    .exitOverride()
    .configureOutput({
      writeOut: (text) => session.io.out(text),
      // Errors are reported once, by `main`.
      writeErr: () => {},
      getOutHasColors: () => session.io.color,
    })
    .showSuggestionAfterError()
    .addHelpText(
      "after",
      `\nPATH is a source folder, a .dot file, a definition as .json, or - for a graph or definition on standard input.\nRUN is the ID of a run: what starts one prints it, and swl list shows it.\nThe store is --store FILE or --store postgres://USER@HOST/DATABASE, else SWL_STORE, else .swl/store.db.\n\nExit codes:\n${exitTable()}\n\nWith SWL_DEBUG=1 an error also shows where it came from.`,
    );
  addAuthorCommands(program, session, done);
  addNotationCommands(program, session, done);
  addDefinitionCommands(program, session, done);
  addTraceCommand(program, session, done);
  addServingCommands(program, session, done);
  addReadingCommands(program, session, done);
  addChangingCommands(program, session, done);
  addOperatingCommands(program, session, done);
  addStoreCommands(program, session, done, subcommand);
  return program;
}

function addAuthorCommands(program: Command, session: Session, done: Done): void {
  subcommand(program, "validate <path...>", "say everything that is wrong with workflows", [
    "swl validate examples/orders",
    "swl validate flows/*.dot --strict --json",
  ])
    .option("--strict", "warnings are errors")
    .action(async (paths: string[], options) => {
      const { validate } = await import("./commands/author.js");
      done(await validate(session, paths, options));
    });
  subcommand(program, "compile <path>", "print the normalized definition, every default written out", [
    "swl compile examples/orders --out orders.json",
  ])
    .option("--out <file>", "write it to a file; - is standard output")
    .action(async (path: string, options) => {
      const { compile } = await import("./commands/author.js");
      done(await compile(session, path, options));
    });
  subcommand(program, "digest <path>", "print the identity of a definition", [
    "swl digest examples/orders",
  ]).action(async (path: string) => {
    const { digest } = await import("./commands/author.js");
    done(await digest(session, path));
  });
  subcommand(
    program,
    "render [path]",
    "draw a workflow as SVG or Mermaid text, with the path of a run when it is asked for",
    [
      "swl render examples/orders --out orders.svg",
      "swl render examples/orders --format mermaid",
      "swl render --run RUN --store orders.db --out run.svg",
    ],
  )
    .option("--out <file>", "write it to a file; - is standard output")
    .option("--run <run>", "draw the path that this run took")
    .addOption(storeOption())
    .addOption(new Option("--format <name>", "of the picture; default svg").choices(["svg", "mermaid"]))
    .addOption(
      new Option("--theme <name>", "colors of an SVG; default auto").choices(["auto", "light", "dark"]),
    )
    .action(async (path: string | undefined, options) => {
      const { render } = await import("./commands/render.js");
      done(await render(session, path, options));
    });
}

function addNotationCommands(program: Command, session: Session, done: Done): void {
  subcommand(program, "format <path...>", "lay graphs out in the one layout; every comment stays", [
    "swl format flow.dot",
    "swl format examples/orders flows/*.dot --check",
    "swl format examples/orders --write",
  ])
    .option("--check", "say which files have another layout; ends with 8 if one has")
    .option("--write", "write the layout into the files")
    .action(async (paths: string[], options) => {
      const { format } = await import("./commands/notation.js");
      done(await format(session, paths, options));
    });
  subcommand(program, "print <path>", "print a definition as a graph, and settings where there is need", [
    "swl print orders.json",
    "swl print orders.json --out orders",
  ])
    .option("--out <folder>", "write them into a folder that holds no workflow; - is standard output")
    .action(async (path: string, options) => {
      const { print } = await import("./commands/notation.js");
      done(await print(session, path, options));
    });
}

function addDefinitionCommands(program: Command, session: Session, done: Done): void {
  subcommand(program, "canonical <path>", "print the canonical form: its exact bytes, no newline added", [
    "swl canonical examples/orders > orders.canonical",
    `{ printf 'swl.definition/0.1\\n'; swl canonical examples/orders; } | sha256sum`,
  ])
    .option("--out <file>", "write it to a file; - is standard output")
    .action(async (path: string, options) => {
      const { canonical } = await import("./commands/definition.js");
      done(await canonical(session, path, options));
    });
  subcommand(program, "explain <path>", "tell a workflow in plain sentences, with its loops and their cost", [
    "swl explain examples/orders",
  ]).action(async (path: string) => {
    const { explain } = await import("./commands/definition.js");
    done(await explain(session, path));
  });
  subcommand(
    program,
    "diff <before> <after>",
    "say what differs in meaning, and what running executions see; ends with 8 if anything does",
    ["swl diff orders.json examples/orders", "swl diff orders.json examples/orders --json"],
  ).action(async (before: string, after: string) => {
    const { diff } = await import("./commands/definition.js");
    done(await diff(session, before, after));
  });
}

function addTraceCommand(program: Command, session: Session, done: Done): void {
  subcommand(
    program,
    "trace <definition>",
    "run a file of events through the pure engine, one step a line: nothing is run, nothing is stored",
    [
      "swl trace examples/orders --events events.json",
      `echo '{"type": "start", "run": "r1", "input": 7}' | swl trace flow.dot --events - --json`,
    ],
  )
    .requiredOption("--events <file>", "accepted events: a JSON array or JSON lines; - is standard input")
    .action(async (definition: string, options) => {
      const { trace } = await import("./commands/trace.js");
      done(await trace(session, definition, options));
    });
}

function hostOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        "--bindings <file>",
        "who serves the actions: a module that exports a provider, or a JSON document; repeatable",
      )
        .argParser(files)
        .makeOptionMandatory(),
    )
    .addOption(storeOption())
    .addOption(
      new Option("--lease <ms>", "how long the host's lease lasts without renewal").argParser(
        whole(100, 3_600_000),
      ),
    )
    .option("--exclusive", "only while no other host serves the store")
    .addOption(
      new Option(
        "--wait-for-lease <ms>",
        "with --exclusive: wait so long for another host's lease to end",
      ).argParser(whole(0, 3_600_000)),
    )
    .addOption(
      new Option("--concurrency <action=n>", "attempts of an action under way at once; repeatable").argParser(
        actionLimit,
      ),
    )
    .addOption(
      new Option("--grant <capability>", "a capability that the actions get; repeatable").argParser(several),
    );
}

const retentionOption = () =>
  new Option(
    "--retention <duration>",
    "remove runs so long after their end: 30d, 12h, P30D, or milliseconds (default: never)",
  ).argParser(retention);

function addServingCommands(program: Command, session: Session, done: Done): void {
  const run = subcommand(program, "run <path>", "start one run and serve it until it ends or stands", [
    "swl run examples/orders --bindings bindings.js --input order.json",
    `swl run flow.dot --bindings bindings.js --input '{"amount": 12}' --key order-7`,
  ]);
  hostOptions(run)
    .option("--input <json>", "the run's input: JSON, a file, or - for standard input (default: null)")
    .option("--key <key>", "start key: the same key with the same content is the same run")
    .addOption(
      new Option("--wait <ms>", "go on serving so long while the run stands (default: 0)").argParser(
        whole(0),
      ),
    )
    .option(
      "--no-wait",
      "leave as soon as the run stands; one with a delay or a deadline is served until then",
    )
    .action(async (path: string, options) => {
      const command = await import("./commands/run.js");
      done(await command.run(session, path, options));
    });
  const worker = subcommand(program, "worker", "serve every run of a store until interrupted", [
    "swl worker --store orders.db --bindings bindings.js --concurrency charge_card=1",
    "swl worker --store postgres://swl@db.example/orders --bindings bindings.js",
  ]);
  hostOptions(worker)
    .addOption(new Option("--drain <ms>", "how long attempts under way may take to end").argParser(whole(0)))
    .addOption(retentionOption())
    .action(async (options) => {
      const command = await import("./commands/worker.js");
      done(await command.worker(session, options));
    });
  const serve = subcommand(
    program,
    "serve",
    "serve every run of a store, and the control plane over HTTP, until interrupted",
    [
      "swl serve --store orders.db --bindings bindings.json",
      "SWL_TOKENS=ops:read+start+signal+operate+work:$SECRET swl serve --bindings bindings.json --listen 0.0.0.0:4777",
    ],
  );
  hostOptions(serve)
    .option(
      "--listen <host:port>",
      "where to listen; a port alone is one of 127.0.0.1; anywhere but on loopback needs SWL_TOKENS",
      "127.0.0.1:4777",
    )
    .addOption(
      new Option(
        "--allow-host <name>",
        "a further name that requests may be addressed to; repeatable",
      ).argParser(several),
    )
    .addOption(new Option("--drain <ms>", "how long attempts under way may take to end").argParser(whole(0)))
    .addOption(retentionOption())
    .action(async (options) => {
      const command = await import("./commands/serve.js");
      done(await command.serve(session, options));
    });
}

function addReadingCommands(program: Command, session: Session, done: Done): void {
  subcommand(program, "status <run>", "where a run is", ["swl status RUN", "swl status RUN --json"])
    .addOption(revealOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const { status } = await import("./commands/inspect.js");
      done(await status(session, run, options));
    });
  subcommand(program, "why <run>", "what a run waits for, the evidence, and what would move it", [
    "swl why RUN",
  ])
    .addOption(revealOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const { why } = await import("./commands/inspect.js");
      done(await why(session, run, options));
    });
  subcommand(program, "history <run>", "what happened to a run: its log, a line a record", [
    "swl history RUN",
  ])
    .addOption(revealOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const { history } = await import("./commands/history.js");
      done(await history(session, run, options));
    });
  subcommand(program, "list", "runs, newest first", [
    "swl list --status needs-intervention",
    "swl list --json",
  ])
    .option("--status <status>", "only runs with this status")
    .option("--workflow <id>", "only runs of this workflow")
    .addOption(new Option("--limit <n>", "at most so many (default: 100)").argParser(whole(1, 1_000)))
    .option("--after <cursor>", "the next page")
    .addOption(storeOption())
    .action(async (options) => {
      const { list } = await import("./commands/inspect.js");
      done(await list(session, options));
    });
}

function addChangingCommands(program: Command, session: Session, done: Done): void {
  const signal = subcommand(program, "signal <run> <name>", "give a waiting run its signal", [
    "swl signal RUN approval --outcome approved",
    `swl signal RUN approval --outcome declined --payload '{"by": "ann"}'`,
  ]);
  waitOptions(signal)
    .option("--outcome <outcome>", "which of the waiter's routes")
    .option("--payload <json>", "JSON, @file, or - for standard input")
    .option("--id <id>", "message ID: the same ID again gives the first receipt (default: random)")
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, name: string, options) => {
      const command = await import("./commands/change.js");
      done(await command.signal(session, run, name, options));
    });
  const resolve = subcommand(program, "resolve <run>", "decide about a parked invocation", [
    "swl resolve RUN --decision retry",
    `swl resolve RUN --decision complete --outcome charged --output '{"receipt": "r-1"}'`,
    "swl resolve RUN --decision complete --from-evidence 17",
    `swl resolve RUN --decision fail --code card.lost --message "the customer paid in cash"`,
  ]);
  waitOptions(resolve)
    .addOption(
      new Option("--decision <decision>", "what becomes of it")
        .choices(["retry", "complete", "fail"])
        .makeOptionMandatory(),
    )
    .option("--outcome <outcome>", "with complete: a declared outcome")
    .option("--output <json>", "with complete: JSON, @file, or - for standard input")
    .option("--code <code>", "with fail: the error's code")
    .option("--message <text>", "with fail: the error's message")
    .option("--invocation <id>", "which one (default: the only parked one)")
    .addOption(
      new Option("--from-evidence <position>", "the evidence decides the content").argParser(whole(1)),
    )
    .option("--id <id>", "request ID: the same ID again gives the first receipt (default: random)")
    .option("--by <who>", "who decided, for the log")
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const command = await import("./commands/change.js");
      done(await command.resolve(session, run, options));
    });
  const cancel = subcommand(program, "cancel <run>", "ask a run to end", [
    `swl cancel RUN --reason "ordered twice"`,
  ]);
  waitOptions(cancel)
    .option("--reason <text>", "why, for the log")
    .option("--id <id>", "request ID: the same ID again gives the first receipt (default: random)")
    .addOption(dryRunOption())
    .addOption(storeOption())
    .action(async (run: string, options) => {
      const command = await import("./commands/change.js");
      done(await command.cancel(session, run, options));
    });
}
