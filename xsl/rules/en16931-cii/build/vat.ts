import { cell, table } from "../../build/tables.ts";
import type { Context, RuleSource } from "../../build/rule.ts";

type Asked = Pick<RuleSource, "id" | "context" | "test"> & Partial<RuleSource>;

interface Family {
  readonly id: string;
  readonly code: string;
  /** Context node of a breakdown entry: its category code, or the entry itself. */
  readonly entry: "code" | "code-any-tax" | "entry";
  /** Path from there to the parts of the entry. */
  readonly up: string;
  readonly grouped: boolean;
}

/** Categories whose context is the entry itself; for the others it is the category code. */
const AT_ENTRY: ReadonlySet<string> = new Set(["L", "M", "O"]);
/** Categories whose entries need not name VAT as their tax. */
const ANY_TAX: ReadonlySet<string> = new Set(["S", "Z"]);

const VAT = "[upper-case(ram:TypeCode) = 'VAT']";
const ADJUSTMENTS = "//ram:SpecifiedTradeAllowanceCharge";
const ENTRIES = "//ram:ApplicableHeaderTradeSettlement/ram:ApplicableTradeTax";

const families: readonly Family[] = table("vat_families").map((row) => {
  const code = cell(row, "code");
  const entry = AT_ENTRY.has(code) ? "entry" : ANY_TAX.has(code) ? "code-any-tax" : "code";
  return {
    id: cell(row, "id"),
    code,
    entry,
    up: entry === "entry" ? "" : "../",
    grouped: cell(row, "base") !== "category",
  };
});

export function vatContexts(): [string, Context][] {
  return families.flatMap((family): [string, Context][] => {
    const is = `ram:CategoryCode = '${family.code}'`;
    const adjust = (indicator: string) =>
      `${ADJUSTMENTS}[ram:ChargeIndicator/udt:Indicator/normalize-space(.) = ${indicator}]` +
      `/ram:CategoryTradeTax[${is}]${VAT}`;
    return [
      [`breakdown-${family.code}`, { pattern: entryPattern(family), lets: entryLets(family) }],
      [`line-${family.code}`, {
        pattern: "//rsm:SupplyChainTradeTransaction/ram:IncludedSupplyChainTradeLineItem" +
          `/ram:SpecifiedLineTradeSettlement/ram:ApplicableTradeTax[${is}]${VAT}`,
        lets: [],
      }],
      [`allowance-${family.code}`, { pattern: adjust("('false', '0')"), lets: [] }],
      [`charge-${family.code}`, { pattern: adjust("('true', '1')"), lets: [] }],
    ];
  });
}

export function vatRules(): Asked[] {
  return families.flatMap((family) => [
    presence(family),
    ...identification(family),
    ...rates(family),
    base(family),
    tax(family),
    reason(family),
    ...(family.code === "K" ? DELIVERED : []),
    ...(family.code === "O" ? ALONE : []),
  ]);
}

function entryPattern({ code, entry }: Family): string {
  switch (entry) {
    case "entry":
      return `${ENTRIES}[ram:CategoryCode = '${code}']${VAT}`;
    case "code":
      return `${ENTRIES}/ram:CategoryCode[. = '${code}'][upper-case(../ram:TypeCode) = 'VAT']`;
    case "code-any-tax":
      return `${ENTRIES}/ram:CategoryCode[. = '${code}']`;
  }
}

/**
 * Returns the sums, rounded to the cent, of the category's lines, charges and allowances, by rate where the
 * norm groups by rate.
 */
function entryLets({ code, up, grouped }: Family): [string, string][] {
  const rate = (path: string) =>
    grouped ? `[${path}/xs:decimal(ram:RateApplicablePercent) = $rate]` : "";
  const cents = (sum: string) => `round(sum(${sum}) * 100) div 100`;
  const adjust = (set: string) =>
    cents(
      `$${set}[ram:CategoryTradeTax/ram:CategoryCode = '${code}']${
        rate("ram:CategoryTradeTax")
      }/xs:decimal(ram:ActualAmount[1])`,
    );
  return [
    ["rate", `${up}ram:RateApplicablePercent/xs:decimal(.)`],
    ["base", `xs:decimal(${up}ram:BasisAmount)`],
    ["tax", `xs:decimal(${up}ram:CalculatedAmount)`],
    [
      "lineSum",
      cents(
        `key('lines-of-category', '${code}')${
          rate("ram:ApplicableTradeTax")
        }/ram:SpecifiedTradeSettlementLineMonetarySummation/xs:decimal(ram:LineTotalAmount)`,
      ),
    ],
    ["chargeSum", adjust("charges")],
    ["allowanceSum", adjust("allowances")],
  ];
}

