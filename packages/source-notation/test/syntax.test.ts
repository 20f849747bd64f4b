import { describe, expect, it } from "vitest";
import { codes, parse } from "./support.js";

/** The words of the first finding. */
function says(source: string): string {
  const [finding] = parse(source).findings;
  return `${finding?.place?.line}:${finding?.place?.column} ${finding?.message}`;
}

const hint = (source: string) => parse(source).findings[0]?.hint;

describe("syntax errors speak in words", () => {
  it("says what was expected, after what, and what was found [DOT-lexical]", () => {
    expect(says("digraph d { build > done }")).toBe(
      '1:19 expected "->" or "[" after node "build", found ">"',
    );
    expect(says("digraph d { a -> ; }")).toBe('1:18 expected a node ID after "->", found ";"');
    expect(says("digraph d { a [kind] }")).toBe('1:20 expected "=" after attribute "kind", found "]"');
    expect(says("digraph d { a [kind=] }")).toBe('1:21 expected a value after "=", found "]"');
    expect(says('digraph d { a [label="x" ; ; ] }')).toBe(
      '1:28 expected an attribute name or "]" after ";", found ";"',
    );
    expect(says("digraph d a }")).toBe('1:11 expected "{" after graph name "d", found "a"');
    expect(says("digraph d")).toBe('1:10 expected "{" after graph name "d", found the end of the file');
    expect(says("digraph d { a")).toBe(
      '1:14 expected "}" at the end of the graph, found the end of the file',
    );
    expect(says("digraph d { a } b")).toBe(
      '1:17 nothing may follow the "}" that closes the graph, found "b"',
    );
    expect(says("digraph d { a: }")).toBe('1:16 expected a port after ":", found "}"');
    expect(says("digraph d { a;; }")).toBe('1:15 expected a statement or "}" after ";", found ";"');
    expect(says("digraph d { ; }")).toBe('1:13 expected a statement or "}" after "{", found ";"');
    expect(says("digraph d { };")).toBe('1:14 nothing may follow the "}" that closes the graph, found ";"');
    expect(says('digraph d { a [label="a" + b] }')).toBe(
      '1:26 expected an attribute name or "]" after value "a", found "+"',
    );
    expect(says('digraph d { a [label="a" + "b" c] }')).toBe(
      '1:33 expected "=" after attribute "c", found "]"',
    );
    expect(says("digraph d { -> a }")).toBe('1:13 expected a node ID before "->"');
  });

  it("points at the beginning of what is never closed [DOT-strings]", () => {
    expect(says('digraph d { a; "b }')).toBe("1:16 the string that begins here is never closed");
    expect(says("digraph d { a; /* b }")).toBe("1:16 the comment that begins here is never closed");
    expect(says("digraph d { a [label=<<b>x] }")).toBe(
      "1:22 the HTML string that begins here is never closed",
    );
  });

  it("hints at what was probably meant", () => {
    expect(hint("digraph d { check-credit }")).toBe('a name with "-" must be quoted: "check-credit"');
    expect(hint("digraph d { a [kind=await-signal] }")).toBe(
      'a name with "-" must be quoted: "await-signal"',
    );
    expect(hint("digraph d { a => b }")).toBe('an edge is written "a -> b"');
    expect(hint("digraph d { a <- b }")).toBe('edges point forwards: write "b -> a"');
    expect(hint("digraph d { 'a' }")).toBe("strings stand in double quotes");
    expect(hint("digraph d { a # b\n }")).toContain("first column");
    expect(hint("digraph d { a [acme:icon=x] }")).toContain('"acme:icon"');
    expect(hint("digraph d { a, b }")).toContain('";"');
    expect(hint("digraph d { a [kind: complete] }")).toBe('an attribute is written with "=": kind="..."');
    expect(hint("digraph d { a [label=“to do”] }")).toBe('quotes are straight: "..."');
    expect(hint("digraph d { -- later\n }")).toBe('a comment begins with "//"');
    for (const value of ["50%", "#ff0000", "http://x/y", "1,2", "0.5,-0.5"]) {
      const quoted = `a value like this one must be quoted: "${value}"`;
      expect(hint(`digraph d { a [width=${value}\n] }`)).toBe(quoted);
    }
  });

  it("hints at keywords and at quotes that are missing lines above [DOT-lexical, DOT-strings]", () => {
    for (const statement of ["a -> edge", "Node;", "node -> a", "start=graph", "a [x_y=strict]"]) {
      expect(hint(`digraph d { ${statement} }`)).toMatch(/^"(edge|[Nn]ode|graph|strict)" is a keyword; /);
    }
    expect(hint('digraph d {\n a [label="x];\n b [kind="complete"];\n}')).toBe(
      "the string that begins in line 2 ends in another line; is a quote missing there?",
    );
    expect(hint('digraph d { a [label="two\nlines", kind] }')).toContain('kind="..."');
  });

  it("goes on after an error at the next statement, list end or line [DOT-lexical]", () => {
    const source = "digraph d {\n  start = ;\n  a > b\n  c [x y=1,\n    z];\n  d:port;\n  e -> }\n";
    expect(codes(parse(source))).toEqual([
      "2:11 dot.syntax",
      "3:5 dot.syntax",
      "4:8 dot.syntax",
      "6:4 dot.port",
      "7:8 dot.syntax",
    ]);
  });

  it("says once that a group is refused, whatever belongs to it [DOT-profile]", () => {
    expect(codes(parse("digraph d { a -> {b c} [on=x]; {b c} [x=y] subgraph s {b} [x=y] -> a }"))).toEqual([
      "1:18 dot.subgraph",
      "1:32 dot.subgraph",
      "1:44 dot.subgraph",
    ]);
    expect(codes(parse("digraph d { a } [x=y] b"))).toEqual(["1:17 dot.syntax"]);
  });

  it("does not take a bracket or brace in a string for the place to go on", () => {
    expect(codes(parse('digraph d { a [b "]};" c=1]; d:p }'))).toEqual(["1:18 dot.syntax", "1:31 dot.port"]);
  });

  it("stops after so many errors that more would help nobody", () => {
    expect(parse(`digraph d { ${"a > b;\n".repeat(1000)} }`).findings).toHaveLength(50);
    const many = parse(`digraph d { ${"1;".repeat(1000)} }`).findings;
    expect(many).toHaveLength(101);
    expect(many.at(-1)?.message).toContain("and 899 more findings");
  });
});
