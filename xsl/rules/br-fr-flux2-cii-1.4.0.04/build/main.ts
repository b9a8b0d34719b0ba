/** Writes `../br-fr-flux2-cii.sch`: `deno run -R -W xsl/rules/br-fr-flux2-cii-1.4.0.04/build/main.ts`. */

import { BREAKDOWN, countBelow, NET } from "../../br-fr-flux2-cii/build/grouped.ts";
import { FLUX2_CII } from "../../br-fr-flux2-cii/build/main.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import { type Changes, renderSchema, revise } from "../../br-fr-flux2-ubl/build/schema.ts";
import { decimalSum, decimalTest } from "../../br-fr-flux2-ubl-1.4.0.04/build/decimals.ts";

const IS_PAID = `$framework = ${sequence(codes("process-types", "group", "paid"))}`;
const IS_PREPAYMENT = `$type = ${sequence(codes("document-types", "traits", "prepayment"))}`;
/** Due dates before the invoice date; as published, an empty date counts. */
const EARLY = "$dueDate[not(string(.) ge string($issueDate[1]))]";
const GIVEN = "$dueDate[normalize-space(.)]";

const CHANGES: Changes = {
  asserts: {
    "BR-FR-CO-07_BT-9": {
      test: `empty(${GIVEN}) or ${IS_PREPAYMENT} or ${IS_PAID} or empty(${EARLY})`,
      value: EARLY,
      en:
        `Payment due date (BT-9): {${EARLY}} is before the invoice date {$issueDate} (BT-2), or is empty. Correct the date.`,
      fr:
        `Date d’échéance (BT-9) : {${EARLY}} précède la date de facture {$issueDate} (BT-2), ou est vide. Corrigez la date.`,
    },
    "BR-FR-CO-09_BT-23-1": pay(
      ["$sums/ram:TotalPrepaidAmount", "$sums/ram:GrandTotalAmount"],
      "xs:decimal($sums/ram:TotalPrepaidAmount) = xs:decimal($sums/ram:GrandTotalAmount)",
    ),
    "BR-FR-CO-09_BT-23-2": pay(
      ["$sums/ram:DuePayableAmount"],
      "xs:decimal($sums/ram:DuePayableAmount) = 0",
    ),
    "BR-FR-CO-09_BT-23-3": { test: `not(${IS_PAID}) or exists(${GIVEN})` },
    "BR-FR-MV-05_EXT-FR-FE-BG-12": group(decimalTest(
      { single: [NET], several: ["$subLines"], stopsAtMissing: true },
      `abs(xs:decimal(${NET}) - ${decimalSum("$subLines")}) <= 0.01 * count($subLines)`,
    )),
    "BR-FR-MV-09_EXT-FR-FE-181": group(decimalTest(
      { single: ["$vat"], several: [BREAKDOWN], stopsAtMissing: true },
      `abs(xs:decimal($vat) - ${decimalSum(BREAKDOWN)}) <= 0.01`,
    )),
    "BR-FR-MV-10_EXT-FR-FE-184": group(
      decimalTest(
        { single: ["$gross", NET, "$vat"], stopsAtMissing: true },
        `abs(xs:decimal($gross) - xs:decimal(${NET}) - xs:decimal($vat)) <= 0.01 * ${
          countBelow("= ('DETAIL', 'GROUP')")
        }`,
      ),
      "empty($gross) or ",
    ),
  },
};

function pay(single: readonly string[], comparison: string) {
  const { test, why } = decimalTest({ single, stopsAtMissing: false }, comparison);
  return { test: `not(${IS_PAID}) or ${test}`, why };
}

function group({ test, why }: ReturnType<typeof decimalTest>, unless = "") {
  return { test: `not($grouped) or ${unless}${test}`, why };
}

export const FLUX2_CII_04 = revise(FLUX2_CII, CHANGES);

if (import.meta.main) {
  const target = new URL("../br-fr-flux2-cii.sch", import.meta.url);
  await Deno.writeTextFile(target, renderSchema(FLUX2_CII_04));
}
