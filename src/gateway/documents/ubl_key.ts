import { basename } from "node:path";
import { type InvoiceKey, parseInvoiceKey } from "#src/domain/invoice/key.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";

const NO_COMPANY = "00000";

/**
 * Returns the ERP key of a UBL file. Reads it from a file name `<doc>-<dct>-<kco>.xml`. Otherwise uses the invoice
 * number (`RI-100000`, or any number with type RI or RM) and the template's property `company`.
 */
export function keyOfUbl(
  invoice: InvoiceDocument,
  { file, template }: { file: string; template?: Template | undefined },
): InvoiceKey | undefined {
  const named = /\.xml$/i.test(file) ? parseInvoiceKey(basename(file).slice(0, -4)) : undefined;
  if (named && /^\d{5}$/.test(named.kco)) return named;
  if (!invoice.number) return undefined;
  const kco = documentProperty(template, "company") ?? NO_COMPANY;
  const [, dct, doc] = /^([A-Z][A-Z0-9])-(\d+)$/.exec(invoice.number) ?? [];
  if (doc && dct) return { doc, dct, kco };
  return { doc: invoice.number.trim(), dct: invoice.kind === "creditNote" ? "RM" : "RI", kco };
}
