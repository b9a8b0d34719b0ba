import type { Claims } from "#src/domain/permission/claims.ts";
import type { PermissionSet } from "#src/domain/permission/permission_set.ts";
import type { Language } from "#src/kernel/language.ts";

/** The name of something that happened, in the audit: the thing, a dot, what was done to it (`user.changed`). */
export type AuditEvent = `${string}.${string}`;

/** What an account says of itself besides its rights. */
export interface Profile {
  readonly displayName: string;
  readonly email: string | null;
  readonly claims: Claims;
}

/** Who calls, and what they may do at this moment. */
export interface Actor {
  /** `anonymous` while authentication is off. */
  readonly username: string;
  readonly roles: readonly string[];
  readonly permissions: PermissionSet;
  /** The one they chose for themselves; absent where they left it open. */
  readonly language?: Language | undefined;
  /** What parameters of queries are taken from; absent for callers without an account. */
  readonly profile?: Profile | undefined;
  /** Absent for callers without a session of their own, such as the command line. */
  readonly session?: string | undefined;
  /** Of the rights above; while the user's is the same, they are current. */
  readonly epoch?: number | undefined;
  /** When the token ends that the caller showed. */
  readonly expiresAt?: Date | undefined;
  /** For the audit only; never logged. */
  readonly address?: string | undefined;
  /** Hears of each audit entry made in this name during a call, so that the router makes none. */
  readonly audited?: ((event: string) => void) | undefined;
}

/** A call that was refused for a missing permission. */
export interface Denial {
  readonly code: string;
  readonly method: string;
  readonly path: string;
}

/** Who may do what. Given to the app once; every route asks it. */
export interface Access {
  /** Nobody signs in: every caller may do everything, so only callers of this machine are answered. */
  readonly isOpen?: boolean;
  /** Resolves to the caller of an `Authorization` header; throws AppError `unauthenticated`. */
  authenticate(
    call: { authorization: string | undefined; address: string | undefined },
  ): Promise<Actor>;
  /** Who moves the installation to a server by the token of its first start; undefined for whoever shows another, or none. */
  holderOfSetupToken?(
    call: { authorization: string | undefined; address: string | undefined },
  ): Promise<Actor | undefined>;
  allows(actor: Actor, code: string): boolean;
  /** The same caller as of now, for connections that last; undefined once the session or the token has ended. */
  current(actor: Actor): Promise<Actor | undefined>;
  /** Records a refusal, or counts it where many alike are recorded. Never fails: the refusal stands in any case. */
  denied(actor: Actor, denial: Denial): Promise<void>;
  /** The roles that would allow it, for those who may know: undefined without `users:read`. */
  granting(actor: Actor, code: string): Promise<readonly string[] | undefined>;
  /** Records what was only counted so far; at the end of the process. */
  settle?(): Promise<void>;
  /** Called after a change of users, roles or sessions, so that the next call of this process sees it. */
  forget(): void;
}

/** Who reads what the settings say: in which language, best first, and how much of it. */
export interface Reader {
  readonly languages: readonly string[];
  may(code: string): boolean;
}
