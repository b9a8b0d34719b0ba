import {
  Composer,
  type Document,
  type ErrorCode,
  LineCounter,
  type ParsedNode,
  Parser,
} from "yaml";
import { MAX_PROBLEMS } from "#src/ports/yaml.ts";

/** A text as the library keeps it, with places, comments and quoting. */
export type Source = Document.Parsed<ParsedNode>;

interface SyntaxProblem {
  readonly code: ErrorCode;
  readonly offset: number;
}

interface ParsedSource {
  readonly document: Source;
  /** The first problems, in the order the library finds them. */
  readonly errors: readonly SyntaxProblem[];
  /** All problems. */
  readonly errorCount: number;
}

const OPTIONS = {
  keepSourceTokens: true,
  prettyErrors: false,
  resolveKnownTags: false,
  uniqueKeys: false,
  stringKeys: false,
};

/** The library's composer, whose declared type hides where it reports problems. */
interface ReportingComposer {
  onError(source: ErrorSource, code: ErrorCode): void;
}

type ErrorSource = number | readonly number[] | { readonly offset: number };

/** Characters of a long text that are parsed first: a text full of mistakes is refused by its beginning. */
const BEGINNING = 64 * 1024;

/** Parses the only document of a text. A long one whose beginning has too many problems is read no further. */
export function parseSource(text: string, lines: LineCounter): ParsedSource {
  if (text.length > 2 * BEGINNING) {
    const found = parseWhole(readBeginning(text), new LineCounter());
    // A cut causes a problem for each open bracket at most, and no text may be nested so deep.
    if (found.errorCount > MAX_PROBLEMS) return parseWhole(readBeginning(text), lines);
  }
  return parseWhole(text, lines);
}

function readBeginning(text: string): string {
  const end = text.lastIndexOf("\n", BEGINNING) + 1;
  return text.slice(0, end || BEGINNING);
}

/**
 * The library creates an error with its stack for each problem, which takes gigabytes for a text of a megabyte. This
 * function keeps the first problems and counts the others.
 */
function parseWhole(text: string, lines: LineCounter): ParsedSource {
  const errors: SyntaxProblem[] = [];
  let errorCount = 0;
  const add = (source: ErrorSource, code: ErrorCode) => {
    if (++errorCount > MAX_PROBLEMS) return;
    errors.push({ code, offset: computeOffset(source) });
  };
  const composer = new Composer(OPTIONS);
  (composer as unknown as ReportingComposer).onError = add;
  const tokens = function* () {
    for (const token of new Parser(lines.addNewLine).parse(text)) {
      if (token.type === "error") add(token, "UNEXPECTED_TOKEN");
      else yield token;
    }
  };
  let first: Source | undefined;
  for (const document of composer.compose(tokens(), true, text.length)) {
    first ??= document as Source;
    for (const { pos, code } of [...document.errors, ...document.warnings]) add(pos, code);
    if (document !== first) {
      add(document.range, "MULTIPLE_DOCS");
      break;
    }
  }
  if (!first) throw new Error("The library composes a document of every text");
  return { document: first, errors, errorCount };
}

function computeOffset(source: ErrorSource): number {
  if (typeof source === "number") return source;
  return "offset" in source ? source.offset : source[0] ?? 0;
}
