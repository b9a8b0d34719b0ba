import {
  type Identifier,
  type InvoiceDocument,
  type Party,
  readSiren,
} from "#src/domain/ubl/mod.ts";
import type { Role } from "./role.ts";

/** Scheme of the French directory's addresses: `SIREN`, `SIREN_SIRET`, `SIREN_SIRET_CODE` or `SIREN_SUFFIX`. */
export const DIRECTORY_SCHEME = "0225";

/**
 * Returns the electronic address of a party (BT-34, BT-49) with its own scheme, or the SIREN if the document has
 * no address.
 */
export function electronicAddress(party: Party): Identifier | undefined {
  if (party.endpoint) return party.endpoint;
  const siren = readSiren(party);
  return siren === undefined ? undefined : { value: siren, scheme: DIRECTORY_SCHEME };
}

/** The party to which an invoice that we issue is delivered. */
export interface Recipient {
  readonly address: Identifier | undefined;
  readonly siren: string | undefined;
}

/** Returns the recipient: the buyer for our invoices, the seller for those that we write in its name. */
export function chooseRecipient(invoice: InvoiceDocument, role: Role): Recipient {
  const party = role === "seller" ? invoice.buyer : invoice.seller;
  return { address: electronicAddress(party), siren: readSiren(party) };
}
