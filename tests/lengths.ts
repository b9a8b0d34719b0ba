/**
 * Lists functions of more than 60 lines, components of more than 120, and compares them with
 * `tests/lengths_allowed.json`. `deno task lengths` fails where a function is longer than the list allows, or shorter:
 * `deno task lengths --shrink` lowers the list and never raises it.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import ts from "typescript";

const ROOT = join(import.meta.dirname ?? ".", "..");
const LIST = join(ROOT, "tests/lengths_allowed.json");
const MAX_LINES = 60;
const MAX_COMPONENT_LINES = 120;

/** Lines of each function that is too long, by `file: name`. */
type Lengths = Readonly<Record<string, number>>;

/** Returns the functions that are too long; a function counts with the functions inside it. */
function longFunctions(): Lengths {
  const files = globSync("{src,workers}/**/*.{ts,tsx}", { cwd: ROOT }).toSorted()
    .filter((it) => !it.endsWith(".d.ts"));
  const found = files.flatMap((file) => longIn(file, readFileSync(join(ROOT, file), "utf8")));
  // Of functions with one name the longest counts.
  return Object.fromEntries(found.toSorted(([, one], [, other]) => one - other));
}

function longIn(file: string, text: string): [key: string, lines: number][] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: [string, number][] = [];
  const lineOf = (at: number) => source.getLineAndCharacterOfPosition(at).line;
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && "body" in node && node.body) {
      const lines = lineOf(node.end) - lineOf(node.getStart(source)) + 1;
      const name = getName(node);
      const isComponent = file.endsWith(".tsx") && /^[A-Z]/.test(name);
      if (lines > (isComponent ? MAX_COMPONENT_LINES : MAX_LINES)) {
        found.push([`${file}: ${name}`, lines]);
      }
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

/** Returns the name of a function, or of the variable, property or call that holds it. */
function getName(node: ts.Node): string {
  const own = ts.isConstructorDeclaration(node) ? "constructor" : nameIn(node);
  if (own !== undefined) return own;
  for (let at = node.parent; at && !ts.isSourceFile(at); at = at.parent) {
    if (ts.isFunctionLike(at)) return `${getName(at)} > anonymous`;
    const name = nameIn(at);
    if (name !== undefined) return name;
  }
  return "anonymous";
}

function nameIn(node: ts.Node): string | undefined {
  const { name } = node as { readonly name?: ts.Node };
  return name && (ts.isIdentifier(name) || ts.isPrivateIdentifier(name)) ? name.text : undefined;
}

/** Compares the functions that are too long with the list of allowed ones. */
export function lengthProblems(now: Lengths = longFunctions()): string[] {
  const allowed = allowedLengths();
  return [...new Set([...Object.keys(now), ...Object.keys(allowed)])].flatMap((key) => {
    const [lines, most] = [now[key] ?? 0, allowed[key] ?? 0];
    if (lines > most) return [`${key} has ${lines} lines: split it`];
    return lines < most ? [`${key}: ${lines} of ${most}; deno task lengths --shrink`] : [];
  });
}

function allowedLengths(): Lengths {
  return JSON.parse(readFileSync(LIST, "utf8"));
}

function main([option]: readonly string[]): number {
  const now = longFunctions();
  if (option === "--shrink") {
    const allowed = allowedLengths();
    const lower = Object.entries(now).map(([key, lines]) =>
      [key, Math.min(lines, allowed[key] ?? 0)] as const
    ).filter(([, lines]) => lines > 0);
    writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
  }
  const problems = lengthProblems(now);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`${Object.keys(now).length} functions to split\n`);
  return problems.length ? 1 : 0;
}

if (import.meta.main) process.exitCode = main(process.argv.slice(2));
