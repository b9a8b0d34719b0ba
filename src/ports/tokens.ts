/** Claims of an access token. Lists are omitted where they would make the token too long for a header. */
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
  /** Returns a JWT signed with EdDSA, valid for `lifetimeSeconds`. */
  issue(claims: Omit<AccessClaims, "expiresAt">): Promise<string>;
  /** Verifies an access token; undefined for any invalid one. */
  verify(token: string): Promise<AccessClaims | undefined>;
  /** Returns the public keys (RFC 7517), the newest first. */
  jwks(): Promise<{ keys: readonly Record<string, unknown>[] }>;
  /**
   * Creates a key that signs all later tokens. Older keys verify until their tokens have expired, or with
   * `forget` no longer.
   */
  rotate(options?: { forget?: boolean }): Promise<string>;
  readonly lifetimeSeconds: number;
}
