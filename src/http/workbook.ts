import type { Context } from "hono";
import type { HttpEnv } from "./env.ts";
import { sendStreamed } from "./streamed_file.ts";

const XLSX = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

const header = (description: string, type: "boolean" | "integer") => ({
  description,
  schema: { type },
});

/** Declares the answer of `sendWorkbook` in the API document. */
export function workbookAnswer(description: string) {
  return {
    description,
    content: { [XLSX]: { schema: { type: "string" as const, format: "binary" } } },
    headers: {
      "X-Export-Truncated": header("There are more rows than the file holds", "boolean"),
      "X-Export-Max-Rows": header("Rows the file holds at most", "integer"),
    },
  };
}

interface WorkbookFile {
  readonly filename: string;
  readonly maxRows: number;
  readonly isCut: boolean;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Streams an XLSX file while it is created; `signal` aborts when the caller has gone. */
export function sendWorkbook(
  c: Context<HttpEnv>,
  make: (signal: AbortSignal) => Promise<WorkbookFile>,
) {
  return sendStreamed(c, async (signal) => {
    const { filename, maxRows, isCut, bytes } = await make(signal);
    const headers = { "X-Export-Max-Rows": String(maxRows), "X-Export-Truncated": String(isCut) };
    return { filename, type: XLSX, headers, bytes };
  });
}
