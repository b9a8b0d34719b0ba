/** Writes `../br-fr-flux2-cii.sch`: `deno run -R -W xsl/rules/br-fr-flux2-cii/build/main.ts`. */

import { renderSchema, type SchematronSource } from "../../br-fr-flux2-ubl/build/schema.ts";
import { documentPatterns, LETS } from "./document.ts";
import { groupedPatterns } from "./grouped.ts";
import { partyPatterns } from "./parties.ts";
import { valuePatterns } from "./values.ts";

export const FLUX2_CII: SchematronSource = {
  title: "BR-FR Flux 2 for CII invoices",
  namespaces: {
    rsm: "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100",
    ram: "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100",
    udt: "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100",
    qdt: "urn:un:unece:uncefact:data:standard:QualifiedDataType:100",
  },
  lets: LETS,
  declarations: [],
  patterns: [
    ...documentPatterns(),
    ...valuePatterns(),
    ...partyPatterns(),
    ...groupedPatterns(),
  ],
};

if (import.meta.main) {
  const target = new URL("../br-fr-flux2-cii.sch", import.meta.url);
  await Deno.writeTextFile(target, renderSchema(FLUX2_CII));
}
