/** Which methods a path takes, from the list of routes: what 405 and OPTIONS tell. */
import { operations, routes } from "./routes.js";

interface Pattern {
  readonly method: string;
  readonly path: RegExp;
}

const patterns: readonly Pattern[] = operations.map((operation) => {
  const { method, path } = routes[operation];
  return { method, path: new RegExp(`^${path.replace(/[.]/g, "\\.").replace(/:\w+/g, "[^/]+")}$`) };
});

/** Empty: there is no such route. */
export function methodsOf(path: string): readonly string[] {
  const methods = patterns.filter((pattern) => pattern.path.test(path)).map(({ method }) => method);
  if (methods.length === 0) return [];
  return [...new Set([...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"])].sort();
}
