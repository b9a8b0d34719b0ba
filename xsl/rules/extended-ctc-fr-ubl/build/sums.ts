/**
 * Sums with a tolerance of one cent per summed item, and VAT categories that may occur several times. The
 * published rules sum amounts as xs:double. They keep the sum of the lines so, and cast the sums of
 * allowances and charges to xs:decimal with all digits of the double. These digits decide whether a
 * difference of exactly one cent passes, so the rules here compute alike. Messages show cents.
 */

import type { Context, RulePattern, RuleSource } from "../../build/rule.ts";
import { COUNTED } from "./lines.ts";

const VAT = "[cac:TaxScheme/cbc:ID/upper-case(normalize-space(.)) = 'VAT']";

export const SUM_LETS: readonly (readonly [string, string])[] = [
  [
    "countedLines",
    "$everyLine[not(cac:BillingReference[cac:InvoiceDocumentReference/cbc:ID = $invoiceNumber]) or cac:BillingReference[cac:InvoiceDocumentReference/cbc:ID = $invoiceNumber]/cac:InvoiceDocumentReference/cbc:DocumentStatusCode = 'DETAIL']",
  ],
  ["countedAmounts", "$countedLines/cbc:LineExtensionAmount"],
  [
    "countedCodes",
    "distinct-values($countedLines[parent::ubl:Invoice or parent::cn:CreditNote]/cac:Item/cac:ClassifiedTaxCategory/normalize-space(cbc:ID[1]))",
  ],
];

/** Exemption code and reason of a VAT category, as part of a key. */
export const REASONS =
  "'#', normalize-space(cbc:TaxExemptionReasonCode[1]), '#', normalize-space(cbc:TaxExemptionReason)";

/** Families of the profile: id in rule names, code in the document. */
export const FAMILIES: readonly { id: string; code: string; en: string; fr: string }[] = [
  { id: "S", code: "S", en: "Standard rate", fr: "Taux normal ou réduit" },
  { id: "Z", code: "Z", en: "Zero rate", fr: "Taux zéro" },
  { id: "E", code: "E", en: "Exempt", fr: "Exonéré" },
  { id: "AE", code: "AE", en: "Reverse charge", fr: "Autoliquidation" },
  { id: "IC", code: "K", en: "Intra-Community supply", fr: "Livraison intracommunautaire" },
  { id: "G", code: "G", en: "Export", fr: "Exportation" },
  { id: "O", code: "O", en: "Outside the scope of VAT", fr: "Hors du champ de la TVA" },
  { id: "AF", code: "L", en: "Canary Islands tax", fr: "Taxe des Canaries" },
  { id: "AG", code: "M", en: "Tax of Ceuta and Melilla", fr: "Taxe de Ceuta et Melilla" },
];

export function sumParts(): RulePattern[] {
  return [
    {
      name: "extension-totals",
      title: "Totals, within one cent per item",
      rules: [...totalRules(), ...presenceRules(), dueRule()],
      contexts: new Map([["totals", { pattern: "cac:LegalMonetaryTotal", lets: TOTAL_LETS }]]),
    },
    {
      name: "extension-vat",
      title: "Taxable amounts, within one cent per item",
      rules: FAMILIES.flatMap(baseRules),
      contexts: new Map(FAMILIES.map(({ code }) => [`breakdown-${code}`, breakdown(code)])),
    },
  ];
}

const TOTAL_LETS: readonly (readonly [string, string])[] = [
  ["lineSum", "round(sum($countedAmounts) * 100) div 100"],
  ["reductions", "../cac:AllowanceCharge[cbc:ChargeIndicator/normalize-space(.) = ('false', '0')]"],
  ["additions", "../cac:AllowanceCharge[cbc:ChargeIndicator/normalize-space(.) = ('true', '1')]"],
  ["reductionSum", take("$reductions/cbc:Amount")],
  ["additionSum", take("$additions/cbc:Amount")],
  ["shownLines", show("$countedAmounts")],
  ["shownReductions", show("$reductions/cbc:Amount")],
  ["shownAdditions", show("$additions/cbc:Amount")],
  ["items", "count($countedAmounts) + count($reductions) + count($additions)"],
  ["vatTotal", "../cac:TaxTotal/cbc:TaxAmount[@currencyID = /*/cbc:DocumentCurrencyCode]"],
];

