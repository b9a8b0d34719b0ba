import { z } from "zod";
import type { CompiledSetInfo } from "./rule_set.ts";

const Expression = z.looseObject({ text: z.string(), prefixes: z.instanceof(Map) });
const Check = z.looseObject({
  report: z.boolean(),
  id: z.string(),
  test: Expression,
  parts: z.array(z.looseObject({ part: z.enum(["text", "value", "name"]) })),
  diagnostics: z.array(z.string()),
});
const Rule = z.looseObject({
  context: Expression,
  lets: z.array(z.unknown()),
  checks: z.array(Check),
});
const Model = z.looseObject({
  file: z.string(),
  title: z.string(),
  prefixes: z.instanceof(Map),
  lets: z.array(z.unknown()),
  keys: z.array(z.unknown()),
  functions: z.array(z.unknown()),
  phases: z.instanceof(Map),
  diagnostics: z.instanceof(Map),
  patterns: z.array(z.looseObject({
    id: z.string(),
    lets: z.array(z.unknown()),
    rules: z.array(Rule),
  })),
});
const Answer = z.strictObject({ model: Model, assertions: z.int().nonnegative() });

/**
 * Reads the answer of a child process that compiled a set. Only the parts of the model that lists and reports
 * show are trusted.
 */
export function readChecked(value: unknown): CompiledSetInfo {
  return Answer.parse(value) as unknown as CompiledSetInfo;
}
