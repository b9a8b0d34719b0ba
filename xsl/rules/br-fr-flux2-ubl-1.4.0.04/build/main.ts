/** Writes `../br-fr-flux2-ubl.sch`: `deno run -R -W xsl/rules/br-fr-flux2-ubl-1.4.0.04/build/main.ts`. */

import { below, BREAKDOWN, CHILDREN } from "../../br-fr-flux2-ubl/build/grouped.ts";
import { FLUX2 } from "../../br-fr-flux2-ubl/build/main.ts";
import { type Changes, renderSchema, revise } from "../../br-fr-flux2-ubl/build/schema.ts";
import { decimalSum, decimalTest } from "./decimals.ts";

const PAID = "not(cbc:ProfileID = $paidFrameworks)";
const SUMS = "cac:LegalMonetaryTotal[1]";
/** Due dates before the invoice date, at all their UBL paths. */
const EARLY = "(cbc:DueDate | cac:PaymentMeans/cbc:PaymentDueDate)[. < /*/cbc:IssueDate]";

/** The text of a note between its code and the next number sign; a number sign separates the notes. */
function mark(code: string): string {
  return `substring-before(concat(substring-after(string-join(/*/cbc:Note, '#'), '#${code}#'), '#'), '#')`;
}

const NET = "../cbc:LineExtensionAmount[1]";
const GROSS = "../cbc:TaxInclusiveLineExtensionAmount";

const CHANGES: Changes = {
  lets: { treatment: mark("BAR"), taxStatus: mark("TXD") },
  asserts: {
    "BR-FR-22_BT-34": {
      test: testOf("BR-FR-22_BT-34").replace("$treatment = ''", "not($treatment = 'B2B')"),
    },
    "BR-FR-CO-07_BT-9": {
      test: `not(${EARLY}) or $type = $prepaymentTypes or cbc:ProfileID = $paidFrameworks`,
      value: EARLY,
      en:
        `Payment due date (BT-9): {${EARLY}} is before the invoice date {cbc:IssueDate} (BT-2). Correct one of the two dates.`,
      fr:
        `Date d’échéance (BT-9) : {${EARLY}} précède la date de facture {cbc:IssueDate} (BT-2). Corrigez l’une des deux dates.`,
    },
    "BR-FR-CO-09_BT-23-1": pay(
      [`${SUMS}/cbc:PrepaidAmount[1]`, `${SUMS}/cbc:TaxInclusiveAmount[1]`],
      `xs:decimal(${SUMS}/cbc:PrepaidAmount[1]) = xs:decimal(${SUMS}/cbc:TaxInclusiveAmount[1])`,
    ),
    "BR-FR-CO-09_BT-23-2": pay(
      [`${SUMS}/cbc:PayableAmount[1]`],
      `xs:decimal(${SUMS}/cbc:PayableAmount[1]) = 0`,
    ),
    "BR-FR-MV-05_EXT-FR-FE-BG-12": decimalTest(
      { single: [NET], several: [CHILDREN], stopsAtMissing: true },
      `abs(xs:decimal(${NET}) - ${decimalSum(CHILDREN)}) <= 0.01 * count(${CHILDREN})`,
    ),
    "BR-FR-MV-09_EXT-FR-FE-181": decimalTest(
      { single: ["$vat"], several: [BREAKDOWN], stopsAtMissing: true },
      `abs(xs:decimal($vat) - ${decimalSum(BREAKDOWN)}) <= 0.01`,
    ),
    "BR-FR-MV-10_EXT-FR-FE-184": whereGiven(decimalTest(
      { single: [`${GROSS}[1]`, NET, "$vat[1]"], stopsAtMissing: true },
      `abs(xs:decimal(${GROSS}[1]) - xs:decimal(${NET}) - xs:decimal($vat[1])) <= 0.01 * count(${
        below("= ('DETAIL', 'GROUP')")
      })`,
    )),
  },
};

function pay(single: readonly string[], comparison: string) {
  const { test, why } = decimalTest({ single, stopsAtMissing: false }, comparison);
  return { test: `${PAID} or ${test}`, why };
}

function whereGiven({ test, why }: ReturnType<typeof decimalTest>) {
  return { test: `not(${GROSS}) or ${test}`, why };
}

function testOf(id: string): string {
  const asserts = FLUX2.patterns.flatMap(({ rules }) => rules).flatMap((rule) => rule.asserts);
  return asserts.find((it) => it.id === id)?.test ?? "";
}

export const FLUX2_04 = revise(FLUX2, CHANGES);

if (import.meta.main) {
  await Deno.writeTextFile(
    new URL("../br-fr-flux2-ubl.sch", import.meta.url),
    renderSchema(FLUX2_04),
  );
}
