import { Buffer } from "node:buffer";
import { connect } from "node:net";
import { delay } from "#src/kernel/delay.ts";

export interface RawAnswer {
  /** 0 if the peer closed the connection without an answer. */
  readonly status: number;
  readonly text: string;
  readonly header: (name: string) => string | undefined;
}

export interface RawCall {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  /** Chunks are written unchanged when the peer accepts them; the body is chunked without a `content-length` header. */
  readonly body?: Iterable<Uint8Array> | AsyncIterable<Uint8Array>;
  /** Leaves the request unfinished: no last chunk is written. */
  readonly unfinished?: boolean;
}

/** Sends a request with any header, framing and body length. Resolves with the first answer. */
export function rawCall(url: string, call: RawCall): Promise<RawAnswer> {
  const { hostname, port, host } = new URL(url);
  const socket = connect(Number(port), hostname);
  let text = "";
  const headers = {
    host,
    "accept-language": "en",
    "content-type": "application/json",
    ...call.headers,
  };
  const isChunked = call.body !== undefined && !("content-length" in headers);
  return new Promise((resolve) => {
    const end = () => {
      socket.destroy();
      const [head = ""] = text.split("\r\n\r\n", 1);
      resolve({
        status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1] ?? 0),
        text: text.slice(head.length + 4),
        header: (name) => new RegExp(`^${name}: (.*)$`, "im").exec(head)?.[1]?.trim(),
      });
    };
    socket.on("error", end);
    socket.on("close", end);
    socket.on("data", (data) => {
      text += data;
      const length = /^content-length: (\d+)/im.exec(text)?.[1];
      const body = text.indexOf("\r\n\r\n") + 4;
      if (length !== undefined && Buffer.byteLength(text.slice(body)) >= Number(length)) end();
    });
    socket.on("connect", async () => {
      const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
      if (isChunked) lines.push("transfer-encoding: chunked");
      socket.write(
        `${call.method ?? "POST"} ${call.path} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`,
      );
      for await (const chunk of call.body ?? []) {
        if (socket.destroyed) return;
        const frame = isChunked
          ? Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, CRLF])
          : chunk;
        if (socket.write(frame)) continue;
        await drain(socket);
        await delay(0); // a fast peer always drains at once, so its answer would never be read without this yield
      }
      if (isChunked && !call.unfinished && !socket.destroyed) socket.write("0\r\n\r\n");
    });
  });
}

const CRLF = Buffer.from("\r\n");

function drain(socket: ReturnType<typeof connect>): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ["drain", "close", "error"]) socket.once(event, () => resolve());
  });
}

/** Yields the given number of bytes in chunks of 64 kB that share one buffer. */
export function* filler(bytes: number, chunk = 64 * 1024): Generator<Uint8Array> {
  const block = Buffer.alloc(chunk, " ");
  for (let left = bytes; left > 0; left -= chunk) yield block.subarray(0, Math.min(chunk, left));
}