/** Returns the sum of allowances or charges with the precision of the published rules. */
function take(amounts: string): string {
  return `xs:decimal(round(sum(${amounts}) * 100) div 100)`;
}

/** Returns a sum rounded to the cent, for messages. */
function show(amounts: string): string {
  return `xs:decimal(round(sum(${amounts}) * 100)) div 100`;
}

function totalRules(): RuleSource[] {
  const rule = (
    id: string,
    terms: string,
    rest: Omit<RuleSource, "id" | "terms" | "flag" | "context">,
  ): RuleSource => ({
    id: `BR-FREXT-CO-${id}`,
    flag: "fatal",
    context: "totals",
    terms,
    ...rest,
  });
  const near = (difference: string, items: string) => `abs(${difference}) <= 0.01 * ${items}`;
  return [
    rule("10", "BT-106 BT-131", {
      test: near(
        "round(abs(xs:decimal(cbc:LineExtensionAmount) - $lineSum) * 100) div 100",
        "count($countedAmounts)",
      ),
      en:
        "Sum of the lines (BT-106): {cbc:LineExtensionAmount} instead of {€ $shownLines}, within 0.01 per line. Correct the total or the lines.",
      fr:
        "Somme des lignes (BT-106) : {cbc:LineExtensionAmount} au lieu de {€ $shownLines}, à 0,01 près par ligne. Corrigez le total ou les lignes.",
      value: "cbc:LineExtensionAmount",
      expected: "€ $shownLines",
    }),
    rule("11", "BT-107 BT-92", {
      test: `${
        near("xs:decimal(cbc:AllowanceTotalAmount) - $reductionSum", "count($reductions)")
      } or not(cbc:AllowanceTotalAmount or $reductions)`,
      en:
        'Sum of allowances (BT-107): "{cbc:AllowanceTotalAmount}" instead of {€ $shownReductions}, within 0.01 per allowance. Correct the total.',
      fr:
        "Total des remises (BT-107) : « {cbc:AllowanceTotalAmount} » au lieu de {€ $shownReductions}, à 0,01 près par remise. Corrigez le total.",
      value: "cbc:AllowanceTotalAmount",
      expected: "€ $shownReductions",
    }),
    rule("12", "BT-108 BT-99", {
      test: `${
        near("xs:decimal(cbc:ChargeTotalAmount) - $additionSum", "count($additions)")
      } or not(cbc:ChargeTotalAmount or $additions)`,
      en:
        'Sum of charges (BT-108): "{cbc:ChargeTotalAmount}" instead of {€ $shownAdditions}, within 0.01 per charge. Correct the total.',
      fr:
        "Total des frais (BT-108) : « {cbc:ChargeTotalAmount} » au lieu de {€ $shownAdditions}, à 0,01 près par frais. Corrigez le total.",
      value: "cbc:ChargeTotalAmount",
      expected: "€ $shownAdditions",
    }),
    rule("13", "BT-109 BT-131 BT-92 BT-99", {
      test: near(
        "round(abs(xs:decimal(cbc:TaxExclusiveAmount) - $lineSum + $reductionSum - $additionSum) * 100) div 100",
        "$items",
      ),
      en:
        "Total without VAT (BT-109): {cbc:TaxExclusiveAmount} instead of {€ $shownLines - $shownReductions + $shownAdditions}. Correct the total.",
      fr:
        "Total hors taxes (BT-109) : {cbc:TaxExclusiveAmount} au lieu de {€ $shownLines - $shownReductions + $shownAdditions}. Corrigez le total.",
      value: "cbc:TaxExclusiveAmount",
      expected: "€ $shownLines - $shownReductions + $shownAdditions",
    }),
    rule("15", "BT-112 BT-109 BT-110", {
      test: `not($vatTotal) or ${
        near(
          "xs:decimal(cbc:TaxInclusiveAmount) - xs:decimal($vatTotal) - xs:decimal(cbc:TaxExclusiveAmount)",
          "$items",
        )
      }`,
      en:
        "Total with VAT (BT-112): {cbc:TaxInclusiveAmount} is not the total without VAT {cbc:TaxExclusiveAmount} plus the VAT {$vatTotal}. Correct one of the three.",
      fr:
        "Total TTC (BT-112) : {cbc:TaxInclusiveAmount} n’est pas le total hors taxes {cbc:TaxExclusiveAmount} plus la TVA {$vatTotal}. Corrigez l’un des trois.",
      value: "cbc:TaxInclusiveAmount",
      expected: "€ xs:decimal($vatTotal) + xs:decimal(cbc:TaxExclusiveAmount)",
    }),
  ];
}

