/**
 * Sums with a tolerance of one cent per summed item, and VAT categories that may occur several times. Unlike
 * on UBL, most sums are decimals: where the published rules do not cast, text from the document is summed as
 * doubles.
 */

import type { Context, RulePattern, RuleSource } from "../../build/rule.ts";
import { FAMILIES } from "../../extended-ctc-fr-ubl/build/sums.ts";
import { COUNTED } from "./lines.ts";
import { describe } from "./said.ts";

const LINE = "ram:IncludedSupplyChainTradeLineItem";
const ADJUSTMENT = "ram:SpecifiedTradeAllowanceCharge";
const LOGISTICS = "ram:SpecifiedLogisticsServiceCharge";
const NET = "ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount";
const VAT = "[upper-case(ram:TypeCode) = 'VAT']";
const ENTRIES = "//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax";

export const SUM_KEYS: readonly string[] = [
  `<xsl:key name="counted-of-category" match="/rsm:CrossIndustryInvoice/rsm:SupplyChainTradeTransaction/${LINE}${COUNTED}` +
  `/ram:SpecifiedLineTradeSettlement" use="ram:ApplicableTradeTax/ram:CategoryCode"/>`,
];

export function sumParts(): RulePattern[] {
  return [
    {
      name: "extension-totals",
      title: "Totals, within one cent per item",
      rules: [...totalRules(), ...presenceRules(), dueRule()],
      contexts: new Map([["totals", {
        pattern: "//ram:SpecifiedTradeSettlementHeaderMonetarySummation",
        lets: TOTAL_LETS,
      }]]),
    },
    {
      name: "extension-vat",
      title: "Taxable amounts, within one cent per item",
      rules: FAMILIES.flatMap(({ id, code }) => entryRules(id, code)),
      contexts: new Map(FAMILIES.map(({ code }) => [`entry-${code}`, entry(code)])),
    },
  ];
}

/** Returns the entries of a category. As published, no other rule on whole entries applies to them. */
function entryPattern(code: string): string {
  return `${ENTRIES}[ram:CategoryCode = '${code}']${VAT}`;
}

export const OTHER_ENTRIES = `${ENTRIES}[not(ram:CategoryCode = (${
  FAMILIES.map(({ code }) => `'${code}'`).join(", ")
}) and upper-case(ram:TypeCode) = 'VAT')]`;

/** Returns a sum rounded to the cent. */
function cents(amounts: string): string {
  return `xs:decimal(round(sum(${amounts}) * 100) div 100)`;
}

/** Sum of the amounts' text as doubles. */
const LOGISTICS_SUM =
  `xs:decimal(round(sum($settlement/${LOGISTICS}/ram:AppliedAmount) * 10 * 10) div 100)`;
const doubledSum = (adjustments: string) =>
  `xs:decimal(round(sum(${adjustments}/ram:ActualAmount) * 10 * 10) div 100)`;

const TOTAL_LETS: readonly (readonly [string, string])[] = [
  ["countedLines", `../../${LINE}${COUNTED}`],
  ["countedAmounts", `$countedLines/ram:SpecifiedLineTradeSettlement/${NET}`],
  ["reductions", `$settlement/${ADJUSTMENT}[ram:ChargeIndicator/udt:Indicator = 'false']`],
  ["additions", `$settlement/${ADJUSTMENT}[ram:ChargeIndicator/udt:Indicator = 'true']`],
  ["reductionItems", `count(../${ADJUSTMENT}[ram:ChargeIndicator/udt:Indicator = 'false'])`],
  [
    "additionItems",
    `count(../${ADJUSTMENT}[ram:ChargeIndicator/udt:Indicator = 'true']) + count(../${LOGISTICS})`,
  ],
  ["shownLines", cents("$countedAmounts/xs:decimal(.)")],
  ["shownReductions", cents("$reductions/ram:ActualAmount/xs:decimal(.)")],
  ["shownAdditions", `${cents("$additions/ram:ActualAmount/xs:decimal(.)")} + ${LOGISTICS_SUM}`],
  ["items", "count($countedLines) + $reductionItems + $additionItems"],
  ["vatTotal", "ram:TaxTotalAmount[@currencyID = ../../ram:InvoiceCurrencyCode]"],
];

function totalRules(): RuleSource[] {
  const near = (difference: string, items: string) => `abs(${difference}) <= 0.01 * ${items}`;
  const asked = [
    {
      id: "BR-FREXT-CO-10",
      // As published, lines outside the sums widen the tolerance.
      test: near("xs:decimal(ram:LineTotalAmount) - $shownLines", `count(../../${LINE})`),
      value: "ram:LineTotalAmount",
    },
    {
      id: "BR-FREXT-CO-11",
      test: `not($reductions or ram:AllowanceTotalAmount) or ${
        near("xs:decimal(ram:AllowanceTotalAmount) - $shownReductions", "$reductionItems")
      }`,
      value: "ram:AllowanceTotalAmount",
    },
    {
      id: "BR-FREXT-CO-12",
      test: `not($additions or ram:ChargeTotalAmount) or ${
        near("xs:decimal(ram:ChargeTotalAmount) - $shownAdditions", "$additionItems")
      }`,
      value: "ram:ChargeTotalAmount",
    },
    {
      id: "BR-FREXT-CO-13",
      test: near(
        `xs:decimal(ram:TaxBasisTotalAmount) - $shownLines + ${doubledSum("$reductions")}` +
          ` - (xs:decimal(round(sum($additions/ram:ActualAmount) * 100) div 100) + ${LOGISTICS_SUM})`,
        "$items",
      ),
      value: "ram:TaxBasisTotalAmount",
    },
    {
      id: "BR-FREXT-CO-15",
      test:
        `if (count($vatTotal) > 1) then xs:decimal(ram:TaxBasisTotalAmount[1]) = xs:decimal(ram:GrandTotalAmount[1]) else ${
          near(
            "xs:decimal(ram:GrandTotalAmount[1]) - xs:decimal($vatTotal) - xs:decimal(ram:TaxBasisTotalAmount[1])",
            "$items",
          )
        }`,
      value: "ram:GrandTotalAmount",
      expected: "€ xs:decimal($vatTotal[1]) + xs:decimal(ram:TaxBasisTotalAmount[1])",
    },
  ];
  return asked.map((rule) => describe({ ...rule, context: "totals" }));
}

