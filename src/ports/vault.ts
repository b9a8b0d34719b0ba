/** Seals secrets for rest. There is no way to open one through the API. */
export interface Vault {
  /** `ENC:…`, bound to its context: moved elsewhere it no longer opens. */
  seal(secret: string, context: string): string;
  /** Throws AppError `unavailable` when the key is another one or the text was changed. */
  open(sealed: string, context: string): string;
  /**
   * The same secret bound to its context by the key of today: as it is where it is so already, else sealed anew. Takes what was
   * sealed by the key before, and what was sealed for no place (`UNBOUND`). Throws AppError `unavailable` where nothing opens it.
   */
  renewed(sealed: string, context: string): string;
}

/** The context of a secret that was sealed for whoever writes it down; it opens nowhere until it is saved in a place. */
export const UNBOUND = "sealed for no place";

/** Whether a text is a sealed secret. */
export function isSealed(text: string): boolean {
  return text.startsWith("ENC:");
}
