import type { PermissionSet } from "#src/domain/permission/permission_set.ts";

/** Who calls, and what they may do at this moment. */
export interface Actor {
  /** `anonymous` while authentication is off. */
  readonly username: string;
  readonly roles: readonly string[];
  readonly permissions: PermissionSet;
  /** Absent for callers without a session of their own, such as the command line. */
  readonly session?: string | undefined;
  /** Of the rights above; while the user's is the same, they are current. */
  readonly epoch?: number | undefined;
  /** For the audit only; never logged. */
  readonly address?: string | undefined;
}

export interface Denial {
  readonly code: string;
  readonly method: string;
  readonly path: string;
}

/** Who may do what. Given to the app once; every route asks it. */
export interface Access {
  /** Resolves to the caller of an `Authorization` header; throws AppError `unauthenticated`. */
  authenticate(
    call: { authorization: string | undefined; address: string | undefined },
  ): Promise<Actor>;
  allows(actor: Actor, code: string): boolean;
  /** The same caller as of now, for connections that last; undefined once the session has ended. */
  current(actor: Actor): Promise<Actor | undefined>;
  /** Records a refusal. Never fails: the refusal stands in any case. */
  denied(actor: Actor, denial: Denial): Promise<void>;
  /** Called after a change of users, roles or sessions, so that the next call of this process sees it. */
  forget(): void;
}
