import type { MiddlewareHandler } from "hono";
import type { Access, Actor, AuditEvent } from "#src/ports/access.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Log } from "#src/ports/log.ts";
import type { Family } from "./envelope.ts";
import type { Intake } from "./intake.ts";

/** Who did what to what, with what they sent. */
export type Audit = (
  entry: {
    actor: Actor;
    event: AuditEvent;
    target: string;
    before?: unknown;
    after: Readonly<Record<string, unknown>>;
  },
) => Promise<void>;

export interface HttpEnv {
  Variables: {
    /** Stands for the header of that name where a caller cannot send one. */
    authorization?: string;
    access: Access;
    /** Records what a route did whose verb records nothing itself. */
    audit: Audit | undefined;
    /** What it was done to, where that is not the path. */
    target: string | undefined;
    /** What was there before, where a handler knows it: for the entry in the audit. */
    before: unknown;
    /** What is there now, where that is not simply what was sent. */
    after: Readonly<Record<string, unknown>> | undefined;
    /** The answer holds what is told this once: it is kept for no repeated `Idempotency-Key`. */
    isToldOnce: boolean | undefined;
    /** What was asked for was begun: it is in the audit also where the answer is an error. */
    hasBegun: boolean | undefined;
    /** An entry was made in the caller's name during this call. */
    isAudited: boolean | undefined;
    log: Log;
    /** What answers a repeated `Idempotency-Key`; each route asks it after its guard. */
    once: MiddlewareHandler<HttpEnv> | undefined;
    /** Where the body comes in; see `receiveBody`. */
    intake: Intake;
    /** The bytes of a body that was received whole. */
    body: Uint8Array<ArrayBuffer> | undefined;
    /** Of the route, or of what lies nearest to the path. */
    family: Family;
    requestId: string;
    actor: Actor;
    /** The caller's network address, where it is known. */
    address: string | undefined;
    /** The content security policy of a page that has one of its own. */
    policy: string | undefined;
    /** In which everything is answered: see `languageOf`. */
    language: Language;
  };
}
