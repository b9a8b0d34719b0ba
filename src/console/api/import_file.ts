import { api, fetchFile } from "./client.ts";
import type { components } from "./schema.d.ts";

/**
 * Puts the file into the template's input folder and keeps existing files. Resolves to its path. A file for a preview
 * goes where no import of the folder finds it.
 */
export async function upload(
  file: File,
  template: string,
  purpose: "import" | "preview" = "import",
): Promise<string> {
  const query = new URLSearchParams({ template, filename: file.name, existing: "keep", purpose });
  const uploaded = await fetchFile(`/api/upload?${query}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream" },
    body: file,
  });
  return (await uploaded.json()).file;
}

/** Starts a run or its preview without waiting for its end. Resolves to its id. */
export async function startRun(
  body: components["schemas"]["RunRequest"],
  isPreview = false,
): Promise<string> {
  const { data } = await api.POST("/api/run", {
    params: { query: isPreview ? { preview: "true" } : {} },
    body,
    headers: { prefer: "respond-async" },
  });
  return data?.runId ?? "";
}
