import { z } from "zod";
import { isBlocking, LEVELS } from "#src/domain/validation/finding.ts";
import type { Validation } from "./validation.ts";

const count = z.int().nonnegative();
const texts = z.map(z.string(), z.string());

const FoundFinding = z.strictObject({
  level: z.enum(LEVELS),
  source: z.string(),
  rule: z.string(),
  messageFr: z.string(),
  messageEn: z.string(),
  businessTerm: z.string().exactOptional(),
  location: z.string(),
  line: count,
  column: count,
  value: z.string().exactOptional(),
  expected: z.string().exactOptional(),
  evaluated: z.literal(false).exactOptional(),
  test: z.string().exactOptional(),
  sourceField: z.string().exactOptional(),
});

const Answer = z.strictObject({
  valid: z.boolean(),
  findings: z.array(FoundFinding),
  xsd: z.strictObject({ valid: z.boolean(), errors: count }),
  rules: z.strictObject({ ran: count, of: count }),
  sets: z.array(z.strictObject({
    id: z.string(),
    version: z.string(),
    title: z.strictObject({ fr: z.string(), en: z.string() }),
  })),
  overrides: z.array(z.strictObject({
    ruleSet: z.string(),
    rule: z.string(),
    level: z.enum([...LEVELS, "OFF"]),
    author: z.string(),
    reason: z.string(),
    expires: z.string(),
    findings: count,
  })),
  written: z.strictObject({ prefixes: texts, contexts: texts }).optional(),
});

/**
 * Parses the result of another process that ran third-party rules. Validates its shape, and computes validity from its
 * findings.
 */
export function readValidation(value: unknown): Validation {
  const answer = Answer.parse(value);
  return { ...answer, valid: !isBlocking(answer.findings) };
}
