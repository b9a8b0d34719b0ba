import type { HttpBindings } from "@hono/node-server";
import type { Context } from "hono";
import type { TokenIssuer } from "./auth.ts";
import type { DirectoryEntries } from "./directory.ts";
import type { FaultList } from "./faults.ts";
import type { Arrival, SandboxPa } from "./pa.ts";
import type { Quota } from "./quota.ts";
import type { Refusal } from "./submission.ts";

/** Dependencies that the routes share. */
export interface Services {
  readonly pa: SandboxPa;
  readonly faults: FaultList;
  readonly quota: Quota;
  readonly tokens: TokenIssuer;
  readonly directory: DirectoryEntries;
  /** Accepted host names from outside this machine, without ports. */
  readonly names: readonly string[];
  /** URLs of both services and of the token endpoint. */
  readonly urls: { readonly flow: string; readonly directory: string; readonly token: string };
}

export interface SandboxEnv {
  readonly Bindings: HttpBindings;
  readonly Variables: {
    body: Uint8Array<ArrayBuffer>;
    recordId: string;
    submission: Arrival | Refusal | undefined;
  };
}

export type SandboxContext = Context<SandboxEnv>;

export function isRefusal(submission: Arrival | Refusal): submission is Refusal {
  return "message" in submission;
}

export function bodyText(context: SandboxContext): string {
  return new TextDecoder().decode(context.get("body"));
}
