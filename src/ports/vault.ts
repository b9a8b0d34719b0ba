/** Seals secrets for rest. There is no way to open one through the API. */
export interface Vault {
  /** `ENC:…`, bound to its context: moved elsewhere it no longer opens. */
  seal(secret: string, context: string): string;
  /** Throws AppError `unavailable` when the key is another one or the text was changed. */
  open(sealed: string, context: string): string;
}

export function isSealed(text: string): boolean {
  return text.startsWith("ENC:");
}
