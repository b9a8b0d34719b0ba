import { cell, table, type TsvRow } from "./tables.ts";
import { type Context, expand, type RuleSource } from "./rule.ts";

interface Family {
  readonly id: string;
  readonly code: string;
  readonly en: string;
  readonly fr: string;
  readonly row: TsvRow;
}

const VAT = expand("[{VAT}]");

/** Returns the contexts of each VAT category's rules: breakdown entry, line, allowance, charge. */
export function vatContexts(): Map<string, Context> {
  return new Map(families().flatMap((family) => getContexts(family)));
}

/**
 * Returns BR-AE, BR-E, BR-G, BR-IC, BR-AF (IGIC), BR-AG (IPSI), BR-O, BR-S, BR-Z: rules 01 to 10 of each VAT
 * category.
 */
export function vatRules(): RuleSource[] {
  return families().flatMap((family) => [
    ...documentRules(family),
    ...rateRules(family),
    baseRule(family),
    taxRule(family),
    reasonRule(family),
  ]);
}

function families(): Family[] {
  return table("vat_families").map((row) => ({
    id: cell(row, "id"),
    code: cell(row, "code"),
    en: `${cell(row, "en")} (VAT category ${cell(row, "code")})`,
    fr: `${cell(row, "fr")} (type de TVA ${cell(row, "code")})`,
    row,
  }));
}

function getContexts({ code, row }: Family): [string, Context][] {
  const is = `[normalize-space(cbc:ID[1]) = '${code}']${VAT}`;
  const adjust = (kind: string) => `cac:AllowanceCharge[${expand(kind)}]/cac:TaxCategory${is}`;
  const category = `cac:Item/cac:ClassifiedTaxCategory${is}`;
  return [
    [`breakdown-${code}`, {
      pattern: `/*/cac:TaxTotal/cac:TaxSubtotal/cac:TaxCategory${is}`,
      lets: breakdownLets(code, cell(row, "base")),
    }],
    [`line-${code}`, {
      pattern: `cac:InvoiceLine/${category} | cac:CreditNoteLine/${category}`,
      lets: [],
    }],
    [`allowance-${code}`, { pattern: adjust("{ALLOWANCE}"), lets: [] }],
    [`charge-${code}`, { pattern: adjust("{CHARGE}"), lets: [] }],
  ];
}

/**
 * Returns the sums of the category's lines, charges and allowances, by rate where the norm groups by rate.
 */
function breakdownLets(code: string, base: string): [string, string][] {
  const amounts = (set: string, amount: string) => `sum(${set}/${amount}/xs:decimal(.))`;
  const ofCode = `[cac:TaxCategory/normalize-space(cbc:ID[1]) = '${code}']`;
  const ofRate = base === "category" ? "" : "[cac:TaxCategory/cbc:Percent/xs:decimal(.) = $rate]";
  const lines = base === "category"
    ? `key('lines-of-category', '${code}')`
    : `key('lines-of-rate', string($rate))[cac:Item/cac:ClassifiedTaxCategory/normalize-space(cbc:ID[1]) = '${code}']`;
  return [
    ["rate", "cbc:Percent/xs:decimal(.)"],
    ["base", "../cbc:TaxableAmount/xs:decimal(.)"],
    // One more and one less are computed as xs:double and then used with all digits, as in the published
    // rules.
    ["oneLess", "xs:decimal(../cbc:TaxableAmount - 1)"],
    ["oneMore", "xs:decimal(../cbc:TaxableAmount + 1)"],
    ["tax", "../cbc:TaxAmount/xs:decimal(.)"],
    ["taxedLines", lines],
    [
      "lineSum",
      amounts(
        "$taxedLines[parent::ubl:Invoice or parent::cn:CreditNote]",
        "cbc:LineExtensionAmount",
      ),
    ],
    ["chargeSum", amounts(`$charges${ofCode}${ofRate}`, "cbc:Amount")],
    ["allowanceSum", amounts(`$allowances${ofCode}${ofRate}`, "cbc:Amount")],
    ...(base === "rate-used"
      ? [
        ["adjustments", `//cac:TaxCategory/parent::cac:AllowanceCharge${ofCode}${ofRate}`] as [
          string,
          string,
        ],
      ]
      : []),
  ];
}

