import { parts as normParts } from "../../build/build.ts";
import type { Rule } from "../../build/rule.ts";
import { inCii } from "../../en16931-cii/build/main.ts";
import { codeParts } from "../../extended-ctc-fr-ubl/build/codes.ts";
import { lineParts } from "../../extended-ctc-fr-ubl/build/lines.ts";
import { sumParts } from "../../extended-ctc-fr-ubl/build/sums.ts";

/** A rule on CII: what it asks and where is told here, what it says by the same rule on UBL. */
export interface Asked extends Partial<Omit<Rule, "id" | "context" | "test">> {
  readonly id: string;
  readonly context: string;
  readonly test: string;
  /** Number of the rule on UBL, where it is another. */
  readonly as?: string;
}

const SAID: ReadonlyMap<string, Rule> = new Map(
  [...normParts(), ...lineParts(), ...sumParts(), ...codeParts()].flatMap(({ rules }) => rules)
    .map((rule) => [rule.id, rule]),
);

/** What sentences show in UBL, and the value of the same name that the rules on CII work out. */
const WORDS: readonly (readonly [ubl: string, cii: string])[] = [
  [
    "cac:BillingReference/cac:InvoiceDocumentReference/cbc:DocumentStatusCode",
    "$lineStatus",
  ],
  ["cac:Item/cac:ClassifiedTaxCategory", "ram:ApplicableTradeTax"],
  ["../cbc:TaxableAmount", "ram:BasisAmount"],
  ["../cbc:TaxAmount", "ram:CalculatedAmount"],
  [
    "{cbc:LineExtensionAmount} (BT-131)",
    "{ram:SpecifiedLineTradeSettlement/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount} (BT-131)",
  ],
  ["{cbc:Name}", "{ram:Description[1]}"],
  ["{cbc:ID}", "{$lineId}"],
  [
    "cbc:ID, cac:DeliveryLocation/cbc:Name",
    "ram:DeliveryTypeCode, ram:RelevantTradeLocation/ram:Name",
  ],
];

export function said({ as, ...asked }: Asked): Rule {
  const ubl = SAID.get(as ?? asked.id);
  if (ubl === undefined) throw new Error(`${asked.id}: there is no rule ${as ?? asked.id} on UBL`);
  const { value: _value, expected, ...words } = ubl;
  const rule: Rule = {
    ...words,
    ...(expected === undefined ? {} : { expected: translated(expected) }),
    en: translated(ubl.en),
    fr: translated(ubl.fr),
    ...asked,
  };
  const left = /\b(cac|cbc):\w+/.exec(JSON.stringify(rule))?.[0];
  if (left !== undefined) throw new Error(`${rule.id} still speaks of ${left}: ${rule.en}`);
  return rule;
}

function translated(sentence: string): string {
  return inCii(WORDS.reduce((text, [ubl, cii]) => text.replaceAll(ubl, cii), sentence));
}
