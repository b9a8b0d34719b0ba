/**
 * Rules on lines, their groups and their items. A line counts in the sums unless its status is other than
 * DETAIL.
 */

import type { RulePattern, RuleSource } from "../../build/rule.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import { describe } from "./said.ts";

const LINE = "ram:IncludedSupplyChainTradeLineItem";
const ABOUT = "ram:AssociatedDocumentLineDocument";
const STATUS = "ram:LineStatusReasonCode";
const SETTLEMENT = "ram:SpecifiedLineTradeSettlement";
const AMOUNT =
  `${SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`;

export const COUNTED = `[not(${ABOUT}/${STATUS}) or ${ABOUT}/${STATUS} = 'DETAIL']`;

export const LINE_KEYS: readonly string[] = [
  `<xsl:key name="line" match="${LINE}" use="${ABOUT}/ram:LineID"/>`,
  `<xsl:key name="sub-line" match="${LINE}" use="${ABOUT}/ram:ParentLineID"/>`,
];

export function lineParts(): RulePattern[] {
  return [
    {
      name: "extension-counted",
      title: "Lines that count in the totals",
      rules: countedRules(),
      contexts: new Map([["counted-line", {
        pattern: `//${LINE}/${ABOUT}[not(${STATUS}) or ${STATUS} = 'DETAIL']`,
        lets: [["lineId", "ram:LineID"]],
      }]]),
    },
    {
      name: "extension-lines",
      title: "Lines of the French extension",
      rules: groupRules(),
      contexts: new Map([["grouped-line", {
        pattern: `//${LINE}`,
        lets: [
          ["lineId", `${ABOUT}/ram:LineID`],
          ["lineStatus", `${ABOUT}/${STATUS}`],
          ["parentId", `normalize-space(${ABOUT}/ram:ParentLineID)`],
          ["isGroup", `$lineStatus = 'GROUP' and exists(${AMOUNT})`],
          ["children", "key('sub-line', $lineId)"],
          [
            "childSum",
            `round(sum($children[${ABOUT}/${STATUS} = ('DETAIL', 'GROUP')]/${AMOUNT}) * 100) div 100`,
          ],
        ],
      }]]),
    },
    {
      name: "extension-items",
      title: "Item attributes of the French extension",
      rules: itemRules(),
    },
    {
      name: "extension-item-codes",
      title: "Codes of item attributes",
      rules: [describe({
        id: "BR-FXEXT-04",
        as: "BR-FREXT-04",
        flag: "warning",
        context: "//ram:ApplicableProductCharacteristic/ram:TypeCode",
        test: `normalize-space(.) = ${sequence(codes("item-attributes"))}`,
        value: ".",
      })],
    },
  ];
}

/** Returns the rules on counted lines. As published, they skip a line without line document. */
function countedRules(): RuleSource[] {
  const needed: readonly (readonly [id: string, as: string, path: string])[] = [
    ["BR-FREXT-BR-22", "BR-FREXT-22", "ram:SpecifiedLineTradeDelivery/ram:BilledQuantity"],
    [
      "BR-FREXT-BR-23",
      "BR-FREXT-23",
      "ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode",
    ],
    ["BR-FREXT-BR-24", "BR-FREXT-24", AMOUNT],
    [
      "BR-FREXT-BR-26",
      "BR-FREXT-26",
      "ram:SpecifiedLineTradeAgreement/ram:NetPriceProductTradePrice/ram:ChargeAmount",
    ],
    [
      "BR-FREXT-CO-04",
      "BR-FREXT-CO-04",
      `${SETTLEMENT}/ram:ApplicableTradeTax[upper-case(ram:TypeCode) = 'VAT']/ram:CategoryCode`,
    ],
  ];
  return needed.map(([id, as, path]) =>
    describe({ id, as, context: "counted-line", test: `exists(../${path})`, value: "ram:LineID" })
  );
}

function groupRules(): RuleSource[] {
  const groups = `$children[${ABOUT}/${STATUS} = 'GROUP']`;
  const asked = [
    {
      id: "BR-FREXT-05",
      test: "empty($lineStatus) or $lineStatus = ('DETAIL', 'GROUP', 'INFORMATION')",
      value: "$lineStatus",
    },
    { id: "BR-FREXT-06", test: "$parentId = '' or $lineStatus != ''", value: "$parentId" },
    {
      id: "BR-FREXT-08",
      test: `not($isGroup) or ${AMOUNT} = $childSum`,
      value: AMOUNT,
      expected: "format-number($childSum, '0.00')",
    },
    {
      id: "BR-FREXT-11",
      test: `$parentId = '' or key('line', $parentId)[${ABOUT}/ram:LineID != $lineId]`,
      value: "$parentId",
    },
    {
      id: "BR-FREXT-12",
      test: `not($isGroup) or count(${groups}) = count(${groups}/${AMOUNT})`,
      value: `${groups}[not(${AMOUNT})]/${ABOUT}/ram:LineID`,
    },
  ];
  return asked.map((rule) => describe({ ...rule, context: "grouped-line" }));
}

function itemRules(): RuleSource[] {
  const context = "itemAttribute";
  return [
    describe({ id: "BR-FREXT-54-1", context, test: "ram:Description or ram:TypeCode" }),
    describe({
      id: "BR-FREXT-54-2",
      context,
      test:
        "if (ram:Value) then not(ram:ValueMeasure) else exists(ram:ValueMeasure[@unitCode != ''])",
      value: "ram:Value | ram:ValueMeasure",
    }),
  ];
}
