import type { FindingView } from "./findings.tsx";
import type { ShownXml } from "./layout_xml.ts";

/** UBL element path of each business term that rules about the whole invoice compare. */
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
 * Returns the line of a finding in the document shown, or 0. For a rule about the whole invoice, whose
 * location is the root, it is the line of its first term in the document.
 */
export function lineInGiven(finding: FindingView, shown: ShownXml): number {
  if (finding.line === 0) return 0;
  return lineOfTerm(finding, shown) ?? shown.lineOf(finding.line, finding.column);
}

/**
 * Returns the line of a finding in the UBL created from an ERP document. Lines and columns of such a finding
 * refer to the ERP file.
 */
export function lineInMade(finding: FindingView, shown: ShownXml): number {
  return lineOfTerm(finding, shown) ?? getLines(shown).get(addPositions(finding.location)) ?? 0;
}

function lineOfTerm({ location, businessTerm }: FindingView, shown: ShownXml): number | undefined {
  const terms = /^\/[^/]+$/.test(location) ? businessTerm?.split(" ") ?? [] : [];
  for (const term of terms) {
    const at = findNodePosition(ELEMENTS[term], shown.text);
    if (at >= 0) return shown.text.slice(0, at).split("\n").length;
  }
  return undefined;
}

const known = new WeakMap<ShownXml, ReadonlyMap<string, number>>();

/** Returns the line of each element by its path with all positions, such as `/Invoice[1]/cbc:ID[1]`. */
function getLines(shown: ShownXml): ReadonlyMap<string, number> {
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

/**
 * Adds the position `[1]`, which paths omit for elements without siblings, and replaces an attribute by its
 * element.
 */
function addPositions(location: string): string {
  return location.replace(/\/@.*$/, "").replace(/[^/\]](?=\/|$)/g, "$&[1]");
}

function findNodePosition(elements: readonly string[] | undefined, text: string): number {
  let at = -1;
  for (const name of elements ?? []) {
    const element = new RegExp(`<(?:[\\w.-]+:)?${name}[\\s/>]`, "g");
    element.lastIndex = at + 1;
    at = element.exec(text)?.index ?? -1;
    if (at < 0) return -1;
  }
  return at;
}
