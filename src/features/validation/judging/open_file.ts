import type { Deps } from "#src/deps.ts";
import { type HybridInvoice, isPdf } from "#src/ports/factur_x.ts";

/** An invoice file: its XML, and what is known of the PDF that held it. */
export interface OpenedFile {
  readonly xml: Uint8Array;
  /** Absent for a file that is XML itself. */
  readonly hybrid?: Omit<HybridInvoice, "xml">;
}

/** Takes the invoice out of a Factur-X PDF; any other file is its own XML. Throws as `FacturXReader.open`. */
export async function openInvoiceFile(
  { facturX }: Pick<Deps, "facturX">,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<OpenedFile> {
  if (!isPdf(bytes)) return { xml: bytes };
  const { xml, ...hybrid } = await facturX.open(bytes, { signal });
  return { xml, hybrid };
}
