/** Type of a column; a value of another type is written as text. */
export type CellKind = "text" | "number" | "date" | "datetime" | "boolean";

export interface SheetColumn {
  readonly title: string;
  readonly kind: CellKind;
  /** Excel format for numbers and dates, such as `#,##0.00`. */
  readonly format?: string | undefined;
  /** Width in characters. */
  readonly width: number;
}

/** Exact numbers and days as text: `12.50`, `2026-01-31`; moments as RFC 3339. */
export type SheetValue = string | number | boolean | null;

export interface SpreadsheetSheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Rows, read when the sheet is written; sheets are written one after another. */
  readonly rows: AsyncIterable<readonly (readonly SheetValue[])[]>;
  /** Note below the rows, for information that readers need. */
  readonly note?: () => string | undefined;
}

export interface Workbook {
  readonly creator: string;
  readonly created: Date;
  /** IANA name of the zone moments are shown in. */
  readonly zone: string;
  readonly sheets: readonly SpreadsheetSheet[];
}

/**
 * Writes an XLSX file as a stream without storing it; a consumer that stops also stops the rows. No value becomes
 * a formula or a link, and the event loop is never blocked.
 */
export type WriteWorkbook = (workbook: Workbook) => AsyncIterable<Uint8Array>;
