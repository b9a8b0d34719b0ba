import type { Claims } from "#src/domain/permission/claims.ts";
import type { PermissionSet } from "#src/domain/permission/permission_set.ts";
import type { Language } from "#src/kernel/language.ts";

/** Name of an audit event: the object, a dot and the action (`user.changed`). */
export type AuditEvent = `${string}.${string}`;

/** Profile of an account, in addition to its rights. */
export interface Profile {
  readonly displayName: string;
  readonly email: string | null;
  readonly claims: Claims;
}

/** Caller and its current rights. */
export interface Actor {
  /** `anonymous` while authentication is off. */
  readonly username: string;
  readonly roles: readonly string[];
  readonly permissions: PermissionSet;
  /** The one they chose for themselves; absent where they left it open. */
  readonly language?: Language | undefined;
  /** Values for parameters of queries; absent for callers without an account. */
  readonly profile?: Profile | undefined;
  /** Absent for callers without a session of their own, such as the command line. */
  readonly session?: string | undefined;
  /** Version of the rights above; they are current while the user's version is the same. */
  readonly epoch?: number | undefined;
  /** When the token ends that the caller showed. */
  readonly expiresAt?: Date | undefined;
  /** Address of the caller, for the audit only; never logged. */
  readonly address?: string | undefined;
  /** Receives each audit entry of this actor during a call, so that the router makes no second one. */
  readonly audited?: ((event: string) => void) | undefined;
}

/** A call that was refused for a missing permission. */
export interface Denial {
  readonly code: string;
  readonly method: string;
  readonly path: string;
}

/** Access control of the app; every route uses it. */
export interface Access {
  /** True if users do not sign in: every caller may do everything, so only callers of this machine are answered. */
  readonly isOpen?: boolean;
  /** Resolves to the caller of an `Authorization` header; throws AppError `unauthenticated`. */
  authenticate(
    call: { authorization: string | undefined; address: string | undefined },
  ): Promise<Actor>;
  /**
   * Returns the actor for the token of the first start, which may move the installation to a server; undefined
   * for another token or none.
   */
  holderOfSetupToken?(
    call: { authorization: string | undefined; address: string | undefined },
  ): Promise<Actor | undefined>;
  allows(actor: Actor, code: string): boolean;
  /**
   * Returns the same caller as of now, for connections that last; undefined once the session or the token has
   * ended.
   */
  current(actor: Actor): Promise<Actor | undefined>;
  /**
   * Records a refusal, or counts it if many similar ones are recorded. Never fails: the call is refused in any
   * case.
   */
  denied(actor: Actor, denial: Denial): Promise<void>;
  /** Returns the roles that would allow it, for users with `users:read`; undefined for others. */
  granting(actor: Actor, code: string): Promise<readonly string[] | undefined>;
  /** Writes the records that were only counted so far; call it when the process ends. */
  settle?(): Promise<void>;
  /** Called after a change of users, roles or sessions, so that the next call of this process sees it. */
  forget(): void;
}

/** Reader of the settings: preferred languages, best first, and permissions. */
export interface SettingsReader {
  readonly languages: readonly string[];
  may(code: string): boolean;
}
