import { say, Sentence } from "#src/kernel/i18n/sentence.ts";
import type { ExpressionPath, Operator, TextTemplate, Tree } from "./tree.ts";

/** Limits of the length and the nesting of a text. */
const MAX_TEXT = 10_000;
const MAX_DEPTH = 32;
const MAX_PARTS = 500;

/** Operators by precedence, lowest first. */
const LEVELS: readonly (readonly Operator[])[] = [
  ["||"],
  ["&&"],
  ["==", "!=", "<=", ">=", "<", ">"],
  ["+", "-"],
  ["*", "/", "%"],
];
const COMPARISONS = LEVELS[2];

const SPACE = /\s*/y;
const NAME = /[A-Za-z_]\w{0,62}/y;
const NUMBER = /\d{1,30}(?:\.\d{1,30})?/y;
const TEXT = /"([^"\\]|\\["\\])*"|'([^'\\]|\\['\\])*'/y;
const WORDS: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

/**
 * Parses a condition or a computed value; `{…}` groups as parentheses do. Returns a sentence with the error and
 * its position if the text is invalid.
 */
export function parseExpression(text: string): Tree | Sentence {
  return attempt(text, (reader) => {
    const tree = reader.expression(0);
    reader.end();
    return tree;
  });
}

/** Parses a text with expressions in braces; `{{` and `}}` are literal braces. */
export function parseTemplate(text: string): TextTemplate | Sentence {
  return attempt(text, (reader) => reader.template());
}

function attempt<T>(text: string, read: (reader: Reader) => T): T | Sentence {
  if (text.length > MAX_TEXT) return say`has more than ${MAX_TEXT} characters`;
  try {
    return read(new Reader(text));
  } catch (error) {
    if (error instanceof Unreadable) return error.sentence;
    throw error;
  }
}

class Unreadable extends Error {
  readonly sentence: Sentence;
  constructor(sentence: Sentence) {
    super("unreadable");
    this.sentence = sentence;
  }
}

class Reader {
  readonly #text: string;
  #at = 0;
  #depth = 0;
  #parts = 0;

  constructor(text: string) {
    this.#text = text;
  }

  template(): (string | Tree)[] {
    const parts: (string | Tree)[] = [];
    let plain = "";
    while (this.#at < this.#text.length) {
      const two = this.#text.slice(this.#at, this.#at + 2);
      if (two === "{{" || two === "}}") {
        plain += two[0];
        this.#at += 2;
      } else if (two[0] === "{") {
        if (plain) parts.push(plain);
        plain = "";
        this.#at++;
        parts.push(this.expression(0));
        this.#expect("}");
      } else {
        plain += two[0];
        this.#at++;
      }
    }
    if (plain) parts.push(plain);
    return parts;
  }

  expression(level: number): Tree {
    const operators = LEVELS[level];
    if (!operators) return this.#single();
    let left = this.expression(level + 1);
    for (let operator; (operator = this.#operator(operators));) {
      this.#count();
      const right = this.expression(level + 1);
      left = { kind: "pair", operator, left, right };
      if (operators === COMPARISONS) break; // a < b < c is a mistake
    }
    return left;
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw this.#unexpected();
  }

  #single(): Tree {
    this.#count();
    if (++this.#depth > MAX_DEPTH) {
      throw new Unreadable(say`stands deeper than ${MAX_DEPTH} levels`);
    }
    const tree = this.#operand();
    this.#depth--;
    return tree;
  }

  #operand(): Tree {
    this.#skip();
    const next = this.#text[this.#at];
    const closing = next === "(" ? ")" : next === "{" ? "}" : undefined;
    if (closing !== undefined) {
      this.#at++;
      const tree = this.expression(0);
      this.#expect(closing);
      return tree;
    }
    if (next === "!" || next === "-") {
      this.#at++;
      return { kind: next === "!" ? "not" : "minus", of: this.#single() };
    }
    const text = this.#match(TEXT);
    if (text !== undefined) return { kind: "value", value: unquote(text) };
    const number = this.#match(NUMBER);
    if (number !== undefined) return { kind: "value", value: parseNumber(number) };
    const name = this.#match(NAME);
    if (name === undefined) throw this.#unexpected();
    if (Object.hasOwn(WORDS, name)) return { kind: "value", value: WORDS[name] ?? null };
    return { kind: "path", path: this.#path(name) };
  }

  #path(first: string): ExpressionPath {
    const path: (string | number)[] = [first];
    for (;;) {
      const next = this.#text[this.#at];
      if (next !== "." && next !== "[") return path;
      this.#at++;
      path.push(next === "." ? this.#need(NAME) : this.#place());
      if (path.length > MAX_DEPTH) {
        throw new Unreadable(say`stands deeper than ${MAX_DEPTH} levels`);
      }
    }
  }

  #place(): string | number {
    const text = this.#match(TEXT);
    const place = text === undefined ? Number(this.#need(/\d{1,9}/y)) : unquote(text);
    this.#expect("]");
    return place;
  }

  #operator(operators: readonly Operator[]): Operator | undefined {
    this.#skip();
    const found = operators.find((it) => this.#text.startsWith(it, this.#at));
    if (found) this.#at += found.length;
    return found;
  }

  #expect(sign: string): void {
    this.#skip();
    if (this.#text[this.#at] !== sign) throw this.#unexpected(sign);
    this.#at++;
  }

  #need(pattern: RegExp): string {
    const found = this.#match(pattern);
    if (found === undefined) throw this.#unexpected();
    return found;
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const [found] = pattern.exec(this.#text) ?? [];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #skip(): void {
    this.#match(SPACE);
  }

  #count(): void {
    if (++this.#parts > MAX_PARTS) throw new Unreadable(say`has more than ${MAX_PARTS} parts`);
  }

  #unexpected(sign?: string): Unreadable {
    const found = JSON.stringify(this.#text.slice(this.#at, this.#at + 12));
    if (this.#at >= this.#text.length) {
      return new Unreadable(sign ? say`ends where ${sign} is expected` : say`ends too early`);
    }
    return new Unreadable(
      sign
        ? say`${sign} is expected at character ${this.#at + 1}, not ${found}`
        : say`${found} is not expected at character ${this.#at + 1}`,
    );
  }
}

function unquote(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/g, "$1");
}

/** Parses a number exactly: digits that a double cannot represent stay text. */
function parseNumber(digits: string): number | string {
  const number = Number(digits);
  return String(number) === digits ? number : digits;
}