function documentRules(family: Family): RuleSource[] {
  const { code, en, fr } = family;
  const rule = (n: string, terms: string, test: string, said: readonly [string, string]) => ({
    id: `${family.id}-${n}`,
    flag: "fatal",
    context: "document",
    terms,
    test,
    en: said[0],
    fr: said[1],
  });
  const identified = identification(cell(family.row, "identified"));
  const query = (n: string, set: string, term: string, what: readonly [string, string]) =>
    rule(n, `${term} ${identified.terms}`, `not($${set} = '${code}') or (${identified.test})`, [
      `${en}, used by ${what[0]} (${term}): ${identified.en}.`,
      `${fr}, utilisé par ${what[1]} (${term}) : ${identified.fr}.`,
    ]);
  const lines = query("02", "lineCodes", "BT-151", ["a line", "une ligne"]);
  return [
    rule("01", "BG-23 BT-118 BT-151 BT-95 BT-102", presence(family), presenceText(family)),
    cell(family.row, "breakdown") === "some-any"
      ? { ...lines, test: anySchemeTest(code, identified.test) }
      : lines,
    query("03", code === "O" ? "documentAllowanceCodes" : "allowanceCodes", "BT-95", [
      "an allowance",
      "une remise",
    ]),
    query("04", code === "O" ? "documentChargeCodes" : "chargeCodes", "BT-102", [
      "a charge",
      "des frais",
    ]),
  ];
}

/**
 * Returns a test that also fails for a line of the category without a VAT scheme, unless another line names
 * it.
 */
function anySchemeTest(code: string, identified: string): string {
  return `not($anyLineCodes = '${code}') or ($lineCodes = '${code}' and (${identified}))`;
}

function presence({ code, row }: Family): string {
  switch (cell(row, "breakdown")) {
    case "one":
      return `not($usedCodes = '${code}') or count($breakdownCodes[. = '${code}']) = 1`;
    case "some":
      return `($itemCodes = '${code}') = ($breakdownCodes = '${code}')`;
    case "some-any":
      return `($anyItemCodes = '${code}') = ($anyBreakdownCodes = '${code}')`;
    default:
      return `if ($itemCodes = '${code}') then $anyBreakdownCodes = '${code}' else not($breakdownCodes = '${code}')`;
  }
}

function presenceText({ en, fr, row }: Family): [string, string] {
  return cell(row, "breakdown") === "one"
    ? [
      `${en}: a document that uses it has exactly one entry for it in the VAT breakdown (BG-23).`,
      `${fr} : un document qui l'utilise porte pour lui une ventilation de TVA (BG-23) et une seule.`,
    ]
    : [
      `${en}: it stands in the VAT breakdown (BG-23) if, and only if, a line, an allowance or a charge uses it.`,
      `${fr} : il figure dans la ventilation de TVA (BG-23) si, et seulement si, une ligne, une remise ou des frais l'utilisent.`,
    ];
}

