import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";

/** Bytes of filling, which leave space for the invoice itself. */
const MAX_SIZE = MAX_DOCUMENT_BYTES - 100_000;
const GOLDEN = join(import.meta.dirname ?? ".", "..", "golden");

/** Returns the most expensive documents that a stranger could send within the size limits, by name. */
export async function worstInvoices(): Promise<Readonly<Record<string, string>>> {
  const invoice = await readFile(join(GOLDEN, "ubl", "100000-RI-00001.xml"), "utf8");
  const assignNumber = (number: string, text = invoice) =>
    text.replace("<cbc:ID>RI-100000</cbc:ID>", `<cbc:ID>${number}</cbc:ID>`);
  return {
    "14,000 empty lines": assignNumber("W-LINES", withLines(invoice, "<cac:InvoiceLine/>", 14_000)),
    "20,000 whole lines": assignNumber("W-WHOLE", withLines(invoice, lastLine(invoice), 20_000)),
    "a note of 9.8 MB": assignNumber("W-NOTE", withNote(invoice, "word ".repeat(1_960_000))),
    "16 MB of notes": assignNumber("W-NOTES", fill(invoice, "no€e ")),
    "16 MB of notes in another encoding": assignNumber(
      "W-ENCODED",
      fill(invoice.replace("UTF-8", "ISO-8859-15"), "word "),
    ),
    "16 MB of line feeds": assignNumber(
      "W-FEEDS",
      invoice.replace("?>", `?>${"\n".repeat(MAX_SIZE)}`),
    ),
    "200,000 attributes": assignNumber(
      "W-ATTRIBUTES",
      withNote(invoice, "x").replaceAll(
        "<cac:InvoiceLine>",
        `${'<cac:InvoiceLine a="1" b="2"/>'.repeat(100_000)}<cac:InvoiceLine>`,
      ),
    ),
    "no element is ever closed": "<Invoice>".repeat(500_000),
  };
}

/** Returns an ERP report that repeats its envelope for each of its tiny invoices. */
export async function worstReport(
  { envelopeBytes = 3_500_000, pieces = 60 } = {},
): Promise<string> {
  const report = await readFile(join(GOLDEN, "erp", "R42565-single.xml"), "utf8");
  const envelope = `<Properties><Filler>${"x".repeat(envelopeBytes)}</Filler>`;
  const piece = (at: number) =>
    `<Invoice_Header_S11><DocumentOrderInvoiceE_ID135>${
      500_000 + at
    }</DocumentOrderInvoiceE_ID135>` +
    "<DocumentType_ID136>RI</DocumentType_ID136><KeyCompany_ID137>00001</KeyCompany_ID137></Invoice_Header_S11>";
  const all = Array.from({ length: pieces }, (_, at) => piece(at)).join("");
  const end = /<\/R42565>\s*$/;
  return report.replace("<Properties>", envelope).replace(end, `${all}</R42565>`);
}

function withLines(invoice: string, line: string, count: number): string {
  return invoice.replace("</Invoice>", `${line.repeat(count)}</Invoice>`);
}

function withNote(invoice: string, note: string): string {
  return invoice.replace("<cbc:DocumentCurrencyCode>", `<cbc:Note>${note}</cbc:Note>$&`);
}

/** Adds as many notes of 1 MB as an invoice may contain. */
function fill(invoice: string, word: string): string {
  const bytes = new TextEncoder().encode(word).length;
  return Array(16).fill(word.repeat(MAX_SIZE / 16 / bytes)).reduce(withNote, invoice);
}

function lastLine(invoice: string): string {
  return invoice.slice(invoice.lastIndexOf("<cac:InvoiceLine>"), invoice.lastIndexOf("</Invoice>"));
}
