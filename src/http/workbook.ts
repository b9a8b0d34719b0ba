import type { Context } from "hono";
import type { HttpEnv } from "./env.ts";

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
export async function sendWorkbook(
  c: Context<HttpEnv>,
  make: (signal: AbortSignal) => Promise<WorkbookFile>,
) {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, c.req.raw.signal]);
  const { filename, maxRows, isCut, bytes } = await make(signal);
  c.set("isToldOnce", true); // too large to be stored for an Idempotency-Key
  return c.body(createStream(bytes, gone), 200, {
    "Content-Type": XLSX,
    "Content-Disposition": `attachment; filename="${
      filename.replace(/[^\x20-\x7e]/g, "_")
    }"; filename*=UTF-8''${encodeURIComponent(filename)}`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "X-Export-Max-Rows": String(maxRows),
    "X-Export-Truncated": String(isCut),
  });
}

/** Creates a stream that produces bytes on demand; a cancelled stream stops the producer. */
function createStream(
  bytes: AsyncIterable<Uint8Array>,
  gone: AbortController,
): ReadableStream<Uint8Array> {
  const all = bytes[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await all.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    async cancel(reason) {
      gone.abort(reason);
      await all.return?.();
    },
  });
}
