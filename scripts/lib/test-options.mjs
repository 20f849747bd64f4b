// What `npm test` was asked for. Pure: the words in, what they mean out.

/**
 * `--full`, `--help` (`-h`), `--only=a,b`, repeatable. `unknown` holds every word that is none of these, and every
 * suite that does not exist.
 */
export function optionsOf(words, suites) {
  const options = { help: false, full: false, only: [], unknown: [] };
  for (const word of words) {
    if (word === "--help" || word === "-h") options.help = true;
    else if (word === "--full") options.full = true;
    else if (word.startsWith("--only=")) {
      const names = word.slice("--only=".length).split(",");
      const unknown = names.filter((name) => !suites.some((suite) => suite.name === name));
      options.only.push(...names);
      options.unknown.push(...unknown.map((name) => `suite ${JSON.stringify(name)}`));
    } else options.unknown.push(word);
  }
  return options;
}

export function usageOf(suites) {
  const lines = suites.map(({ name, says }) => `  ${name.padEnd(12)}${says}`);
  return `usage: npm test -- [--only=SUITE,…] [--full]

Runs every suite, goes on after a failure, ends with "N passed, N failed". What did not change comes from a cache;
without one it takes several minutes. --full adds what is too long for every day.

${lines.join("\n")}
`;
}
