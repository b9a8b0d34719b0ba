/** Deviations from Factur-X that the structure of a PDF shows; `judging/container_findings.ts` words them. */
export const CONTAINER_RULES = [
  "FX-HEADER",
  "FX-ID",
  "FX-XMP",
  "FX-PDFA",
  "FX-PROPERTIES",
  "FX-VERSION",
  "FX-SCHEMA",
  "FX-NAME",
  "FX-TREE",
  "FX-AF",
  "FX-FILESPEC",
  "FX-RELATIONSHIP",
  "FX-SUBTYPE",
  "FX-SEVERAL",
  "FX-SYNTAX",
  "FX-INTENT",
  "FX-FONT",
  "FX-ACTION",
  "FX-ATTACHMENT",
  "FX-STRUCTURE",
] as const;
export type ContainerRule = (typeof CONTAINER_RULES)[number];

/** One deviation; `value` quotes the file and may be empty. */
export interface ContainerFault {
  readonly rule: ContainerRule;
  readonly value: string;
}

/** The invoice inside a Factur-X or ZUGFeRD file. */
export interface HybridInvoice {
  /** Embedded XML, unchanged. */
  readonly xml: Uint8Array;
  /** Name of the embedded file; Factur-X prescribes `factur-x.xml`. */
  readonly name: string;
  /**
   * Relationship of the XML to the pages, stated in the PDF (ISO 32000-2, AFRelationship): `Alternative`, `Data`,
   * `Source`.
   */
  readonly relationship: string | undefined;
  /** ConformanceLevel of the XMP metadata: `MINIMUM`, `BASIC WL`, `BASIC`, `EN 16931`, `EXTENDED`, `XRECHNUNG`. */
  readonly profile: string | undefined;
  /** Deviations from Factur-X and PDF/A-3, as far as the structure shows them. */
  readonly faults: readonly ContainerFault[];
}

/** Opens untrusted PDFs. */
export interface FacturXReader {
  /**
   * Finds the embedded invoice and the faults of the file around it. Throws AppError `refused` for a file without
   * an invoice, a damaged PDF or a file beyond the limits. The limits are 64 MB, 100,000 objects, 20 MB of XML,
   * 64 MB decoded, 256 MB of memory and 20 s.
   */
  open(
    pdf: Uint8Array,
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<HybridInvoice>;
  close(): Promise<void>;
}

/** Detects a PDF by its first bytes. ISO 32000-1, 7.5.2 allows other bytes before them, but a Factur-X has none. */
export function isPdf(bytes: Uint8Array): boolean {
  return new TextDecoder("latin1").decode(bytes.subarray(0, 5)) === "%PDF-";
}
