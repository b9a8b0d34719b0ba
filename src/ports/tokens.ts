/** What an access token says. Lists are left out where they would make the token too long for a header. */
export interface AccessClaims {
  readonly username: string;
  readonly session: string;
  readonly roles: readonly string[];
  /** Undefined when there are too many to carry; they are then read by the user's name. */
  readonly permissions: readonly string[] | undefined;
  readonly epoch: number;
  /** Seconds since 1970. */
  readonly expiresAt: number;
}

/** Access tokens, issued and verified. */
export interface Tokens {
  /** A JWT signed with EdDSA, valid for `lifetimeSeconds`. */
  issue(claims: Omit<AccessClaims, "expiresAt">): Promise<string>;
  /** Undefined for anything that is not a valid access token of ours, whatever is wrong with it. */
  verify(token: string): Promise<AccessClaims | undefined>;
  /** The public keys (RFC 7517), the newest first. */
  jwks(): Promise<{ keys: readonly Record<string, unknown>[] }>;
  /** A new key signs from now on. Older ones verify until their tokens have expired, or with `forget` no longer. */
  rotate(options?: { forget?: boolean }): Promise<string>;
  readonly lifetimeSeconds: number;
}