function presenceRules(): RuleSource[] {
  return FAMILIES.map(({ id, code }) =>
    describe({
      id: `BR-FREXT-${id}-01`,
      context: "document",
      test:
        `exists(key('entry-category', '${code}')) = exists(key('line-category', '${code}') | key('adjustment-category', '${code}'))`,
      value:
        `string-join(distinct-values($settlement/ram:ApplicableTradeTax/ram:CategoryCode), ' ')`,
    })
  );
}

/** Returns a rule that the profile still has; the norm removed it with release 1.3.16 of its rules. */
function dueRule(): RuleSource {
  const due = "//ram:DuePayableAmount";
  return describe({
    id: "BR-CO-25",
    context: "document",
    test: `not(number(${due}) > 0) or ` +
      "exists(//ram:SpecifiedTradePaymentTerms/(ram:DueDateDateTime | ram:Description))",
    value: due,
  });
}

/**
 * Returns the context of an entry with its sums: by category and rate ("Plain"), or also by exemption reason
 * ("Exact").
 */
function entry(code: string): Context {
  const sum = (suffix: string): (readonly [string, string])[] => {
    const of = (tax: string) => {
      const rate = code === "O" ? "" : `[${tax}/xs:decimal(ram:RateApplicablePercent) = $rate]`;
      const reason = suffix === "Plain"
        ? ""
        : `[normalize-space(${tax}/ram:ExemptionReasonCode) = $reasonCode]` +
          `[normalize-space(${tax}/ram:ExemptionReason) = $reason]`;
      return rate + reason;
    };
    const adjust = (indicator: string) =>
      cents(
        `$adjusted${suffix}[ram:ChargeIndicator/udt:Indicator = ${indicator}]/xs:decimal(ram:ActualAmount)`,
      );
    return [
      [`lines${suffix}`, `key('counted-of-category', '${code}')${of("ram:ApplicableTradeTax")}`],
      [
        `adjusted${suffix}`,
        `$settlement/${ADJUSTMENT}[ram:CategoryTradeTax/ram:CategoryCode = '${code}']${
          of("ram:CategoryTradeTax")
        }`,
      ],
      [
        `logistics${suffix}`,
        `$settlement/${LOGISTICS}[ram:AppliedTradeTax/ram:CategoryCode = '${code}']${
          of("ram:AppliedTradeTax")
        }`,
      ],
      [
        `sum${suffix}`,
        `${cents(`$lines${suffix}/${NET}/xs:decimal(.)`)} - ${adjust("false()")} + ${
          adjust("true()")
        } + ${cents(`$logistics${suffix}/xs:decimal(ram:AppliedAmount)`)}`,
      ],
      [
        `items${suffix}`,
        `count($lines${suffix}) + count($adjusted${suffix}) + count($logistics${suffix})`,
      ],
    ];
  };
  return {
    pattern: entryPattern(code),
    lets: [
      ["rate", "xs:decimal(ram:RateApplicablePercent)"],
      ["base", "xs:decimal(ram:BasisAmount)"],
      ["reason", "normalize-space(ram:ExemptionReason)"],
      ["reasonCode", "normalize-space(ram:ExemptionReasonCode)"],
      ...sum("Plain"),
      ...sum("Exact"),
    ],
  };
}

function entryRules(id: string, code: string): RuleSource[] {
  const near = (suffix: string) => `abs($base - $sum${suffix}) <= 0.01 * $items${suffix}`;
  const base = (suffix: string, test: string) =>
    describe({
      id: `BR-FXEXT-${id}-08${suffix}`,
      as: `BR-FREXT-${id}-08${suffix}`,
      context: `entry-${code}`,
      test,
      value: "ram:BasisAmount",
    });
  const computed = "round($base * $rate) div 100";
  return [
    base("", `${near("Exact")} or ${near("Plain")}`),
    base("ini", near("Plain")),
    base("rev", near("Exact")),
    ...(id === "S"
      ? [describe({
        id: "BR-FXEXT-S-09",
        as: "BR-FREXT-S-09",
        context: `entry-${code}`,
        test: `abs(xs:decimal(ram:CalculatedAmount) - ${computed}) <= 0.01 * $itemsPlain`,
        value: "ram:CalculatedAmount",
      })]
      : []),
  ];
}
