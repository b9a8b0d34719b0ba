import { z } from "zod";
import { exactly, readAs } from "./input.ts";
import type { Match, Personality, ScheduledMessage, Script } from "./model.ts";
import { MatchBody, SCRIPTS } from "./scripts.ts";

export const DEFAULT_PERSONALITY: Personality = {
  apiVersion: "1.3",
  repeatedTrackingId: "accept",
  duplicateInvoice: "ack",
  trackingSearch: "yes",
  ackDelayMs: 300,
  stepDelayMs: 300,
  callsPerSecond: 0,
  recipients: "directory",
  defaultScript: "deposited",
};

const DELAY_MS = z.number().min(0).max(86_400_000);
/** About a century in seconds; larger shifts give no valid date. */
const SHIFT_S = z.number().min(-3_000_000_000).max(3_000_000_000);
const SCRIPT_NAME = z.enum(Object.keys(SCRIPTS));
/** Decimal number, given as a number or as text; stored as text. */
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
  recipients: z.enum(["directory", "any"]),
  defaultScript: SCRIPT_NAME,
}).partial();

const AckProblem = exactly("ack", {
  reasonCode: z.string().default("OtherTechnicalError"),
  reasonMessage: z.string().default("Refused by the script"),
});

/** Body of a scheduled lifecycle message, see `ScheduledMessage`. */
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

/** Replaces the given fields of the current personality; returns a sentence if a field is unknown or invalid. */
export function readPersonality(body: unknown, present: Personality): Personality | string {
  const given = readAs(PersonalityBody, body, "a personality");
  return typeof given === "string" ? given : Object.assign({}, present, given);
}

interface ScriptRequest {
  readonly name: string;
  readonly script: Script;
  readonly match: Match;
}

/**
 * Parses `{match, script: "<name>"}` or `{match, ack?, ackDelayMs?, steps: [...]}`; returns a sentence if it is
 * invalid.
 */
export function readScript(body: unknown): ScriptRequest | string {
  const given = readAs(ScriptBody, body, "a script");
  if (typeof given === "string") return given;
  const { match, script: name, steps, ack, ackDelayMs } = given;
  const known = name === undefined ? undefined : SCRIPTS[name];
  if (name !== undefined && known) return { name, script: known, match };
  if (!steps) return "script or steps is required";
  return { name: "custom", script: { ack, ackDelayMs, steps }, match };
}

/** Parses a step; returns a sentence if it is invalid. */
export function readStep(body: unknown): ScheduledMessage | string {
  return readAs(StepBody, body, "a step");
}
