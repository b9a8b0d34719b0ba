/** The only list of usual names of secrets, as the source of a case-insensitive regular expression. */
export const SECRET_NAMES = [
  "passw(?:or)?d",
  "passphrase",
  "pwd",
  "secret",
  "token",
  "authorization",
  "cookie",
  "credentials?",
  "signature",
  "ticket",
  "(?<![a-z])(?:auth|sig)(?![a-z])",
  "(?:api|access|account|private|shared|signing|subscription)[-_]?key",
  "(?<!idempotency)-key",
].join("|");

const AT_END = new RegExp(`(?:${SECRET_NAMES})$`, "i");
const ANYWHERE = new RegExp(SECRET_NAMES, "i");

/**
 * Checks whether a name usually denotes a secret. The result is a proposal that users can change, and a safeguard
 * for the log and the audit. The catalogue and the list of a template decide which values are sealed.
 */
export function soundsSecret(name: string): boolean {
  return AT_END.test(name);
}

/** Checks whether a header of this name may carry a secret: one of the names anywhere in it suffices. */
export function isSecretHeader(name: string): boolean {
  return ANYWHERE.test(name);
}
