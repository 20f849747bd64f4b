/**
 * Generated DOT of any number of edges, in the ways that people write it: half as many nodes with labels, every other
 * edge with an outcome and a style, a comment here and there. SWL-DOT reads it and so does every other reader of DOT.
 */

export function dotGraph(edges: number): string {
  const nodes = Math.max(2, edges >> 1);
  const lines = [
    "// Generated.",
    'digraph "generated" {',
    '  start = "n0";',
    '  node [shape=box, style="rounded,filled"];',
  ];
  for (let node = 0; node < nodes; node++) {
    if (node % 50 === 0) lines.push(`\n  // Steps from ${node} on`);
    const kind = node % 5 === 4 ? `kind="await-signal", ` : "";
    lines.push(`  n${node} [${kind}label="Step ${node}\\nof many"];`);
  }
  for (let edge = 0; edge < edges; edge++) {
    const [from, to] = [edge % nodes, (edge * 7 + 1) % nodes];
    lines.push(
      edge % 2 === 0 ? `  n${from} -> n${to};` : `  n${from} -> n${to} [on="o${edge}", style=dashed];`,
    );
  }
  lines.push("}", "");
  return lines.join("\n");
}

export const EDGES = [10, 1_000, 100_000] as const;