function presence({ id, code }: Family): Asked {
  const key = (name: string) => `key('${name}', '${code}')`;
  const entries = key("entry-category");
  const lines = key("line-category");
  const adjustments = key("adjustment-category");
  const several = (set: string) => `(empty(${set}) or count(${set}) + count(${entries}) >= 2)`;
  const used = `exists(${lines} | ${adjustments})`;
  const test = code === "S" || code === "L" || code === "M"
    ? `${several(lines)} and ${several(adjustments)}`
    : code === "O"
    ? `empty(${entries}) or (count(${entries}) = 1 and ${used})`
    : `if (${used}) then count(${entries}) = 1 else empty(${entries})`;
  return { id: `${id}-01`, context: "document", test };
}

/** Tests for the required tax identifiers by category; some search for the parties anywhere. */
const IDENTIFIED: Readonly<Record<string, string>> = {
  S: "$sellerRegistered",
  Z: "$sellerRegistered",
  E: "$sellerRegistered",
  L: "$sellerRegistered",
  M: "$sellerRegistered",
  AE: "$anySellerRegistered and ($anyBuyerVat or $anyBuyerLegal)",
  K: "$anySellerVat and $anyBuyerVat",
  G: "$anySellerVat",
  O: "not($sellerVat or $anyBuyerVat)",
};

function identification({ id, code }: Family): Asked[] {
  return ["line", "allowance", "charge"].map((place, at) => ({
    id: `${id}-0${at + 2}`,
    context: `${place}-${code}`,
    test: IDENTIFIED[code] ?? "false()",
  }));
}

const RATES: Readonly<Record<string, readonly [test: string, expected: string]>> = {
  S: ["ram:RateApplicablePercent > 0", "'> 0'"],
  L: ["ram:RateApplicablePercent > 0", "'> 0'"],
  M: ["ram:RateApplicablePercent >= 0", "'>= 0'"],
  O: ["empty(ram:RateApplicablePercent)", "''"],
};

function rates({ id, code }: Family): Asked[] {
  const [test, expected] = RATES[code] ?? ["ram:RateApplicablePercent = 0", "'0'"];
  return ["line", "allowance", "charge"].map((place, at) => ({
    id: `${id}-0${at + 5}`,
    context: `${place}-${code}`,
    test,
    value: "ram:RateApplicablePercent",
    expected,
  }));
}

const NET = "$lineSum + $chargeSum - $allowanceSum";

/**
 * Returns the rule on the taxable amount. BasisAmount is text, so the published rules compare it as a double.
 * For L and M they look for the rate next to the entry, and never fire.
 */
function base({ id, code, up }: Family): Asked {
  const amount = `${up}ram:BasisAmount`;
  const test = code === "S"
    ? `empty($rate) or ${amount} = ${NET}`
    : code === "L" || code === "M"
    ? "true()"
    : code === "O"
    ? `${amount} = ${NET}`
    : `${amount} - 1 < ${NET} and ${amount} + 1 > ${NET}`;
  return {
    id: `${id}-08`,
    context: `breakdown-${code}`,
    test,
    value: amount,
    expected: `€ ${NET}`,
  };
}

function tax({ id, code, up }: Family): Asked {
  const place = {
    id: `${id}-09`,
    context: `breakdown-${code}`,
    value: `${up}ram:CalculatedAmount`,
  };
  if (code === "L" || code === "M") return { ...place, test: "true()" };
  if (code !== "S") return { ...place, test: `${up}ram:CalculatedAmount = 0`, expected: "'0.00'" };
  const computed = `round(abs($base) * ${up}ram:RateApplicablePercent) div 100`;
  return {
    ...place,
    test: `abs($tax) - 1 < ${computed} and abs($tax) + 1 > ${computed}`,
    expected: "€ round(abs($base) * $rate) div 100",
  };
}

const UNREASONED: ReadonlySet<string> = new Set(["S", "Z", "L", "M"]);

function reason({ id, code, up }: Family): Asked {
  const reasons = `${up}ram:ExemptionReason | ${up}ram:ExemptionReasonCode`;
  const context = `breakdown-${code}`;
  return UNREASONED.has(code)
    ? { id: `${id}-10`, context, test: `empty(${reasons})`, value: reasons }
    : { id: `${id}-10`, context, test: `exists(${reasons})` };
}

const DELIVERED: readonly Asked[] = [
  {
    id: "BR-IC-11",
    context: "breakdown-K",
    test:
      "exists($delivery/ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString | " +
      "../../ram:BillingSpecifiedPeriod/(ram:StartDateTime | ram:EndDateTime))",
  },
  {
    id: "BR-IC-12",
    context: "breakdown-K",
    test: "exists($delivery/ram:ShipToTradeParty/ram:PostalTradeAddress/ram:CountryID)",
  },
];

/**
 * Rules on category O alone. In CII, those on lines also cover the breakdown, and those on charges also cover
 * allowances.
 */
const ALONE: readonly Asked[] = ["ApplicableTradeTax", "CategoryTradeTax"].flatMap((name, at) =>
  [2 * at + 11, 2 * at + 12].map((n) => ({
    id: `BR-O-${n}`,
    context: "breakdown-O",
    test: `empty(//ram:${name}[ram:CategoryCode != 'O'])`,
    value: `(//ram:${name}/ram:CategoryCode[. != 'O'])[1]`,
    expected: "'O'",
  }))
);
