import { type JsonObject, numberOf, objectOf, oneOf, textOf } from "./input.ts";
import type { Personality, Script, Step } from "./model.ts";
import { SCRIPTS } from "./scripts.ts";

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

/** The present personality with the given fields replaced; a sentence when one is unknown. */
export function readPersonality(body: JsonObject, present: Personality): Personality | string {
  const unknown = Object.keys(body).find((name) => !Object.hasOwn(present, name));
  if (unknown !== undefined) return `${unknown} is no trait: ${Object.keys(present).join(", ")}`;
  const script = textOf(body["defaultScript"]) ?? present.defaultScript;
  if (!Object.hasOwn(SCRIPTS, script)) return `${script} is no script`;
  const number = (name: "ackDelayMs" | "stepDelayMs" | "callsPerSecond") =>
    Math.max(0, numberOf(body[name]) ?? present[name]);
  return {
    apiVersion: oneOf(body["apiVersion"], ["1.1", "1.2", "1.3"]) ?? present.apiVersion,
    repeatedTrackingId: oneOf(body["repeatedTrackingId"], ["accept", "adopt", "conflict"]) ??
      present.repeatedTrackingId,
    duplicateInvoice: oneOf(body["duplicateInvoice"], ["ack", "lifecycle", "both"]) ??
      present.duplicateInvoice,
    trackingSearch: oneOf(body["trackingSearch"], ["yes", "ignored", "refused", "hidden"]) ??
      present.trackingSearch,
    ackDelayMs: number("ackDelayMs"),
    stepDelayMs: number("stepDelayMs"),
    callsPerSecond: number("callsPerSecond"),
    defaultScript: script,
  };
}

/** `{match, script: "<name>"}` or `{match, ack?, ackDelayMs?, steps: [...]}`. */
export function readScript(
  body: JsonObject,
): { readonly name: string; readonly script: Script; readonly match: unknown } | string {
  const name = textOf(body["script"]);
  const match = body["match"];
  if (name !== undefined) {
    const script = Object.hasOwn(SCRIPTS, name) ? SCRIPTS[name] : undefined;
    return script ? { name, script, match } : `${name} is no script`;
  }
  if (!Array.isArray(body["steps"])) return "script or steps is required";
  const steps: Step[] = [];
  for (const one of body["steps"]) {
    const step = readStep(objectOf(one) ?? {});
    if (typeof step === "string") return step;
    steps.push(step);
  }
  const ack = readAck(body["ack"]);
  return {
    name: "custom",
    script: { ack, ackDelayMs: numberOf(body["ackDelayMs"]), steps },
    match,
  };
}

function readAck(value: unknown): Script["ack"] {
  const problem = objectOf(value);
  if (!problem) return oneOf(value, ["Ok", "Pending"] as const);
  return {
    reasonCode: textOf(problem["reasonCode"]) ?? "OtherTechnicalError",
    reasonMessage: textOf(problem["reasonMessage"]) ?? "Refused by the script",
  };
}

export function readStep(body: JsonObject): Step | string {
  const status = textOf(body["status"]);
  if (!status) return "status is required, e.g. 205";
  return {
    status,
    after: numberOf(body["after"]),
    shift: numberOf(body["shift"]),
    text: textOf(body["text"]),
    reason: textOf(body["reason"]),
    action: textOf(body["action"]),
    comment: textOf(body["comment"]),
    amounts: readAmounts(body["amounts"]),
    copies: numberOf(body["copies"]),
  };
}

function readAmounts(value: unknown): Step["amounts"] {
  if (!Array.isArray(value)) return undefined;
  return value.map((one) => {
    const { amount, currency, rate } = objectOf(one) ?? {};
    return {
      amount: String(amount ?? "0"),
      currency: textOf(currency) ?? "EUR",
      rate: String(rate ?? "20"),
    };
  });
}
