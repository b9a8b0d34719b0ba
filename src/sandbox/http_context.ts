import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { TokenDesk } from "./auth.ts";
import type { DirectoryBook } from "./directory.ts";
import type { FaultBox } from "./faults.ts";
import type { Arrival, Platform } from "./platform.ts";
import type { Quota } from "./quota.ts";
import type { Refusal } from "./submission.ts";

/** What the routes share. */
export interface Room {
  readonly platform: Platform;
  readonly faults: FaultBox;
  readonly quota: Quota;
  readonly tokens: TokenDesk;
  readonly directory: DirectoryBook;
  /** Names it is called by from outside this machine, without ports. */
  readonly names: readonly string[];
  /** Admin calls beside `/sandbox`; the page needs no token. */
  readonly urls: { readonly flow: string; readonly directory: string; readonly token: string };
}

export interface Env {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    body: Uint8Array<ArrayBuffer>;
    recordId: string;
    submission: Arrival | Refusal | undefined;
  };
}

export type SandboxContext = Context<Env>;

export function isRefusal(submission: Arrival | Refusal): submission is Refusal {
  return "message" in submission;
}

export function bodyText(context: SandboxContext): string {
  return new TextDecoder().decode(context.get("body"));
}