function presenceRules(): RuleSource[] {
  return FAMILIES.map(({ id, code, en, fr }): RuleSource => ({
    id: `BR-FREXT-${id}-01`,
    flag: "fatal",
    context: "document",
    terms: "BG-23 BT-118 BT-151 BT-95 BT-102",
    test:
      `(cac:AllowanceCharge/cac:TaxCategory/normalize-space(cbc:ID[1]) = '${code}' or $countedCodes = '${code}') = ($anyBreakdownCodes = '${code}')`,
    en:
      `${en} (${code}): the category stands in the VAT breakdown (BG-23) if, and only if, a line that counts, an allowance or a charge uses it. Add or remove the breakdown.`,
    fr:
      `${fr} (${code}) : la catégorie figure dans la ventilation de TVA (BG-23) si, et seulement si, une ligne comptée, une remise ou un frais l’utilise. Ajoutez ou retirez la ventilation.`,
    value: "string-join($anyBreakdownCodes, ' ')",
    expected: `'${code}'`,
  }));
}

/** Returns a rule that the profile still has; the norm removed it with release 1.3.16 of its rules. */
function dueRule(): RuleSource {
  return {
    id: "BR-CO-25",
    flag: "fatal",
    context: "/ubl:Invoice/cac:LegalMonetaryTotal/cbc:PayableAmount",
    terms: "BT-115 BT-9 BT-20",
    test: ". <= 0 or (. > 0 and (//cbc:DueDate or //cac:PaymentTerms/cbc:Note))",
    en:
      "Amount due {.} (BT-115): the due date (BT-9) or the payment terms (BT-20) are missing. Give one of the two.",
    fr:
      "Net à payer {.} (BT-115) : l’échéance (BT-9) ou les conditions de paiement (BT-20) manquent. Renseignez l’une des deux.",
    value: ".",
    expected: "'BT-9 | BT-20'",
  };
}

/**
 * Returns the context of a breakdown with its sums: by category and rate ("plain"), or also by exemption
 * reason ("exact").
 */
