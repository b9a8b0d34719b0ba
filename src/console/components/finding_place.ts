import type { Finding } from "./findings.tsx";
import type { ShownXml } from "./layout_xml.ts";

/** Where UBL says what a rule about the whole invoice compares: elements, one within the other. */
const ELEMENTS: Readonly<Record<string, readonly string[]>> = {
  "BT-1": ["ID"],
  "BT-2": ["IssueDate"],
  "BT-3": ["(?:Invoice|CreditNote)TypeCode"],
  "BT-5": ["DocumentCurrencyCode"],
  "BT-6": ["TaxCurrencyCode"],
  "BT-9": ["DueDate"],
  "BT-10": ["BuyerReference"],
  "BT-13": ["OrderReference", "ID"],
  "BT-20": ["PaymentTerms"],
  "BT-23": ["ProfileID"],
  "BT-24": ["CustomizationID"],
  "BT-106": ["LegalMonetaryTotal", "LineExtensionAmount"],
  "BT-107": ["LegalMonetaryTotal", "AllowanceTotalAmount"],
  "BT-108": ["LegalMonetaryTotal", "ChargeTotalAmount"],
  "BT-109": ["LegalMonetaryTotal", "TaxExclusiveAmount"],
  "BT-110": ["TaxTotal", "TaxAmount"],
  "BT-112": ["LegalMonetaryTotal", "TaxInclusiveAmount"],
  "BT-113": ["LegalMonetaryTotal", "PrepaidAmount"],
  "BT-114": ["LegalMonetaryTotal", "PayableRoundingAmount"],
  "BT-115": ["LegalMonetaryTotal", "PayableAmount"],
};

/**
 * The line of a finding in the document as it is shown; 0: nowhere. A rule about the whole invoice speaks of its root: its
 * reader is led to the first of its terms that is there.
 */
export function lineInGiven(finding: Finding, shown: ShownXml): number {
  if (finding.line === 0) return 0;
  return lineOfTerm(finding, shown) ?? shown.lineOf(finding.line, finding.column);
}

/** The line of a finding in the UBL that was made of an ERP piece: lines and columns of such a finding are those of the ERP's file. */
export function lineInMade(finding: Finding, shown: ShownXml): number {
  return lineOfTerm(finding, shown) ?? linesOf(shown).get(numbered(finding.location)) ?? 0;
}

function lineOfTerm({ location, businessTerm }: Finding, shown: ShownXml): number | undefined {
  const terms = /^\/[^/]+$/.test(location) ? businessTerm?.split(" ") ?? [] : [];
  for (const term of terms) {
    const at = placeOf(ELEMENTS[term], shown.text);
    if (at >= 0) return shown.text.slice(0, at).split("\n").length;
  }
  return undefined;
}

const known = new WeakMap<ShownXml, ReadonlyMap<string, number>>();

/** Of each element, by its path with all positions (`/Invoice[1]/cbc:ID[1]`). */
function linesOf(shown: ShownXml): ReadonlyMap<string, number> {
  const lines = known.get(shown) ?? readLines(shown.text);
  known.set(shown, lines);
  return lines;
}

const MARKUP = /\n|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<(\/?)([^\s<>/]+)[^<>]*?(\/?)>/g;

function readLines(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  const above = [{ path: "", seen: new Map<string, number>() }];
  let line = 1;
  for (const [all, isEnd, name = "", isEmpty] of text.matchAll(MARKUP)) {
    const parent = above.at(-1);
    if (isEnd) above.pop();
    else if (parent && name && !/^[!?]/.test(name)) {
      const position = (parent.seen.get(name) ?? 0) + 1;
      parent.seen.set(name, position);
      const path = `${parent.path}/${name}[${position}]`;
      lines.set(path, line);
      if (!isEmpty) above.push({ path, seen: new Map() });
    }
    line += all.split("\n").length - 1;
  }
  return lines;
}

/** What stands alone among its siblings has no position in a path; of an attribute, its element. */
function numbered(location: string): string {
  return location.replace(/\/@.*$/, "").replace(/[^/\]](?=\/|$)/g, "$&[1]");
}

function placeOf(elements: readonly string[] | undefined, text: string): number {
  let at = -1;
  for (const name of elements ?? []) {
    const element = new RegExp(`<(?:[\\w.-]+:)?${name}[\\s/>]`, "g");
    element.lastIndex = at + 1;
    at = element.exec(text)?.index ?? -1;
    if (at < 0) return -1;
  }
  return at;
}
