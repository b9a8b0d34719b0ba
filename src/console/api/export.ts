import { fetchFile, nameIn, saveAs } from "./client.ts";
import type { components } from "./schema.d.ts";

/** Filters, order and columns of a screen to export. */
export interface Exported {
  readonly params: Readonly<Record<string, unknown>>;
  /** Filters in the format of the query parameter `q`. */
  readonly filters?: readonly object[];
  /** Columns to sort by; `-` in front means descending. */
  readonly sort?: readonly string[];
  readonly columns?: readonly string[];
}

/**
 * Downloads the view of a screen as an XLSX file. Returns true when the file was cut at its maximum number of
 * rows.
 */
export function exportScreen(app: string, id: string, view: Exported): Promise<boolean> {
  return exportList(`/api/screens/${app}/${id}/export`, view, `${id}.xlsx`);
}

/** Downloads the list of invoices as an XLSX file, with the same result as `exportScreen`. */
export function exportInvoices(
  view: components["schemas"]["InvoiceExportRequest"],
): Promise<boolean> {
  return exportList("/api/invoices/export", view, "invoices.xlsx");
}

async function exportList(path: string, view: object, name: string): Promise<boolean> {
  const response = await fetchFile(path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(view),
  });
  saveAs(await response.blob(), nameIn(response) ?? name);
  return response.headers.get("x-export-truncated") === "true";
}