function breakdown(code: string): Context {
  const rated = code !== "O";
  const sameReason =
    "[normalize-space(cbc:TaxExemptionReasonCode[1]) = $reasonCode and normalize-space(cbc:TaxExemptionReason) = $reason]";
  const category = `[normalize-space(cbc:ID[1]) = '${code}']${
    rated ? "[xs:decimal(cbc:Percent) = $rate]" : ""
  }`;
  const lines = (grouping: string, reasons: string) =>
    rated
      ? `(if (exists($rate)) then key('taxed-${grouping}', concat('${code} ', string($rate)${reasons}))${COUNTED} else ())`
      : `key('taxed-${grouping}-O', concat('${code}'${
        reasons === "" ? ", ''" : reasons
      }))${COUNTED}`;
  const amounts = (sign: string) =>
    `/*/cac:AllowanceCharge[cbc:ChargeIndicator/normalize-space(.) = ${sign}]`;
  const sum = (
    suffix: string,
    filter: string,
    reasons: string,
  ): (readonly [string, string])[] => [
    [
      `lines${suffix}`,
      lines(suffix.toLowerCase(), reasons),
    ],
    [
      `less${suffix}`,
      `${amounts("('false', '0')")}[cac:TaxCategory${category}${filter}]/cbc:Amount`,
    ],
    [
      `more${suffix}`,
      `${amounts("('true', '1')")}[cac:TaxCategory${category}${filter}]/cbc:Amount`,
    ],
    [
      `off${suffix}`,
      `abs($base - round(sum($lines${suffix}/cbc:LineExtensionAmount) * 100) div 100 + ${
        take(`$less${suffix}`)
      } - ${take(`$more${suffix}`)})`,
    ],
    [
      `sum${suffix}`,
      `${show(`$lines${suffix}/cbc:LineExtensionAmount`)} - ${show(`$less${suffix}`)} + ${
        show(`$more${suffix}`)
      }`,
    ],
    [
      `items${suffix}`,
      `count($lines${suffix}/cbc:LineExtensionAmount) + count($less${suffix}) + count($more${suffix})`,
    ],
  ];
  return {
    pattern:
      `/*/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory[normalize-space(cbc:ID[1]) = '${code}']${VAT}`,
    lets: [
      ["rate", "cbc:Percent/xs:decimal(.)"],
      ["base", "../cbc:TaxableAmount/xs:decimal(.)"],
      ["reason", "normalize-space(cbc:TaxExemptionReason)"],
      ["reasonCode", "normalize-space(cbc:TaxExemptionReasonCode[1])"],
      ...sum("Plain", "", ""),
      ...sum("Exact", sameReason, ", '#', $reasonCode, '#', $reason"),
    ],
  };
}

function baseRules({ id, code, en, fr }: typeof FAMILIES[number]): RuleSource[] {
  const near = (suffix: string) => `$off${suffix} <= 0.01 * $items${suffix}`;
  const rule = (
    suffix: string,
    flag: string,
    test: string,
    how: readonly [string, string],
  ): RuleSource => ({
    id: `BR-FREXT-${id}-08${suffix}`,
    flag,
    context: `breakdown-${code}`,
    terms: "BT-116 BT-131 BT-92 BT-99",
    test,
    en:
      `${en} (${code}): the taxable amount {../cbc:TaxableAmount} (BT-116) is not the sum of its lines, less allowances, plus charges${
        how[0]
      }, within 0.01 per item. Correct the taxable amount or the lines.`,
    fr:
      `${fr} (${code}) : la base imposable {../cbc:TaxableAmount} (BT-116) n’est pas la somme de ses lignes, moins les remises, plus les frais${
        how[1]
      }, à 0,01 près par élément. Corrigez la base ou les lignes.`,
    value: "../cbc:TaxableAmount",
    expected: suffix === "rev" ? "€ $sumExact" : "€ $sumPlain",
  });
  const tax: RuleSource[] = id !== "S" ? [] : [{
    id: "BR-FREXT-S-09",
    flag: "fatal",
    context: "breakdown-S",
    terms: "BT-117 BT-116 BT-119",
    test: "abs(xs:decimal(../cbc:TaxAmount) - round($base * $rate) div 100) <= 0.01 * $itemsExact",
    en:
      "Standard rate: the VAT {../cbc:TaxAmount} (BT-117) is not the taxable amount {$base} times the rate {$rate} %. Correct the VAT or the taxable amount.",
    fr:
      "Taux normal ou réduit : la TVA {../cbc:TaxAmount} (BT-117) n’est pas la base {$base} multipliée par le taux {$rate} %. Corrigez la TVA ou la base.",
    value: "../cbc:TaxAmount",
    expected: "€ round($base * $rate) div 100",
  }];
  return [
    rule("", "fatal", `${near("Exact")} or ${near("Plain")}`, ["", ""]),
    rule("ini", "warning", near("Plain"), [", grouped by rate", ", groupés par taux"]),
    rule("rev", "warning", near("Exact"), [
      ", grouped by rate and exemption reason",
      ", groupés par taux et motif d’exonération",
    ]),
    ...tax,
  ];
}
