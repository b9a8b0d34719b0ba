/** Writes `../br-fr-cdv.sch`: `deno run -R -W xsl/rules/br-fr-cdv/build/main.ts`. */

import { renderSchema, type SchematronSource } from "../../br-fr-flux2-ubl/build/schema.ts";
import { CDV_LETS, messagePatterns } from "./message.ts";
import { statusPatterns } from "./status.ts";

const UNCEFACT = "urn:un:unece:uncefact:data:standard";

export const CDV: SchematronSource = {
  title: "BR-FR-CDV for CDAR lifecycle messages",
  namespaces: {
    rsm: `${UNCEFACT}:CrossDomainAcknowledgementAndResponse:100`,
    ram: `${UNCEFACT}:ReusableAggregateBusinessInformationEntity:100`,
  },
  lets: CDV_LETS,
  declarations: [],
  patterns: [...messagePatterns(), ...statusPatterns()],
};

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../br-fr-cdv.sch", import.meta.url), renderSchema(CDV));
}
