import { assertEquals } from "@std/assert";
import { type ComparedFinding, groupByCause, orderByCause } from "#src/domain/validation/causes.ts";
import { shippedRuleBook } from "#src/adapters/rules/shipped_book.ts";
import { validateDocument } from "#src/gateway/validation/mod.ts";
import { clockAt, INVOICE, xsd } from "#tests/gateway/validation/support.ts";

const TOTALS = "/Invoice/cac:LegalMonetaryTotal";

function sum(rule: string, businessTerm: string, given: Partial<ComparedFinding> = {}) {
  return {
    level: "FATAL",
    source: "en16931-ubl",
    rule,
    messageEn: rule,
    businessTerm,
    location: TOTALS,
    ...given,
  } as const;
}

/** Returns each cause with what follows from it. */
function name(findings: readonly ComparedFinding[]) {
  return groupByCause(findings).map(({ cause, consequences }) =>
    [cause.rule, ...consequences.map((it) => it.rule)].join(" < ")
  );
}

const shipped = shippedRuleBook();

/** Validates an invoice with one error, and returns the blocking findings by cause. */
async function judge(edits: readonly (readonly [RegExp, string])[]) {
  const xml = edits.reduce((text, [from, to]) => {
    const edited = text.replace(from, to);
    assertEquals(edited === text, false, `no match for ${from}`);
    return edited;
  }, INVOICE);
  const deps = { clock: clockAt("2026-11-20T09:00:00Z"), rules: shipped, xsd };
  const { findings } = await validateDocument(deps, xml);
  const blocking = findings.filter((it) => it.level === "FATAL");
  const [first] = blocking;
  return { groups: name(blocking), expected: first?.expected };
}

const net = (term: string, amount: string) =>
  new RegExp(`(<cbc:${term} currencyID="EUR">)${amount.replace(".", "\\.")}`);

const CASES: readonly {
  readonly error: string;
  readonly edits: readonly (readonly [RegExp, string])[];
  readonly groups: readonly string[];
  readonly expected?: string;
}[] = [{
  error: "a line that is not in the sums",
  edits: [[net("LineExtensionAmount", "5995.00"), "$15895.00"]],
  groups: ["BR-CO-10 < BR-S-08"],
  expected: "5909.99",
}, {
  error: "the sum of the lines",
  edits: [[/(LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="EUR">)6009.99/, "$16109.99"]],
  groups: ["BR-CO-10 < BR-CO-13"],
  expected: "6009.99",
}, {
  error: "base and tax of the VAT breakdown, where the totals are right",
  edits: [
    [net("TaxableAmount", "6009.99"), "$1185.10"],
    [/(TaxSubtotal>.*?TaxAmount currencyID="EUR">)1202.00/, "$137.02"],
  ],
  groups: ["BR-S-08 < BR-CO-14"],
  expected: "6009.99",
}, {
  error: "the base of the VAT breakdown",
  edits: [[net("TaxableAmount", "6009.99"), "$15009.99"]],
  groups: ["BR-S-08 < BR-CO-17 < BR-S-09"],
  expected: "6009.99",
}, {
  error: "the tax of the VAT breakdown",
  edits: [[/(TaxSubtotal>.*?TaxAmount currencyID="EUR">)1202.00/, "$11102.00"]],
  groups: ["BR-CO-17 < BR-S-09 < BR-CO-14"],
  expected: "1202.00",
}, {
  error: "the total of VAT",
  edits: [[/(TaxTotal><cbc:TaxAmount currencyID="EUR">)1202.00/, "$11102.00"]],
  groups: ["BR-CO-14 < BR-CO-15"],
  expected: "1202.00",
}, {
  error: "the total without VAT",
  edits: [[net("TaxExclusiveAmount", "6009.99"), "$15009.99"]],
  groups: ["BR-CO-13 < BR-CO-15"],
  expected: "6009.99",
}, {
  error: "the total with VAT",
  edits: [[net("TaxInclusiveAmount", "7211.99"), "$17111.99"]],
  groups: ["BR-CO-15 < BR-CO-16"],
  expected: "7211.99",
}, {
  error: "the amount due",
  edits: [[net("PayableAmount", "7211.99"), "$17111.99"]],
  groups: ["BR-CO-16"],
  expected: "7211.99",
}, {
  error: "the sum of the lines, and the amount due by another difference",
  edits: [
    [/(LegalMonetaryTotal><cbc:LineExtensionAmount currencyID="EUR">)6009.99/, "$16109.99"],
    [net("PayableAmount", "7211.99"), "$17208.99"],
  ],
  groups: ["BR-CO-10 < BR-CO-13", "BR-CO-16"],
  expected: "6009.99",
}, {
  error: "an amount that is no number",
  edits: [[net("TaxExclusiveAmount", "6009.99"), "$16009,99"]],
  groups: ["XSD-TYPE < BR-FR-DEC-01_BT-109 < BR-CO-13 < BR-CO-15"],
  expected: "xs:decimal",
}, {
  error: "a missing date of issue",
  edits: [[/<cbc:IssueDate>.*?<\/cbc:IssueDate>/, ""]],
  groups: ["BR-03 < XSD-UNEXPECTED-ELEMENT"],
}];

