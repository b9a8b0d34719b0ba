/** What a column of a sheet holds; a value that is none of that kind stands there as text. */
export type CellKind = "text" | "number" | "date" | "datetime" | "boolean";

export interface SheetColumn {
  readonly title: string;
  readonly kind: CellKind;
  /** How Excel writes it, such as `#,##0.00`; for numbers and dates. */
  readonly format?: string | undefined;
  /** In characters. */
  readonly width: number;
}

/** Exact numbers and days as text: `12.50`, `2026-01-31`; moments as RFC 3339. */
export type SheetValue = string | number | boolean | null;

export interface Sheet {
  readonly name: string;
  readonly columns: readonly SheetColumn[];
  /** Asked for when the sheet is written, one sheet after the other. */
  readonly rows: AsyncIterable<readonly (readonly SheetValue[])[]>;
  /** A sentence below the rows, for what their reader must know. */
  readonly note?: () => string | undefined;
}

export interface Workbook {
  readonly creator: string;
  readonly created: Date;
  /** IANA name of the zone moments are shown in. */
  readonly zone: string;
  readonly sheets: readonly Sheet[];
}

/**
 * The bytes of an XLSX file as they come, none kept: a consumer that stops ends the rows. No value becomes a formula or a link, and nothing holds up
 * the event loop.
 */
export type WriteWorkbook = (workbook: Workbook) => AsyncIterable<Uint8Array>;
