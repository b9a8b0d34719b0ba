/** Writes `../br-fr-flux2-ubl.sch`: `deno run -R -W xsl/rules/br-fr-flux2-ubl/build/main.ts`. */

import { renderSchema, type SchematronSource } from "./schema.ts";
import { VALUE_LISTS, valuePatterns } from "./values.ts";
import { partyPatterns } from "./parties.ts";
import { DOCUMENT_LETS, documentPatterns } from "./document.ts";
import { partPatterns } from "./parts.ts";
import { GROUP_KEYS, GROUP_LETS, groupedPatterns } from "./grouped.ts";

export const UBL_NAMESPACES = {
  ubl: "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2",
  cn: "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2",
  cac: "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2",
  cbc: "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2",
} as const;

export const FLUX2: SchematronSource = {
  title: "BR-FR Flux 2 for UBL invoices and credit notes",
  namespaces: UBL_NAMESPACES,
  lets: [...VALUE_LISTS, ...DOCUMENT_LETS, ...GROUP_LETS],
  declarations: GROUP_KEYS,
  patterns: [
    ...documentPatterns(),
    ...partPatterns(),
    ...valuePatterns(),
    ...partyPatterns(),
    ...groupedPatterns(),
  ],
};

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../br-fr-flux2-ubl.sch", import.meta.url), renderSchema(FLUX2));
}
