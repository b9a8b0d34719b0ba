import type { Deps } from "#src/deps.ts";
import { UNBOUND } from "#src/ports/vault.ts";

/** A secret sealed for whoever writes it into the configuration; it is bound to its place where it is saved. */
export function encrypt({ vault }: Pick<Deps, "vault">, plainText: string): string {
  return vault.seal(plainText, UNBOUND);
}
