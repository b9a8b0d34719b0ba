import { createMiddleware } from "hono/factory";
import { createDeflate, createGzip } from "node:zlib";
import { delay } from "#src/kernel/delay.ts";
import { takesEncoding } from "./accept_encoding.ts";
import type { HttpEnv } from "./env.ts";

/** Smaller answers gain nothing. */
const MIN_BYTES = 2_048;
/** Bytes compressed at once; other calls are answered between two slices. */
const SLICE_BYTES = 64 * 1024;
const LEVEL = 4;

/** Compresses JSON for callers that accept gzip or deflate. Streams of events and lines stay uncompressed. */
export const compressed = createMiddleware<HttpEnv>(async (c, next) => {
  await next();
  const encoding = ["gzip", "deflate"].find((it) =>
    takesEncoding(c.req.header("accept-encoding") ?? "", it)
  );
  if (encoding === undefined || c.req.method === "HEAD" || c.res.body === null) return;
  const { headers } = c.res;
  const isJson = /^application\/(?:[\w.-]+\+)?json\b/.test(headers.get("content-type") ?? "");
  if (!isJson || headers.has("content-encoding")) return;
  const { first, isWhole, rest } = await readBeginning(c.res.body);
  const isSmall = isWhole && first.length < MIN_BYTES;
  const body = isSmall ? first : compressBody(rest, encoding);
  c.res = new Response(body as BodyInit, c.res);
  if (isSmall) return;
  c.res.headers.delete("content-length");
  c.res.headers.set("content-encoding", encoding);
  c.res.headers.append("vary", "Accept-Encoding");
});

/** Reads until there are enough bytes to compress, or to the end. `rest` starts with the bytes already read. */
async function readBeginning(body: ReadableStream<Uint8Array>) {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let isWhole = false;
  while (!isWhole && size < MIN_BYTES) {
    const { value, done } = await reader.read();
    isWhole = done;
    if (value) size += chunks[chunks.push(value) - 1]?.length ?? 0;
  }
  async function* rest() {
    yield* chunks;
    try {
      for (let it = await reader.read(); !it.done; it = await reader.read()) yield it.value;
    } finally {
      await reader.cancel().catch(() => {}); // the caller has gone
    }
  }
  const first = new Uint8Array(isWhole ? size : 0);
  let at = 0;
  for (const chunk of isWhole ? chunks : []) {
    first.set(chunk, at);
    at += chunk.length;
  }
  return { first, isWhole, rest: rest() };
}

function compressBody(
  body: AsyncIterable<Uint8Array>,
  encoding: string,
): ReadableStream<Uint8Array> {
  const zip = encoding === "gzip" ? createGzip({ level: LEVEL }) : createDeflate({ level: LEVEL });
  const write = (slice: Uint8Array) =>
    new Promise<void>((resolve, reject) => {
      zip.write(slice, (error) => error ? reject(error) : resolve());
    });
  const feed = async () => {
    for await (const slice of sliceChunks(body)) await write(slice);
    zip.end();
  };
  feed().catch((error) => zip.destroy(error)); // its reader receives the failure
  const chunks: AsyncIterator<Uint8Array> = zip[Symbol.asyncIterator]();
  return new ReadableStream({
    async pull(controller) {
      const { value, done } = await chunks.next();
      if (done) controller.close();
      else controller.enqueue(value);
    },
    cancel: () => void zip.destroy(),
  });
}

async function* sliceChunks(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const chunk of body) {
    for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
      if (at > 0) await delay(0);
      yield chunk.subarray(at, at + SLICE_BYTES);
    }
  }
}
