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
export function lineIn({ location, line, column, businessTerm }: Finding, shown: ShownXml): number {
  if (line === 0) return 0;
  const terms = /^\/[^/]+$/.test(location) ? businessTerm?.split(" ") ?? [] : [];
  for (const term of terms) {
    const at = placeOf(ELEMENTS[term], shown.text);
    if (at >= 0) return shown.text.slice(0, at).split("\n").length;
  }
  return shown.lineOf(line, column);
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
