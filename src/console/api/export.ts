import { fetchFile, nameIn, saveAs } from "./client.ts";

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
export async function exportScreen(app: string, id: string, view: Exported): Promise<boolean> {
  const response = await fetchFile(`/api/screens/${app}/${id}/export`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(view),
  });
  saveAs(await response.blob(), nameIn(response) ?? `${id}.xlsx`);
  return response.headers.get("x-export-truncated") === "true";
}
