import {
  choiceOf,
  type JsonObject,
  LIST,
  misfit,
  numberFrom,
  numberOf,
  OBJECT,
  objectOf,
  oneOf,
  type Shape,
  TEXT,
  textLike,
  textOf,
  type Wanted,
  wholeFrom,
} from "./input.ts";
import type { Match, Personality, Script, Step } from "./model.ts";
import { readMatch, SCRIPTS } from "./scripts.ts";

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

const VERSIONS = ["1.1", "1.2", "1.3"] as const;
const REPEATED = ["accept", "adopt", "conflict"] as const;
const DUPLICATE = ["ack", "lifecycle", "both"] as const;
const SEARCH = ["yes", "ignored", "refused", "hidden"] as const;
const ACKS = ["Ok", "Pending"] as const;

const DELAY_MS = numberFrom(0, 86_400_000);
/** About a century: farther off there is no date. */
const SHIFT_S = numberFrom(-3_000_000_000, 3_000_000_000);
const DECIMAL: Wanted = {
  words: "a decimal number",
  fits: (value) => typeof value === "number" || /^-?\d+(\.\d+)?$/.test(textOf(value) ?? ""),
};

const TRAITS: Shape = {
  apiVersion: choiceOf(VERSIONS),
  repeatedTrackingId: choiceOf(REPEATED),
  duplicateInvoice: choiceOf(DUPLICATE),
  trackingSearch: choiceOf(SEARCH),
  ackDelayMs: DELAY_MS,
  stepDelayMs: DELAY_MS,
  callsPerSecond: numberFrom(0, 1_000_000),
  defaultScript: choiceOf(Object.keys(SCRIPTS)),
};
const RULE: Shape = {
  match: OBJECT,
  script: choiceOf(Object.keys(SCRIPTS)),
  steps: LIST,
  ack: { words: "Ok, Pending or a problem", fits: (it) => !!oneOf(it, ACKS) || !!objectOf(it) },
  ackDelayMs: DELAY_MS,
};
const PROBLEM: Shape = { reasonCode: TEXT, reasonMessage: TEXT };
const STEP: Shape = {
  status: textLike(/^\S+$/, "a status code as text, e.g. 205"),
  after: DELAY_MS,
  shift: SHIFT_S,
  text: TEXT,
  reason: TEXT,
  action: TEXT,
  comment: TEXT,
  amounts: LIST,
  copies: wholeFrom(1, 10_000),
};
const AMOUNT: Shape = { amount: DECIMAL, currency: TEXT, rate: DECIMAL };

/** The present personality with the given fields replaced; a sentence when one is unknown or makes no sense. */
export function readPersonality(body: JsonObject, present: Personality): Personality | string {
  const wrong = misfit(body, TRAITS, "a personality");
  if (wrong !== undefined) return wrong;
  const number = (name: "ackDelayMs" | "stepDelayMs" | "callsPerSecond") =>
    numberOf(body[name]) ?? present[name];
  return {
    apiVersion: oneOf(body["apiVersion"], VERSIONS) ?? present.apiVersion,
    repeatedTrackingId: oneOf(body["repeatedTrackingId"], REPEATED) ?? present.repeatedTrackingId,
    duplicateInvoice: oneOf(body["duplicateInvoice"], DUPLICATE) ?? present.duplicateInvoice,
    trackingSearch: oneOf(body["trackingSearch"], SEARCH) ?? present.trackingSearch,
    ackDelayMs: number("ackDelayMs"),
    stepDelayMs: number("stepDelayMs"),
    callsPerSecond: number("callsPerSecond"),
    defaultScript: textOf(body["defaultScript"]) ?? present.defaultScript,
  };
}

export interface ScriptRequest {
  readonly name: string;
  readonly script: Script;
  readonly match: Match;
}

/** `{match, script: "<name>"}` or `{match, ack?, ackDelayMs?, steps: [...]}`; a sentence when it makes no sense. */
export function readScript(body: JsonObject): ScriptRequest | string {
  const problem = objectOf(body["ack"]) ?? {};
  const wrong = misfit(body, RULE, "a script") ?? misfit(problem, PROBLEM, "ack");
  if (wrong !== undefined) return wrong;
  const match = readMatch(body["match"]);
  if (typeof match === "string") return match;
  const name = textOf(body["script"]);
  const known = name === undefined ? undefined : SCRIPTS[name];
  if (name !== undefined && known) return { name, script: known, match };
  const steps = readSteps(body["steps"]);
  if (typeof steps === "string") return steps;
  const script = { ack: readAck(body["ack"]), ackDelayMs: numberOf(body["ackDelayMs"]), steps };
  return { name: "custom", script, match };
}

function readSteps(value: unknown): readonly Step[] | string {
  if (!Array.isArray(value)) return "script or steps is required";
  const steps: Step[] = [];
  for (const one of value) {
    const step = readStep(objectOf(one) ?? {});
    if (typeof step === "string") return step;
    steps.push(step);
  }
  return steps;
}

function readAck(value: unknown): Script["ack"] {
  const problem = objectOf(value);
  if (!problem) return oneOf(value, ACKS);
  return {
    reasonCode: textOf(problem["reasonCode"]) ?? "OtherTechnicalError",
    reasonMessage: textOf(problem["reasonMessage"]) ?? "Refused by the script",
  };
}

/** A sentence when it makes no sense. */
export function readStep(body: JsonObject): Step | string {
  const wrong = misfit(body, STEP, "a step");
  if (wrong !== undefined) return wrong;
  const status = textOf(body["status"]);
  if (!status) return "status is required, e.g. 205";
  const amounts = readAmounts(body["amounts"]);
  if (typeof amounts === "string") return amounts;
  return {
    status,
    after: numberOf(body["after"]),
    shift: numberOf(body["shift"]),
    text: textOf(body["text"]),
    reason: textOf(body["reason"]),
    action: textOf(body["action"]),
    comment: textOf(body["comment"]),
    amounts,
    copies: numberOf(body["copies"]),
  };
}

function readAmounts(value: unknown): Step["amounts"] | string {
  if (!Array.isArray(value)) return undefined;
  const amounts: NonNullable<Step["amounts"]>[number][] = [];
  for (const one of value) {
    const body = objectOf(one);
    if (!body) return `amounts holds ${JSON.stringify(one)}: expected objects`;
    const wrong = misfit(body, AMOUNT, "an amount");
    if (wrong !== undefined) return wrong;
    const { amount, currency, rate } = body;
    amounts.push({
      amount: String(amount ?? "0"),
      currency: textOf(currency) ?? "EUR",
      rate: String(rate ?? "20"),
    });
  }
  return amounts;
}
