/**
 * Writes the set from the tables of EN 16931 and the changes of the profile: `deno run -R -W
 * xsl/rules/extended-ctc-fr-ubl/build/main.ts`.
 */

import { parts as normParts } from "../../build/build.ts";
import { droppedRules, getHead, writeFiles } from "../../build/profile.ts";
import { type Context, contexts, type RulePattern } from "../../build/rule.ts";
import { getDiagnostics, getPattern } from "../../build/schematron.ts";
import { vatContexts } from "../../build/vat.ts";
import { codeParts } from "./codes.ts";
import { lineParts } from "./lines.ts";
import { REASONS, SUM_LETS, sumParts } from "./sums.ts";

const HERE = new URL("../", import.meta.url);
const NORM = new URL("../../en16931-ubl/", import.meta.url);

/**
 * Rules that apply to references of the document only, since references of lines have another meaning here.
 */
const DOCUMENT_ONLY: ReadonlySet<string> = new Set(["BR-55", "UBL-SR-06", "UBL-SR-07"]);
const DOCUMENT_REFERENCE =
  "/ubl:Invoice/cac:BillingReference | /cn:CreditNote/cac:BillingReference";

/** Returns all files of the set by path; parts without a change are included from EN 16931. */
export function build(): Map<string, string> {
  const { own, shared } = getParts();
  const places = new Map([...contexts(), ...vatContexts()]);
  return new Map([
    ["extended-ctc-fr-ubl.sch", entry(shared, own)],
    ...own.flatMap((part): [string, string][] => [
      [`rules/${part.name}.sch`, getPattern(part, withOwn(places, part.contexts))],
      [`messages/${part.name}.sch`, getDiagnostics(part)],
    ]),
  ]);
}

/** Returns the entry of a publication that changes no rule: its parts are in this folder. */
export function buildEntry(version: string): string {
  const { own, shared } = getParts();
  return entry(shared, own, { version, folder: "../extended-ctc-fr-ubl/" });
}

/** Returns the profile's own parts, and those it shares with EN 16931. */
function getParts(): {
  readonly own: readonly RulePattern[];
  readonly shared: readonly RulePattern[];
} {
  const dropped = droppedRules(new URL("dropped.tsv", import.meta.url));
  const norm = normParts().map((part) => ({ part, kept: keptOf(part, dropped) }));
  const own = [
    ...norm.filter(({ part, kept }) => kept !== part).map(({ kept }) => kept),
    ...lineParts(),
    ...sumParts(),
    ...codeParts(),
  ];
  const shared = norm.filter(({ part, kept }) => kept === part).map(({ part }) => part);
  return { own, shared };
}

/** Returns the part, unchanged if the profile keeps all its rules. */
function keptOf(part: RulePattern, dropped: ReadonlySet<string>): RulePattern {
  const changed = part.rules.some(({ id }) => dropped.has(id) || DOCUMENT_ONLY.has(id));
  if (!changed) return part;
  const rules = part.rules
    .filter(({ id }) => !dropped.has(id))
    .map((rule) => DOCUMENT_ONLY.has(rule.id) ? { ...rule, context: DOCUMENT_REFERENCE } : rule);
  return { ...part, rules };
}

function withOwn(
  places: ReadonlyMap<string, Context>,
  own: RulePattern["contexts"],
): ReadonlyMap<string, Context> {
  return own === undefined ? places : new Map([...places, ...own]);
}

/** Returns the entry: the head of the EN 16931 schema with the profile's texts, then the parts. */
function entry(
  shared: readonly RulePattern[],
  own: readonly RulePattern[],
  { version, folder }: { version: string; folder: string } = { version: "1.4.0.03", folder: "" },
): string {
  const head = getHead(new URL("en16931-ubl.sch", NORM), {
    title: "EXTENDED-CTC-FR on UBL 2.1: Invoice and CreditNote",
    version,
  });
  return [
    head,
    "",
    "  <!-- Lines that count, and how lines refer to each other. -->",
    `  <let name="invoiceNumber" value="/*/cbc:ID"/>`,
    ...SUM_LETS.map(([name, value]) => `  <let name="${name}" value="${value}"/>`),
    ...KEYS.map((key) => `  ${key}`),
    "",
    ...["rules", "messages"].flatMap((kind) => [
      ...shared.map(({ name }) => `  <include href="../en16931-ubl/${kind}/${name}.sch"/>`),
      ...own.map(({ name }) => `  <include href="${folder}${kind}/${name}.sch"/>`),
    ]),
    "</schema>",
    "",
  ].join("\n");
}

/**
 * Returns the key of lines by VAT category, with or without the rate (O has none) and the exemption reason.
 * It includes lines outside the sums: the published rules read their reasons too, and stop at a second
 * reason.
 */
function taxedKey(name: string, use: string): string {
  const match = "cac:InvoiceLine | cac:CreditNoteLine";
  return `<xsl:key name="${name}" match="${match}" use="cac:Item/cac:ClassifiedTaxCategory/${use}"/>`;
}

/** Rate in any notation ("-0.00", "5.50"), with all its digits. */
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

if (import.meta.main) await writeFiles(HERE, build());