for (const { error, edits, groups, expected } of CASES) {
  Deno.test(`the cause comes first, with the right value: ${error}`, async () => {
    assertEquals(await judge(edits), { groups, expected });
  });
}

Deno.test("sums with other differences, or of other VAT rates, are causes of their own", () => {
  const at = (entry: number) => `/Invoice/cac:TaxTotal/cac:TaxSubtotal[${entry}]`;
  assertEquals(
    name([
      sum("BR-CO-17", "BT-117 BT-116 BT-119", { location: at(2), value: "5", expected: "9" }),
      sum("BR-S-08", "BT-116 BT-131 BT-92 BT-99", { location: at(1), value: "10", expected: "20" }),
      sum("BR-S-09", "BT-117 BT-116 BT-119", { location: at(1), value: "2", expected: "4" }),
    ]),
    ["BR-S-08 < BR-S-09", "BR-CO-17"],
  );
});

Deno.test("two sets that refuse one element for one thing give one cause", () => {
  const location = "/Invoice/cac:AccountingSupplierParty/cac:Party/cbc:EndpointID";
  const one = sum("BR-62", "BT-34", { location });
  const other = sum("BR-FR-13_BT-34", "BT-34", { location, source: "br-fr-flux2-ubl" });
  const elsewhere = sum("BR-FR-13_BT-49", "BT-49", { source: "br-fr-flux2-ubl" });
  assertEquals(name([one, other, elsewhere]), ["BR-62 < BR-FR-13_BT-34", "BR-FR-13_BT-49"]);
});

Deno.test("an error never follows from a warning", () => {
  const warning = sum("BR-CO-10", "BT-106 BT-131", { level: "WARNING" });
  assertEquals(name([warning, sum("BR-CO-13", "BT-109 BT-106 BT-107 BT-108")]), [
    "BR-CO-10",
    "BR-CO-13",
  ]);
});

Deno.test("rules about the whole invoice stay apart", () => {
  const location = "/Invoice";
  const rules = [
    sum("BR-FR-05_BT-22", "BT-22", { location, source: "br-fr-flux2-ubl" }),
    sum("BR-03", "BT-2", { location }),
    sum("BR-02", "BT-1", { location }),
  ];
  assertEquals(name(rules), ["BR-FR-05_BT-22", "BR-03", "BR-02"]);
});

Deno.test("ordered findings keep their order, and none is lost", () => {
  const findings = [
    sum("BR-CO-16", "BT-115 BT-112 BT-113 BT-114"),
    sum("BR-CO-15", "BT-112 BT-109 BT-110"),
    sum("BR-27", "BT-146", { location: "/Invoice/cac:InvoiceLine[2]/cac:Price/cbc:PriceAmount" }),
    sum("BR-CO-10", "BT-106 BT-131"),
  ];
  const ordered = orderByCause(findings);
  assertEquals(ordered.map((it) => it.rule), ["BR-CO-10", "BR-CO-15", "BR-CO-16", "BR-27"]);
  assertEquals(orderByCause(ordered), ordered);
});
