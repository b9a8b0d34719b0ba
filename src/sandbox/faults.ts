import { z } from "zod";
import { exactly, readAs } from "./input.ts";
import { MatchBody, matches, type Subject } from "./scripts.ts";

/** `-before`: the request has no effect; all others take effect first, then spoil the answer. */
export const FAULT_KINDS = [
  "500-before",
  "500-after",
  "503", // with Retry-After, no effect
  "429", // with Retry-After, no effect
  "401", // existing tokens become invalid
  "status", // `status` and `body`, no effect
  "drop-before", // the connection is cut
  "drop-after",
  "hang-before", // never answers
  "hang-after",
  "garbage", // 200 and text that is not JSON
  "empty", // 200 and an empty body
  "half-body", // headers, half of the answer, then the connection is cut
  "same-id", // the answer names the flow of the previous submission
  "slow", // the correct answer after `delayMs`
] as const;
const OPERATIONS = [
  "submit",
  "search",
  "get",
  "webhooks",
  "health",
  "directory",
  "token",
] as const;
/** Longest delay that a timer supports, in milliseconds. */
const MAX_DELAY_MS = 2_147_483_647;

const FaultBody = exactly("a fault", {
  kind: z.enum(FAULT_KINDS),
  operation: z.enum(OPERATIONS).default("submit"),
  /** Calls that the fault applies to; by default all calls of the operation. */
  match: MatchBody.default({}),
  /** 0 means without limit. */
  times: z.int().min(0).max(1_000_000).default(1),
  /** Seconds. */
  retryAfter: z.number().min(0).max(86_400).default(1),
  delayMs: z.number().min(0).max(MAX_DELAY_MS).default(500),
  status: z.int().min(200).max(599).default(422),
  body: z.string().default(""),
});
/** Fault applied to the first `times` calls that match. */
export type Fault = Readonly<z.infer<typeof FaultBody>>;

/** Parses a fault of the admin API and adds its defaults; returns a sentence if it is invalid. */
export function readFault(body: unknown): Fault | string {
  return readAs(FaultBody, body, "a fault");
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

export interface FaultList {
  arm(fault: Fault): void;
  /** Returns the first armed fault for this request and counts it as used. */
  take(operation: string, subject: Subject): Fault | undefined;
  list(): readonly (Fault & { readonly left: number })[];
  clear(): void;
}

export function faultList(): FaultList {
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
