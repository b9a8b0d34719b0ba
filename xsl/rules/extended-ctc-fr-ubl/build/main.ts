/** Writes the set from the tables of EN 16931 and what the profile changes: `deno run -R -W xsl/rules/extended-ctc-fr-ubl/build/main.ts`. */

import { parts as normParts } from "../../build/build.ts";
import { droppedRules, headOf, writeFiles } from "../../build/profile.ts";
import { type Context, contexts, type Part } from "../../build/rule.ts";
import { diagnosticsOf, patternOf } from "../../build/schematron.ts";
import { vatContexts } from "../../build/vat.ts";
import { codeParts } from "./codes.ts";
import { lineParts } from "./lines.ts";
import { REASONS, SUM_LETS, sumParts } from "./sums.ts";

const HERE = new URL("../", import.meta.url);
const NORM = new URL("../../en16931-ubl/", import.meta.url);

/** Rules asked of references of the document alone, since references of lines mean something else here. */
const DOCUMENT_ONLY: ReadonlySet<string> = new Set(["BR-55", "UBL-SR-06", "UBL-SR-07"]);
const DOCUMENT_REFERENCE =
  "/ubl:Invoice/cac:BillingReference | /cn:CreditNote/cac:BillingReference";

/** Every file of the set by its path: parts that the profile leaves alone are included from EN 16931. */
export function build(): Map<string, string> {
  const dropped = droppedRules(new URL("dropped.tsv", import.meta.url));
  const norm = normParts().map((part) => ({ part, kept: keptOf(part, dropped) }));
  const own = [
    ...norm.filter(({ part, kept }) => kept !== part).map(({ kept }) => kept),
    ...lineParts(),
    ...sumParts(),
    ...codeParts(),
  ];
  const shared = norm.filter(({ part, kept }) => kept === part).map(({ part }) => part);
  const places = new Map([...contexts(), ...vatContexts()]);
  return new Map([
    ["extended-ctc-fr-ubl.sch", entry(shared, own)],
    ...own.flatMap((part): [string, string][] => [
      [`rules/${part.name}.sch`, patternOf(part, withOwn(places, part.contexts))],
      [`messages/${part.name}.sch`, diagnosticsOf(part)],
    ]),
  ]);
}

/** The part itself when the profile changes nothing in it. */
function keptOf(part: Part, dropped: ReadonlySet<string>): Part {
  const changed = part.rules.some(({ id }) => dropped.has(id) || DOCUMENT_ONLY.has(id));
  if (!changed) return part;
  const rules = part.rules
    .filter(({ id }) => !dropped.has(id))
    .map((rule) => DOCUMENT_ONLY.has(rule.id) ? { ...rule, context: DOCUMENT_REFERENCE } : rule);
  return { ...part, rules };
}

function withOwn(
  places: ReadonlyMap<string, Context>,
  own: Part["contexts"],
): ReadonlyMap<string, Context> {
  return own === undefined ? places : new Map([...places, ...own]);
}

/** The head of the EN 16931 schema with the words of the profile, then the parts. */
function entry(shared: readonly Part[], own: readonly Part[]): string {
  const head = headOf(new URL("en16931-ubl.sch", NORM), {
    title: "EXTENDED-CTC-FR on UBL 2.1: Invoice and CreditNote",
    version: "1.4.0.03",
  });
  return [
    head,
    "",
    "  <!-- Lines that count, and how lines refer to each other. -->",
    `  <let name="invoiceNumber" value="/*/cbc:ID"/>`,
    ...SUM_LETS.map(([name, value]) => `  <let name="${name}" value="${value}"/>`),
    ...KEYS.map((key) => `  ${key}`),
    "",
    ...include("rules", shared, own),
    ...include("messages", shared, own),
    "</schema>",
    "",
  ].join("\n");
}

/**
 * Lines by their VAT category: with or without the rate (O has none) and the exemption reason. Those that do not count are among
 * them: the published rules look at their reasons too, and cannot be evaluated where one has two.
 */
function taxedKey(name: string, use: string): string {
  const match = "cac:InvoiceLine | cac:CreditNoteLine";
  return `<xsl:key name="${name}" match="${match}" use="cac:Item/cac:ClassifiedTaxCategory/${use}"/>`;
}

/** A rate however it is written ("-0.00", "5.50"), to its last digit. */
const RATE = "cbc:Percent[1][. castable as xs:decimal]/string(xs:decimal(.))";

const KEYS = [
  `<xsl:key name="line" match="cac:InvoiceLine | cac:CreditNoteLine" use="cbc:ID"/>`,
  `<xsl:key name="reference-to-line" match="cac:BillingReference" use="cac:BillingReferenceLine/cbc:ID"/>`,
  taxedKey("taxed-plain-O", "normalize-space(cbc:ID[1])"),
  taxedKey("taxed-exact-O", `concat(normalize-space(cbc:ID[1]), ${REASONS})`),
  taxedKey("taxed-plain", `concat(normalize-space(cbc:ID[1]), ' ', ${RATE})`),
  taxedKey(
    "taxed-exact",
    `concat(normalize-space(cbc:ID[1]), ' ', ${RATE}, ${REASONS})`,
  ),
];

function include(folder: string, shared: readonly Part[], own: readonly Part[]): readonly string[] {
  return [
    ...shared.map(({ name }) => `  <include href="../en16931-ubl/${folder}/${name}.sch"/>`),
    ...own.map(({ name }) => `  <include href="${folder}/${name}.sch"/>`),
  ];
}

if (import.meta.main) await writeFiles(HERE, build());
