import type { Context, Next } from "hono";
import type { Access, Actor, AuditEvent } from "#src/ports/access.ts";
import type { Language } from "#src/kernel/language.ts";
import type { Log } from "#src/ports/log.ts";
import type { Family } from "./envelope.ts";
import type { BodyDigest } from "./body_digest.ts";
import type { CountWrite } from "./daily_usage.ts";
import type { Intake } from "./intake.ts";

/** Records the caller, the event, its target and the sent data in the audit. */
export type Audit = (
  entry: {
    actor: Actor;
    event: AuditEvent;
    target: string;
    before?: unknown;
    after: Readonly<Record<string, unknown>>;
  },
) => Promise<void>;

/** Answers a repeated call of a route that writes; `isStreamed` says that the handler reads the body as a stream. */
export type Once = (
  c: Context<HttpEnv>,
  next: Next,
  how: { readonly isStreamed: boolean },
) => Promise<Response | void>;

export interface HttpEnv {
  Variables: {
    /** Replaces the `authorization` header for callers that cannot send it. */
    authorization?: string;
    access: Access;
    /** Records the call in the audit if the called function records nothing itself. */
    audit: Audit | undefined;
    /** Target of the change, if it is not the path. */
    target: string | undefined;
    /** State before the change, if the handler knows it, for the audit entry. */
    before: unknown;
    /** State after the change, if it differs from the sent data. */
    after: Readonly<Record<string, unknown>> | undefined;
    /** True if the answer contains a secret shown once. It is not stored for a repeated `Idempotency-Key`. */
    isToldOnce: boolean | undefined;
    /** True once the requested work has begun. It is then audited even if the answer is an error. */
    hasBegun: boolean | undefined;
    /** True if an audit entry of the caller was made during this call. */
    isAudited: boolean | undefined;
    log: Log;
    /** Answers a repeated `Idempotency-Key`; each route that writes calls it after its guard. */
    once: Once | undefined;
    /** Counts the bytes that a caller writes, before the handler writes them. */
    countWrite: CountWrite | undefined;
    /** The digest of the body of a call with `Idempotency-Key`. */
    digest: BodyDigest | undefined;
    /** Receiver of the body; see `receiveBody`. */
    intake: Intake;
    /** Bytes of a buffered body. */
    body: Uint8Array<ArrayBuffer> | undefined;
    /** Family of the route, or of the routes nearest to the path. */
    family: Family;
    requestId: string;
    actor: Actor;
    /** Caller's network address, if it is known. */
    address: string | undefined;
    /** Content security policy of a page, if it differs from the default. */
    policy: string | undefined;
    /** Default language of the family. */
    defaultLanguage: Language;
    /** Language of the answer: see `chooseLanguage`. */
    language: Language;
  };
}
