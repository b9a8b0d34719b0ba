import {
  choiceOf,
  type JsonObject,
  misfit,
  numberFrom,
  numberOf,
  OBJECT,
  oneOf,
  type Shape,
  TEXT,
  textOf,
  wholeFrom,
} from "./input.ts";
import type { Match } from "./model.ts";
import { matches, readMatch, type Subject } from "./scripts.ts";

/** `-before`: the request has no effect; all others take effect first, then spoil the answer. */
export const FAULT_KINDS = [
  "500-before",
  "500-after",
  "503", // with Retry-After, no effect
  "429", // with Retry-After, no effect
  "401", // tokens given so far are void
  "status", // `status` and `body`, no effect
  "drop-before", // the connection is cut
  "drop-after",
  "hang-before", // no answer ever
  "hang-after",
  "garbage", // 200 and text that is no JSON
  "empty", // 200 and nothing
  "half-body", // headers, half of the answer, then the connection is cut
  "same-id", // the answer names the flow of the submission before
  "slow", // the right answer after `delayMs`
] as const;
export type FaultKind = (typeof FAULT_KINDS)[number];

const OPERATIONS = [
  "submit",
  "search",
  "get",
  "webhooks",
  "health",
  "directory",
  "token",
] as const;
export type Operation = (typeof OPERATIONS)[number];

export interface Fault {
  readonly kind: FaultKind;
  readonly operation: Operation;
  readonly match: Match;
  /** Default 1; 0 is without end. */
  readonly times: number;
  readonly retryAfter: number;
  readonly delayMs: number;
  readonly status: number;
  readonly body: string;
}

/** The longest a timer can wait. */
const MAX_DELAY_MS = 2_147_483_647;

const FIELDS: Shape = {
  kind: choiceOf(FAULT_KINDS),
  operation: choiceOf(OPERATIONS),
  match: OBJECT,
  times: wholeFrom(0, 1_000_000),
  retryAfter: numberFrom(0, 86_400),
  delayMs: numberFrom(0, MAX_DELAY_MS),
  status: wholeFrom(200, 599),
  body: TEXT,
};

/** A fault asked for through the admin API, with its defaults; a sentence when it makes no sense. */
export function readFault(body: JsonObject): Fault | string {
  const wrong = misfit(body, FIELDS, "a fault");
  if (wrong !== undefined) return wrong;
  const kind = oneOf(body["kind"], FAULT_KINDS);
  if (!kind) return `kind must be one of ${FAULT_KINDS.join(", ")}`;
  const match = readMatch(body["match"]);
  if (typeof match === "string") return match;
  const number = (name: string, fallback: number) => numberOf(body[name]) ?? fallback;
  return {
    kind,
    operation: oneOf(body["operation"], OPERATIONS) ?? "submit",
    match,
    times: number("times", 1),
    retryAfter: number("retryAfter", 1),
    delayMs: number("delayMs", 500),
    status: number("status", 422),
    body: textOf(body["body"]) ?? "",
  };
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

export interface FaultBox {
  arm(fault: Fault): void;
  /** The first armed fault for this request; counts as used. */
  take(operation: string, subject: Subject): Fault | undefined;
  list(): readonly (Fault & { readonly left: number })[];
  clear(): void;
}

export function faultBox(): FaultBox {
  const armed: Armed[] = [];
  return {
    arm: (fault) => void armed.push({ fault, left: fault.times === 0 ? Infinity : fault.times }),
    take(operation, subject) {
      const at = armed.findIndex(({ fault }) =>
        fault.operation === operation && matches(fault.match, subject)
      );
      const found = armed[at];
      if (!found) return undefined;
      found.left -= 1;
      if (found.left <= 0) armed.splice(at, 1);
      return found.fault;
    },
    list: () =>
      armed.map(({ fault, left }) => ({ ...fault, left: Number.isFinite(left) ? left : 0 })),
    clear: () => void armed.splice(0),
  };
}
