/** Seals secrets for rest. There is no way to open one through the API. */
export interface Vault {
  /** Seals a secret as `ENC:…`, bound to its context: elsewhere it does not open. */
  seal(secret: string, context: string): string;
  /** Throws AppError `unavailable` when the key is another one or the text was changed. */
  open(sealed: string, context: string): string;
  /**
   * Returns the secret, sealed with the current key for its context; a secret that is already so stays unchanged.
   * Accepts secrets sealed with the previous key or for no context (`UNBOUND`). Throws AppError `unavailable`
   * where no key opens it.
   */
  renewed(sealed: string, context: string): string;
}

/** Context of a secret that a user sealed to write it into a file; it opens only after it is saved there. */
export const UNBOUND = "sealed for no place";

/** Checks whether a text is a sealed secret. */
export function isSealed(text: string): boolean {
  return text.startsWith("ENC:");
}
