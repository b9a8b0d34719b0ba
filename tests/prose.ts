/**
 * Counts sentences that a new reader stumbles over, per file, and compares them with `tests/prose_allowed.json`.
 * `deno task prose` fails where a file has more than the list allows, or fewer: `deno task prose --shrink` lowers the list and
 * never raises it. `deno task prose PATH` shows the sentences of the files whose path begins with PATH.
 */
import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";

const ROOT = join(import.meta.dirname ?? ".", "..");
const LIST = join(ROOT, "tests/prose_allowed.json");
const MAX_WORDS = 30;

type Kind = "fragment" | "long" | "phrase";

interface Stumble {
  readonly file: string;
  readonly line: number;
  readonly kind: Kind;
  readonly text: string;
}

/** Doc comments begin with a verb or a noun, not with one of these words. */
const FRAGMENT =
  /^(What|Whatever|Whether|Who|Whoever|Whose|Of|As|By|With|Without|How|Where|Because|For|In|On|From|To|Behind|Beside|Under|Against|That|Those|Which|So|Once|Until|Like)\b/;

const PHRASES = [
  /\b(is|are|was|were|be) none\b/i,
  /\b(whoever|anew|beside)\b/i,
  /\b(is|are|was|were|be|been) told\b/i,
  /\btells? of\b/i,
  /\b(is|are|was|were) asked (after|for|about|of)\b/i,
  /\bin place of\b/i,
  /\bno more\b(?! than)/i,
  /\b(one that|the ones? (who|which|that))\b/i,
  /\bis said (to|of|by|at|not|also|once|twice|all)\b/i,
  /\bgoes without\b/i,
  /\bstands? (still|there|as|in the way|behind)\b/i,
  /\blies? (in|on|below|above|there)\b/i,
  /\b(put|set) aside\b/i,
  /\bgives? back\b/i,
  /\bwhat (is|was|are|were|has|have|somebody|another|others|it|they|a|an|the|people)\b/i,
  /\bof (whose|whom|its own)\b/i,
  /\bas (it|they) (is|are|was|were) (given|kept|there|asked|told)\b/i,
  /\bthere is none\b/i,
];

/** A text of a file that people read; `isDoc` marks a doc comment. */
interface Passage {
  readonly line: number;
  readonly text: string;
  readonly isDoc: boolean;
}

function getPassages(file: string, source: string): Passage[] {
  const lineAt = (offset: number) => source.slice(0, offset).split("\n").length;
  if (file.endsWith(".md")) return getParagraphs(source);
  const comments = file.endsWith(".sql")
    ? [...source.matchAll(/--\s(.*)$/gm)]
    : [...source.matchAll(/(?<=^|\s)\/\*\*?(?=\s)([^]*?)\*\/|(?<=^|\s)\/\/ (.*)$/gm)];
  const found = comments.map((it) => ({
    line: lineAt(it.index),
    text: (it[1] ?? it[2] ?? "").replace(/\n\s*\*? ?/g, " ").trim(),
    isDoc: it[0].startsWith("/**"),
  }));
  const sentences = [...source.matchAll(/\bsay`([^`\n]*)`/g)].map((it) => ({
    line: lineAt(it.index),
    text: (it[1] ?? "").replace(/\$\{[^}]*\}/g, "X"),
    isDoc: false,
  }));
  const isWords = file.includes("/console/") && /words\.ts$/.test(file);
  const words = !isWords ? [] : [...source.matchAll(/"((?:[^"\\\n]|\\.){12,})"/g)].map((it) => ({
    line: lineAt(it.index),
    text: it[1] ?? "",
    isDoc: false,
  }));
  return [...found, ...sentences, ...words];
}

function getParagraphs(source: string): Passage[] {
  const prose = source.replace(/```[^]*?```/g, (it) => it.replace(/[^\n]/g, ""));
  let line = 1;
  return prose.split(/(\n\s*\n|\n(?=\s*[-*|#]))/).flatMap((part) => {
    const begins = line + (part.length - part.trimStart().length && 1);
    line += part.split("\n").length - 1;
    const cells = part.trim().startsWith("|") ? part.split(/\s\|\s/) : [part];
    return cells.map((it) => ({ line: begins, text: it.replace(/^[|#*\s-]+/, ""), isDoc: false }));
  });
}

function stumblesOf(file: string): Stumble[] {
  const found: Stumble[] = [];
  for (const { line, text, isDoc } of getPassages(file, readFileSync(join(ROOT, file), "utf8"))) {
    if (isDoc && FRAGMENT.test(text)) found.push({ file, line, kind: "fragment", text });
    const plain = text.replace(/`[^`]*`/g, "X").replace(/\s+/g, " ");
    for (const sentence of plain.split(/(?<=[.!?;:])\s+(?=[A-Z"(-])|\s·\s/)) {
      const words = sentence.match(/[A-Za-z][A-Za-z'-]*/g) ?? [];
      if (words.length > MAX_WORDS) found.push({ file, line, kind: "long", text: sentence });
      if (PHRASES.some((it) => it.test(sentence))) {
        found.push({ file, line, kind: "phrase", text: sentence });
      }
    }
  }
  return found;
}

function textFiles(): string[] {
  const folders = "{src,workers,drizzle,tests,bench,xsl,docs,ops}/**/*.{md,ts,tsx,sql}";
  return globSync([folders, "*.md"], { cwd: ROOT }).toSorted().filter((it) =>
    !/\.d\.ts$|^tests\/(golden|prose\.ts)|^CHANGELOG/.test(it)
  );
}

function main([option]: readonly string[]): number {
  const found = textFiles().flatMap(stumblesOf);
  if (option !== undefined && option !== "--shrink") {
    const shown = found.filter(({ file }) => file.startsWith(option));
    for (const { file, line, kind, text } of shown) {
      process.stdout.write(`${file}:${line} ${kind}: ${text.slice(0, 160)}\n`);
    }
    return 0;
  }
  const allowed: Record<string, number> = existsSync(LIST)
    ? JSON.parse(readFileSync(LIST, "utf8"))
    : {};
  const counts: Record<string, number> = {};
  for (const { file } of found) counts[file] = (counts[file] ?? 0) + 1;
  const problems = [...new Set([...Object.keys(counts), ...Object.keys(allowed)])].flatMap(
    (file) => {
      const [now, most] = [counts[file] ?? 0, allowed[file] ?? 0];
      if (now > most) return [`${file}: ${now} sentences to rewrite, ${most} allowed`];
      return now < most && option !== "--shrink"
        ? [`${file}: ${now} left of ${most}; deno task prose --shrink lowers the list`]
        : [];
    },
  );
  if (option === "--shrink") {
    const lower = Object.entries(counts).map(([file, count]) =>
      [
        file,
        Math.min(count, existsSync(LIST) ? allowed[file] ?? 0 : count),
      ] as const
    ).filter(([, count]) => count > 0).toSorted(([a], [b]) => a < b ? -1 : 1);
    writeFileSync(LIST, `${JSON.stringify(Object.fromEntries(lower), null, 2)}\n`);
  }
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  process.stdout.write(`${found.length} sentences to rewrite\n`);
  return problems.length ? 1 : 0;
}

process.exitCode = main(process.argv.slice(2));