function identification(who: string): { test: string; terms: string; en: string; fr: string } {
  switch (who) {
    case "seller":
      return {
        test: "$sellerRegistered",
        terms: "BT-31 BT-32 BT-63",
        en: "give a tax number of the seller (BT-31, BT-32) or of its tax representative (BT-63)",
        fr:
          "donner un numéro fiscal du vendeur (BT-31, BT-32) ou de son représentant fiscal (BT-63)",
      };
    case "seller+buyer":
      return {
        test: "$sellerRegistered and ($buyerVat or $buyerLegal)",
        terms: "BT-31 BT-32 BT-63 BT-48 BT-47",
        en:
          "give a tax number of the seller (BT-31, BT-32) or of its tax representative (BT-63), and the VAT number (BT-48) or legal registration (BT-47) of the buyer",
        fr:
          "donner un numéro fiscal du vendeur (BT-31, BT-32) ou de son représentant fiscal (BT-63), et le numéro de TVA (BT-48) ou l'enregistrement légal (BT-47) de l'acheteur",
      };
    case "seller-vat":
      return {
        test: "$sellerVat",
        terms: "BT-31 BT-63",
        en: "give the VAT number of the seller (BT-31) or of its tax representative (BT-63)",
        fr: "donner le numéro de TVA du vendeur (BT-31) ou de son représentant fiscal (BT-63)",
      };
    case "seller-vat+buyer-vat":
      return {
        test: "$sellerVat and $buyerVat",
        terms: "BT-31 BT-63 BT-48",
        en:
          "give the VAT number of the seller (BT-31) or of its tax representative (BT-63), and that of the buyer (BT-48)",
        fr:
          "donner le numéro de TVA du vendeur (BT-31) ou de son représentant fiscal (BT-63), et celui de l'acheteur (BT-48)",
      };
    default:
      return {
        test: "not($sellerVat or $buyerVat)",
        terms: "BT-31 BT-63 BT-48",
        en:
          "give no VAT number of the seller (BT-31), its tax representative (BT-63) or the buyer (BT-48)",
        fr:
          "ne donner aucun numéro de TVA du vendeur (BT-31), de son représentant fiscal (BT-63) ou de l'acheteur (BT-48)",
      };
  }
}

const RATES: Readonly<Record<string, { test: string; expected: string; en: string; fr: string }>> =
  {
    zero: {
      test: "xs:decimal(cbc:Percent) = 0",
      expected: "'0'",
      en: "must be 0",
      fr: "doit être 0",
    },
    positive: {
      test: "cbc:Percent > 0",
      expected: "'> 0'",
      en: "must be above 0",
      fr: "doit être supérieur à 0",
    },
    "not-negative": {
      test: "cbc:Percent >= 0",
      expected: "'>= 0'",
      en: "must be 0 or above",
      fr: "doit être supérieur ou égal à 0",
    },
    none: {
      test: "empty(cbc:Percent)",
      expected: "''",
      en: "must be left out",
      fr: "doit être omis",
    },
  };

function rateRules({ id, code, en, fr, row }: Family): RuleSource[] {
  const rate = RATES[cell(row, "rate")];
  if (rate === undefined) throw new Error(`${id}: unknown kind of rate ${cell(row, "rate")}`);
  const places = [
    ["05", "line", "BT-152", "of a line", "d'une ligne"],
    ["06", "allowance", "BT-96", "of an allowance", "d'une remise"],
    ["07", "charge", "BT-103", "of a charge", "de frais"],
  ] as const;
  return places.map(([n, place, term, of, de]) => ({
    id: `${id}-${n}`,
    flag: "fatal",
    context: `${place}-${code}`,
    terms: term,
    test: rate.test,
    en: `${en}: the rate ${of} (${term}) ${rate.en}.`,
    fr: `${fr} : le taux ${de} (${term}) ${rate.fr}.`,
    value: "cbc:Percent",
    expected: rate.expected,
  }));
}

const NET = "$lineSum + $chargeSum - $allowanceSum";

/**
 * Tests of the taxable amount. For S the published rule also accepts the allowances and charges without the
 * lines.
 */
const BASES: Readonly<Record<string, string>> = {
  category: `exists($everyLine) and $base = ${NET}`,
  rate: `empty($rate) or (exists($everyLine) and ${withinOne(NET)})`,
  "rate-used": `empty($rate) or (exists($taxedLines | $adjustments) and ${
    withinOne(NET)
  }) or (exists($adjustments) and ${withinOne("$chargeSum - $allowanceSum")})`,
};

function withinOne(sum: string): string {
  return `$oneLess < ${sum} and $oneMore > ${sum}`;
}

