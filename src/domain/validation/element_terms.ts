import { TERM_PATHS } from "#src/domain/ubl/mod.ts";

/** Names of a credit note for which the paths of terms have those of an invoice. */
const INVOICE_NAMES: ReadonlyMap<string, string> = new Map([
  ["CreditNoteLine", "InvoiceLine"],
  ["CreditNoteTypeCode", "InvoiceTypeCode"],
  ["CreditedQuantity", "InvoicedQuantity"],
]);

const TERMS_BY_PATH: ReadonlyMap<string, readonly string[]> = groupTermsByPath();

function groupTermsByPath(): Map<string, string[]> {
  const found = new Map<string, string[]>();
  for (const [term, path] of TERM_PATHS) found.set(path, [...found.get(path) ?? [], term]);
  return found;
}

/** Returns the local names below the root, without positions: `/Invoice/cac:InvoiceLine[2]` gives `InvoiceLine`. */
export function readElementPath(location: string): string {
  const names = location.split("/").slice(2)
    .map((step) => step.replace(/\[\d+\]$/, "").replace(/^(@?)[^:]*:/, "$1"));
  return names.map((name) => INVOICE_NAMES.get(name) ?? name).join("/");
}

/** Returns the business terms of an element by its path, or of an attribute and its element. */
export function findTermsAt(path: string): readonly string[] {
  const element = path.replace(/\/@[^/]*$/, "");
  return [...new Set([path, element])].flatMap((it) => TERMS_BY_PATH.get(it) ?? []);
}
