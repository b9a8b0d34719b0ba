import { SchematronError, type SchematronPosition } from "./errors.ts";
import type { ExprText } from "./model.ts";
import type { ClarkName, Expr, SequenceType } from "./xpath/ast.ts";
import type { Code } from "./xpath/code.ts";
import { compile } from "./xpath/compile.ts";
import type { StaticContext } from "./xpath/env.ts";
import { XPathSyntaxError } from "./xpath/faults.ts";
import { tokens } from "./xpath/lexer.ts";
import { clark, fail, parseSequenceType, parseXPath, peek } from "./xpath/parser.ts";

/** Compiles the expressions of one schema and records the rule of each fault. */
export interface Blame {
  /** Rule id that precedes the sentences of later faults. */
  rule: string;
  readonly errors: SchematronError[];
  parse(source: ExprText): Expr;
  compile(source: ExprText, env: StaticContext): Code;
  /** Rejects a whole expression. */
  refuse(source: ExprText, en: string, fr: string): never;
  /** Runs the compilation of a match pattern. */
  matchers<T>(source: ExprText, compilation: () => T): T;
  type(source: ExprText | undefined): SequenceType | undefined;
  /** Expands a lexical QName with the prefixes of an expression. */
  clark(source: ExprText | undefined, name: string): ClarkName;
  /** Work to do once everything is declared. */
  later(work: () => void): void;
  /** Runs work; its fault is stored, and the next work runs. */
  keep(work: () => void): void;
  /** Runs the deferred work and throws the stored error. */
  finish(): void;
}

export function newBlame(prefixes: ReadonlyMap<string, string>): Blame {
  const parsed = new Map<ReadonlyMap<string, string>, Map<string, Expr>>();
  const work: (() => void)[] = [];
  const blame: Blame = {
    rule: "",
    errors: [],
    parse: (source) => {
      let known = parsed.get(source.prefixes);
      if (known === undefined) parsed.set(source.prefixes, known = new Map());
      let expr = known.get(source.text);
      if (expr === undefined) {
        expr = at(source, () => parseXPath(source.text, source.prefixes));
        known.set(source.text, expr);
      }
      return expr;
    },
    compile: (source, env) => at(source, () => compile(blame.parse(source), env)),
    refuse: (source, en, fr) => {
      throw new SchematronError({ ...source.place, rule: blame.rule }, { en, fr });
    },
    matchers: (source, compilation) => at(source, compilation),
    type: (source) => source === undefined ? undefined : at(source, () => parseType(source)),
    clark: (source, name) => {
      if (source === undefined) return expandName(name, prefixes);
      return at(source, () => expandName(name, source.prefixes));
    },
    later: (job) => void work.push(job),
    keep: (job) => {
      try {
        job();
      } catch (error) {
        if (!(error instanceof SchematronError)) throw error;
        if (!blame.errors.some(({ message }) => message === error.message)) {
          blame.errors.push(error);
        }
      }
    },
    finish: () => {
      for (const job of work) blame.keep(job);
      work.length = 0;
      parsed.clear();
      const [first, ...more] = blame.errors;
      if (first !== undefined) throw withMore(first, more);
    },
  };
  const at = <T>(source: ExprText, compute: () => T): T => withBlame(source, blame.rule, compute);
  return blame;
}

function withBlame<T>(source: ExprText, rule: string, compute: () => T): T {
  try {
    return compute();
  } catch (error) {
    if (!(error instanceof XPathSyntaxError)) throw error;
    const place: SchematronPosition & { rule: string } = { ...source.place, rule };
    const near = excerptAt(source.text, error.at);
    throw new SchematronError(place, {
      en: `${error.message}, at character ${error.at + 1} of the expression: ${near}`,
      fr: `${error.messageFr}, au caractère ${error.at + 1} de l'expression : ${near}`,
    });
  }
}

function excerptAt(text: string, at: number): string {
  const from = Math.max(0, at - 30);
  const shown = text.slice(from, at + 30).replace(/\s+/g, " ");
  return `${from > 0 ? "…" : ""}${shown}${at + 30 < text.length ? "…" : ""}`;
}

function withMore(first: SchematronError, more: readonly SchematronError[]): SchematronError {
  if (more.length === 0) return first;
  const { file, line, column, rule } = first;
  const prefix = `${file}:${line}:${column}${rule === "" ? "" : ` ${rule}`}`;
  const en = first.message.slice(prefix.length + 2);
  const fr = first.messageFr.slice(prefix.length + 3);
  return new SchematronError({ file, line, column, rule }, { en, fr }, more);
}

function parseType(source: ExprText): SequenceType {
  const reader = { list: tokens(source.text), prefixes: source.prefixes, at: 0, depth: 0 };
  const type = parseSequenceType(reader);
  if (peek(reader).kind !== "end") fail(reader, "a type is expected", "un type est attendu");
  return type;
}

function expandName(name: string, prefixes: ReadonlyMap<string, string>): ClarkName {
  return clark({ list: tokens(name), prefixes, at: 0, depth: 0 }, name, "");
}
