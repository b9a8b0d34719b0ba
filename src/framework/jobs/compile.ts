import {
  collectPaths,
  computeSize,
  evaluate,
  type ExpressionPath,
  fill,
  isTrue,
  type Names,
  parseExpression,
  parseTemplate,
  type TextTemplate,
  type Value,
} from "#src/domain/expression/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, Sentence } from "#src/kernel/i18n/sentence.ts";

/** A value of a definition with places for others, read once. */
export interface CompiledValue {
  /** Paths that its placeholders read. */
  readonly paths: readonly ExpressionPath[];
  fill(names: Names): Value;
}

const MAX_FILLED = 5_000_000;

/**
 * Compiles a value whose texts, at any depth, are templates. Throws AppError `invalid` for an invalid template; `fill`
 * throws it when the result grows too large.
 */
export function compileValue(value: unknown): CompiledValue {
  const { paths, fill } = compiledPart(value);
  return { paths, fill: (names) => fill(names, { left: MAX_FILLED }) };
}

interface Part {
  readonly paths: readonly ExpressionPath[];
  fill(names: Names, room: { left: number }): Value;
}

function compiledPart(value: unknown): Part {
  if (typeof value === "string") return ofTemplate(value);
  if (Array.isArray(value)) {
    const items = value.map(compiledPart);
    return {
      paths: items.flatMap((it) => it.paths),
      fill: (names, room) => items.map((it) => it.fill(names, room)),
    };
  }
  if (typeof value !== "object" || value === null) {
    return { paths: [], fill: () => (value ?? null) as Value };
  }
  const entries = Object.entries(value).map(([key, it]) => [key, compiledPart(it)] as const);
  return {
    paths: entries.flatMap(([, it]) => it.paths),
    fill: (names, room) =>
      Object.fromEntries(entries.map(([key, it]) => [key, it.fill(names, room)])),
  };
}

/** A condition: whether it holds. */
export function compiledCondition(
  text: string,
): { paths: readonly ExpressionPath[]; holds(names: Names): boolean } {
  const tree = parseExpression(text);
  if (tree instanceof Sentence) throw new AppError("invalid", say`${text}: ${tree}`);
  return { paths: collectPaths(tree), holds: (names) => isTrue(evaluate(tree, names)) };
}

/** Returns the step of a text that consists of its rows only: `{steps.find.rows}`. */
export function rowsMeantBy(text: string): string | undefined {
  const template = parseTemplate(text);
  if (template instanceof Sentence || template.length !== 1) return undefined;
  const [only] = template;
  if (typeof only !== "object" || only.kind !== "path" || only.path.length !== 3) return undefined;
  const [root, step, field] = only.path;
  return root === "steps" && (field === "rows" || field === "items") ? String(step) : undefined;
}

function ofTemplate(text: string): Part {
  const template = parseTemplate(text);
  if (template instanceof Sentence) throw new AppError("invalid", say`${text}: ${template}`);
  return {
    paths: pathsIn(template),
    fill(names, room) {
      const value = fill(template, names);
      room.left -= computeSize(value, room.left);
      if (room.left >= 0) return value;
      throw new AppError("invalid", say`Values of more than ${MAX_FILLED} characters in all`);
    },
  };
}

function pathsIn(template: TextTemplate): ExpressionPath[] {
  return template.flatMap((it) => typeof it === "string" ? [] : collectPaths(it));
}
