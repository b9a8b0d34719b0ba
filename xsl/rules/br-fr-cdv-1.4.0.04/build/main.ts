/** Writes `../br-fr-cdv.sch`: `deno run -R -W xsl/rules/br-fr-cdv-1.4.0.04/build/main.ts`. */

import { CDV } from "../../br-fr-cdv/build/main.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import { type Changes, renderSchema, revise } from "../../br-fr-flux2-ubl/build/schema.ts";

/** Matches the status of the context's own invoice, not of others in the message. */
const NOT_RECEIVABLE = "../ram:ProcessConditionCode = '501'";

const CHANGES: Changes = {
  asserts: {
    "BR-FR-CDV-13_MDT-129": {
      test: `ram:GlobalID[string(.)] or ${NOT_RECEIVABLE}`,
      en:
        "Seller of the invoice concerned: the identifier (MDT-129) is missing or empty. Repeat its SIREN (BT-30), unless the status is 501.",
      fr:
        "Vendeur de la facture visée : l’identifiant (MDT-129) manque ou est vide. Reprenez son SIREN (BT-30), sauf statut 501.",
    },
    "BR-FR-CDV-CL-09_MDT-113_210B2G": {
      test: `($invoiceStatus and not($status = '210')) or not($senderPlatforms = '9999') or . = ${
        sequence(codes("status-reasons", "statuses", "210-B2G"))
      }`,
    },
  },
  added: {
    "BR-FR-CDV-13_MDT-129": {
      id: "BR-FR-CDV-13_MDT-129-2",
      see: "MDT-129",
      flag: "warning",
      test: `ram:GlobalID[@schemeID = '0002'][string(.)] or ${NOT_RECEIVABLE}`,
      value: "ram:GlobalID",
      expected: "999999999 @schemeID=0002",
      en:
        "Seller of the invoice concerned: the identifier (MDT-129) is no SIREN (scheme 0002). Give the SIREN, unless the seller is outside French VAT.",
      fr:
        "Vendeur de la facture visée : l’identifiant (MDT-129) n’est pas un SIREN (schéma 0002). Indiquez le SIREN, sauf si le vendeur n’est pas soumis à la TVA française.",
    },
  },
};

export const CDV_04 = revise(CDV, CHANGES);

if (import.meta.main) {
  await Deno.writeTextFile(new URL("../br-fr-cdv.sch", import.meta.url), renderSchema(CDV_04));
}
