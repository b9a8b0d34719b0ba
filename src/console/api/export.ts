import { fetchFile, nameIn, saveAs } from "./client.ts";
import type { components } from "./schema.d.ts";

/** What of a screen goes into the file. */
export interface Exported {
  readonly params: Readonly<Record<string, unknown>>;
  /** As `q` of a query. */
  readonly filters?: readonly object[];
  /** Columns, `-` for descending. */
  readonly sort?: readonly string[];
  readonly columns?: readonly string[];
}

/** Hands the view of a screen to the browser as an XLSX file; true: it was cut, since there are more rows than it holds. */
export function exportScreen(app: string, id: string, view: Exported): Promise<boolean> {
  return exportList(`/api/screens/${app}/${id}/export`, view, `${id}.xlsx`);
}

/** As `exportScreen`, of the list of invoices, by the filters, the order and the columns it has. */
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
