import type { Context } from "hono";
import type { HttpEnv } from "./env.ts";

/** File that is sent while it is created. */
interface StreamedFile {
  readonly filename: string;
  readonly type: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly bytes: AsyncIterable<Uint8Array>;
}

/** Streams a file while it is created; `signal` aborts when the caller has gone. */
export async function sendStreamed(
  c: Context<HttpEnv>,
  make: (signal: AbortSignal) => Promise<StreamedFile>,
) {
  const gone = new AbortController();
  const signal = AbortSignal.any([gone.signal, c.req.raw.signal]);
  const { filename, type, headers, bytes } = await make(signal);
  c.set("isToldOnce", true); // too large to be stored for an Idempotency-Key
  return c.body(createStream(bytes, gone), 200, {
    "Content-Type": type,
    "Content-Disposition": `attachment; filename="${
      filename.replace(/[^\x20-\x7e]/g, "_")
    }"; filename*=UTF-8''${encodeURIComponent(filename)}`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    ...headers,
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
