import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { documentProperty } from "#src/domain/template/read_property.ts";
import type { Template } from "#src/domain/template/template.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import type { RunRow } from "#src/gateway/runs/mod.ts";
import { encodeXml } from "#src/xml/mod.ts";
import { readLanguage } from "#src/domain/template/document_settings.ts";

/**
 * Writes output files. Mode BOTH renders the readable PDF; a template with `outputDir` gets the UBL, with the PDF next
 * to it.
 */
export async function writeOutputs(
  { pdf, storage }: Pick<Deps, "pdf" | "storage">,
  { run, template, key, invoice, ubl }: {
    run: RunRow;
    template: Template | undefined;
    key: InvoiceKey;
    invoice: InvoiceDocument;
    ubl: string;
  },
): Promise<{ pdf: Uint8Array | undefined }> {
  const language = readLanguage(template);
  const rendered = run.mode === "BOTH" ? await pdf.render(invoice, { language }) : undefined;
  const folder = documentProperty(template, "outputDir");
  if (folder) {
    const base = `${folder}/${formatInvoiceKey(key).replace(/[^\w.-]/g, "_")}`;
    await storage.write(await storage.confine(`${base}.xml`), encodeXml(ubl));
    if (rendered) await storage.write(await storage.confine(`${base}.pdf`), rendered);
  }
  return { pdf: rendered };
}
