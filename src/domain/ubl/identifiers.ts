import type { Identifier, Party } from "./model.ts";

const SIREN_SCHEME = "0002";
const SIRET_SCHEME = "0009";

/** Returns the nine digits of the French company register: stated with scheme 0002, else the head of its SIRET. */
export function readSiren(party: Party): string | undefined {
  return withScheme(party, SIREN_SCHEME)?.replace(/\s/g, "") ?? readSiret(party)?.slice(0, 9);
}

/** Returns the fourteen digits of a French establishment (scheme 0009). */
export function readSiret(party: Party): string | undefined {
  return withScheme(party, SIRET_SCHEME)?.replace(/\s/g, "");
}

function withScheme(party: Party, scheme: string): string | undefined {
  const all: readonly (Identifier | undefined)[] = [party.legalId, ...party.ids];
  return all.find((id) => id?.scheme === scheme)?.value;
}
