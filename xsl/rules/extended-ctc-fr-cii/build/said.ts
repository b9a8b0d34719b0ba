import { parts as normParts } from "../../build/build.ts";
import type { RuleSource } from "../../build/rule.ts";
import { inCii } from "../../en16931-cii/build/main.ts";
import { codeParts } from "../../extended-ctc-fr-ubl/build/codes.ts";
import { lineParts } from "../../extended-ctc-fr-ubl/build/lines.ts";
import { sumParts } from "../../extended-ctc-fr-ubl/build/sums.ts";

/** Rule on CII with its own test and context; the sentence comes from the same rule on UBL. */
export interface CtcRuleInput extends Partial<Omit<RuleSource, "id" | "context" | "test">> {
  readonly id: string;
  readonly context: string;
  readonly test: string;
  /** Number of the rule on UBL, if it differs. */
  readonly as?: string;
}

const SAID: ReadonlyMap<string, RuleSource> = new Map(
  [...normParts(), ...lineParts(), ...sumParts(), ...codeParts()].flatMap(({ rules }) => rules)
    .map((rule) => [rule.id, rule]),
);

/** Expressions in UBL sentences with the variable of the CII rules that holds the same value. */
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

export function describe({ as, ...asked }: CtcRuleInput): RuleSource {
  const ubl = SAID.get(as ?? asked.id);
  if (ubl === undefined) throw new Error(`${asked.id}: there is no rule ${as ?? asked.id} on UBL`);
  const { value: _value, expected, ...words } = ubl;
  const rule: RuleSource = {
    ...words,
    ...(expected === undefined ? {} : { expected: translate(expected) }),
    en: translate(ubl.en),
    fr: translate(ubl.fr),
    ...asked,
  };
  const left = /\b(cac|cbc):\w+/.exec(JSON.stringify(rule))?.[0];
  if (left !== undefined) throw new Error(`${rule.id} still speaks of ${left}: ${rule.en}`);
  return rule;
}

function translate(sentence: string): string {
  return inCii(WORDS.reduce((text, [ubl, cii]) => text.replaceAll(ubl, cii), sentence));
}
