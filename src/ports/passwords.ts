/** Hashes passwords and compares them with stored hashes. */
export interface Passwords {
  /** Returns a PHC string. Throws AppError `throttled` when too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Verifies a password; takes as long for an account without a password (`undefined`) as for any other.
   * `outdated` means that a new hash with the current parameters is needed. Throws AppError `throttled` when too
   * many wait.
   */
  verify(
    password: string,
    stored: string | undefined,
  ): Promise<{ matches: boolean; outdated: boolean }>;
}
