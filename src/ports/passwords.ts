/** Hashes passwords, and compares them with what is stored. */
export interface Passwords {
  /** A PHC string. Throws AppError `throttled` when too many wait. */
  hash(password: string): Promise<string>;
  /**
   * Takes as long for an account without a password (`undefined`) as for any other. `outdated` asks for a new hash with
   * the current parameters. Throws AppError `throttled` when too many wait.
   */
  verify(
    password: string,
    stored: string | undefined,
  ): Promise<{ matches: boolean; outdated: boolean }>;
}
