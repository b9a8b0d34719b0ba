/** The invoice inside a Factur-X or ZUGFeRD file. */
export interface HybridInvoice {
  /** The embedded XML as it stands. */
  readonly xml: Uint8Array;
  /** Its name: `factur-x.xml`, `zugferd-invoice.xml`, `xrechnung.xml`. */
  readonly name: string;
  /** How the PDF says the XML relates to its pages (ISO 32000-2, AFRelationship): `Alternative`, `Data`, `Source`. */
  readonly relationship: string | undefined;
  /** ConformanceLevel of the XMP metadata: `MINIMUM`, `BASIC WL`, `BASIC`, `EN 16931`, `EXTENDED`, `XRECHNUNG`. */
  readonly profile: string | undefined;
}

/** Opens PDFs that strangers made. */
export interface FacturXReader {
  /**
   * The embedded invoice. Fails with AppError `refused` where there is none, or more than one, or the file is no PDF that can
   * be read or exceeds a limit (64 MB, 100,000 objects, 20 MB of XML, 256 MB of memory, 20 s).
   */
  open(
    pdf: Uint8Array,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<HybridInvoice>;
  close(): Promise<void>;
}

/** By its first bytes (ISO 32000-1, 7.5.2 allows what comes before to be junk; a Factur-X has none). */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-";
}
