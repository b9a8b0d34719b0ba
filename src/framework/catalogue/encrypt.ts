import type { Deps } from "#src/deps.ts";
import { UNBOUND } from "#src/ports/vault.ts";

/** Encrypts a secret for the configuration; it is bound to its position when it is saved. */
export function encrypt({ vault }: Pick<Deps, "vault">, plainText: string): string {
  return vault.seal(plainText, UNBOUND);
}