function baseRule({ id, code, en, fr, row }: Family): RuleSource {
  const kind = cell(row, "base");
  const grouped = kind !== "category";
  const at = grouped ? " at {string($rate)} %" : "";
  const au = grouped ? " à {string($rate)} %" : "";
  return {
    id: `${id}-08`,
    flag: "fatal",
    context: `breakdown-${code}`,
    terms: "BT-116 BT-131 BT-92 BT-99",
    test: BASES[kind] ?? "false()",
    en:
      `${en}: the taxable amount (BT-116) is not the sum of its lines, plus charges, less allowances${
        grouped ? " at this rate, within 1.00" : ""
      }.`,
    fr:
      `${fr} : la base d'imposition (BT-116) n'est pas la somme de ses lignes, augmentée des frais et diminuée des remises${
        grouped ? " à ce taux, à 1,00 près" : ""
      }.`,
    value: "../cbc:TaxableAmount",
    expected: `€ ${NET}`,
    why: {
      en:
        `${code}${at}: lines {€ $lineSum} + charges {€ $chargeSum} - allowances {€ $allowanceSum} = {€ ${NET}}; BT-116 says {€ $base}.`,
      fr:
        `${code}${au} : lignes {€ $lineSum} + frais {€ $chargeSum} - remises {€ $allowanceSum} = {€ ${NET}} ; BT-116 indique {€ $base}.`,
    },
  };
}

function taxRule({ id, code, en, fr, row }: Family): RuleSource {
  const computed = "round(abs($base) * $rate) div 100";
  const zero = cell(row, "tax") === "zero";
  return {
    id: `${id}-09`,
    flag: "fatal",
    context: `breakdown-${code}`,
    terms: zero ? "BT-117" : "BT-117 BT-116 BT-119",
    test: zero ? "$tax = 0" : `abs(abs($tax) - ${computed}) < 1`,
    en: zero
      ? `${en}: the tax amount (BT-117) must be 0.`
      : `${en}: the tax amount (BT-117) is not the taxable amount (BT-116) times the rate (BT-119), even within 1.00.`,
    fr: zero
      ? `${fr} : le montant de taxe (BT-117) doit être 0.`
      : `${fr} : le montant de taxe (BT-117) n'est pas la base d'imposition (BT-116) multipliée par le taux (BT-119), même à 1,00 près.`,
    value: "../cbc:TaxAmount",
    expected: zero ? "'0.00'" : `€ ${computed}`,
    why: zero
      ? {
        en: `Taxable {€ $base} under ${code} bears no tax; BT-117 says {€ $tax}.`,
        fr: `La base {€ $base} sous ${code} ne porte aucune taxe ; BT-117 indique {€ $tax}.`,
      }
      : {
        en: `Taxable {€ $base} at {string($rate)} % = {€ ${computed}}; BT-117 says {€ $tax}.`,
        fr: `Base {€ $base} à {string($rate)} % = {€ ${computed}} ; BT-117 indique {€ $tax}.`,
      },
  };
}

function reasonRule({ id, code, en, fr, row }: Family): RuleSource {
  const required = cell(row, "reason") === "required";
  const reasons = "cbc:TaxExemptionReason | cbc:TaxExemptionReasonCode";
  return {
    id: `${id}-10`,
    flag: "fatal",
    context: `breakdown-${code}`,
    terms: "BT-120 BT-121",
    test: `${required ? "exists" : "empty"}(${reasons})`,
    en: required
      ? `${en}: say why no VAT is charged, in words (BT-120) or by code (BT-121).`
      : `${en}: an exemption reason (BT-120, BT-121) has no place here.`,
    fr: required
      ? `${fr} : dire pourquoi la TVA n'est pas due, en toutes lettres (BT-120) ou par un code (BT-121).`
      : `${fr} : un motif d'exonération (BT-120, BT-121) n'a pas sa place ici.`,
    ...(required ? {} : { value: reasons }),
  };
}
