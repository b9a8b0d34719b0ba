/** Rules on lines, their groups and their items. A line counts in the sums unless it says it is anything else than DETAIL. */

import type { Part, Rule } from "../../build/rule.ts";
import { codes, sequence } from "../../br-fr-flux2-ubl/build/codelists.ts";
import { said } from "./said.ts";

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

export function lineParts(): Part[] {
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
      rules: [said({
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

/** As published, nothing is asked of a line that has no line document. */
function countedRules(): Rule[] {
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
    said({ id, as, context: "counted-line", test: `exists(../${path})`, value: "ram:LineID" })
  );
}

function groupRules(): Rule[] {
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
  return asked.map((rule) => said({ ...rule, context: "grouped-line" }));
}

function itemRules(): Rule[] {
  const context = "itemAttribute";
  return [
    said({ id: "BR-FREXT-54-1", context, test: "ram:Description or ram:TypeCode" }),
    said({
      id: "BR-FREXT-54-2",
      context,
      test:
        "if (ram:Value) then not(ram:ValueMeasure) else exists(ram:ValueMeasure[@unitCode != ''])",
      value: "ram:Value | ram:ValueMeasure",
    }),
  ];
}
