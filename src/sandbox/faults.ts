import { z } from "zod";
import { exactly, readAs } from "./input.ts";
import { MatchBody, matches, type Subject } from "./scripts.ts";

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
const OPERATIONS = [
  "submit",
  "search",
  "get",
  "webhooks",
  "health",
  "directory",
  "token",
] as const;
/** The longest a timer can wait. */
const MAX_DELAY_MS = 2_147_483_647;

const FaultBody = exactly("a fault", {
  kind: z.enum(FAULT_KINDS),
  operation: z.enum(OPERATIONS).default("submit"),
  /** Which calls it is for; none given: all of the operation. */
  match: MatchBody.default({}),
  /** 0 is without end. */
  times: z.int().min(0).max(1_000_000).default(1),
  /** Seconds. */
  retryAfter: z.number().min(0).max(86_400).default(1),
  delayMs: z.number().min(0).max(MAX_DELAY_MS).default(500),
  status: z.int().min(200).max(599).default(422),
  body: z.string().default(""),
});
/** One way to misbehave, on the first `times` calls it fits. */
export type Fault = Readonly<z.infer<typeof FaultBody>>;

/** A fault asked for through the admin API, with its defaults; a sentence when it makes no sense. */
export function readFault(body: unknown): Fault | string {
  return readAs(FaultBody, body, "a fault");
}

interface Armed {
  readonly fault: Fault;
  left: number;
}

export interface FaultList {
  arm(fault: Fault): void;
  /** The first armed fault for this request; counts as used. */
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
