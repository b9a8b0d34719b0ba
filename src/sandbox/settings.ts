import { z } from "zod";
import { exactly, readAs } from "./input.ts";
import type { Match, Personality, Script, Step } from "./model.ts";
import { MatchBody, SCRIPTS } from "./scripts.ts";

export const DEFAULT_PERSONALITY: Personality = {
  apiVersion: "1.3",
  repeatedTrackingId: "accept",
  duplicateInvoice: "ack",
  trackingSearch: "yes",
  ackDelayMs: 300,
  stepDelayMs: 300,
  callsPerSecond: 0,
  defaultScript: "deposited",
};

const DELAY_MS = z.number().min(0).max(86_400_000);
/** About a century: farther off there is no date. */
const SHIFT_S = z.number().min(-3_000_000_000).max(3_000_000_000);
const SCRIPT_NAME = z.enum(Object.keys(SCRIPTS));
/** A decimal number, as a number or as text; kept as text. */
const DECIMAL = z.union([
  z.number(),
  z.string().regex(/^-?\d+(\.\d+)?$/, "expected a decimal number"),
])
  .transform(String);

const PersonalityBody = exactly("a personality", {
  apiVersion: z.enum(["1.1", "1.2", "1.3"]),
  repeatedTrackingId: z.enum(["accept", "adopt", "conflict"]),
  duplicateInvoice: z.enum(["ack", "lifecycle", "both"]),
  trackingSearch: z.enum(["yes", "ignored", "refused", "hidden"]),
  ackDelayMs: DELAY_MS,
  stepDelayMs: DELAY_MS,
  callsPerSecond: z.number().min(0).max(1_000_000),
  defaultScript: SCRIPT_NAME,
}).partial();

const AckProblem = exactly("ack", {
  reasonCode: z.string().default("OtherTechnicalError"),
  reasonMessage: z.string().default("Refused by the script"),
});

/** One lifecycle message to come, see `Step`. */
const StepBody = exactly("a step", {
  status: z.string({ error: "expected a status code as text, e.g. 205" })
    .regex(/^\S+$/, "expected a status code without blanks, e.g. 205"),
  after: DELAY_MS.optional(),
  shift: SHIFT_S.optional(),
  text: z.string().optional(),
  reason: z.string().optional(),
  action: z.string().optional(),
  comment: z.string().optional(),
  amounts: z.array(exactly("an amount", {
    amount: DECIMAL.default("0"),
    currency: z.string().default("EUR"),
    rate: DECIMAL.default("20"),
  })).optional(),
  copies: z.int().min(1).max(10_000).optional(),
});

const ScriptBody = exactly("a script", {
  match: MatchBody.default({}),
  script: SCRIPT_NAME.optional(),
  steps: z.array(StepBody).optional(),
  ack: z.union([z.enum(["Ok", "Pending"]), AckProblem], {
    error: "expected Ok, Pending or a problem",
  }).optional(),
  ackDelayMs: DELAY_MS.optional(),
});

/** The present personality with the given fields replaced; a sentence when one is unknown or makes no sense. */
export function readPersonality(body: unknown, present: Personality): Personality | string {
  const given = readAs(PersonalityBody, body, "a personality");
  return typeof given === "string" ? given : Object.assign({}, present, given);
}

interface ScriptRequest {
  readonly name: string;
  readonly script: Script;
  readonly match: Match;
}

/** `{match, script: "<name>"}` or `{match, ack?, ackDelayMs?, steps: [...]}`; a sentence when it makes no sense. */
export function readScript(body: unknown): ScriptRequest | string {
  const given = readAs(ScriptBody, body, "a script");
  if (typeof given === "string") return given;
  const { match, script: name, steps, ack, ackDelayMs } = given;
  const known = name === undefined ? undefined : SCRIPTS[name];
  if (name !== undefined && known) return { name, script: known, match };
  if (!steps) return "script or steps is required";
  return { name: "custom", script: { ack, ackDelayMs, steps }, match };
}

/** A sentence when it makes no sense. */
export function readStep(body: unknown): Step | string {
  return readAs(StepBody, body, "a step");
}
