import type { Deps } from "#src/deps.ts";
import { type HybridInvoice, isPdf } from "#src/ports/factur_x.ts";

/** Invoice file: its XML, and facts about the PDF that contained it. */
export interface OpenedFile {
  readonly xml: Uint8Array;
  /** Absent for a file that is XML itself. */
  readonly hybrid?: Omit<HybridInvoice, "xml">;
}

/**
 * Extracts the invoice of a Factur-X PDF; any other file is returned unchanged. Throws the errors of
 * `FacturXReader.open`.
 */
export async function openInvoiceFile(
  { facturX }: Pick<Deps, "facturX">,
  bytes: Uint8Array,
  signal?: AbortSignal,
): Promise<OpenedFile> {
  if (!isPdf(bytes)) return { xml: bytes };
  const { xml, ...hybrid } = await facturX.open(bytes, { signal });
  return { xml, hybrid };
}
