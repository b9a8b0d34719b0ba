import { AppError } from "#src/kernel/errors.ts";

/** Slower than this on average over one window, an upload is given up: it holds a connection and a file. */
const MIN_BYTES_PER_SECOND = 1024;

/** Passes the chunks on; throws when too little came within a window of `windowMs`. */
export async function* paced(
  content: AsyncIterable<Uint8Array>,
  windowMs: number,
): AsyncGenerator<Uint8Array> {
  const reader = content[Symbol.asyncIterator]();
  const least = MIN_BYTES_PER_SECOND * windowMs / 1000;
  let got = 0;
  let window = timer(windowMs);
  try {
    for (let next = reader.next();;) {
      const first = await Promise.race([next, window.over]);
      if (first === OVER) {
        if (got < least) {
          throw new AppError(
            "invalid",
            `The upload is too slow: ${got} bytes in ${windowMs / 1000} s`,
          );
        }
        got = 0;
        window = timer(windowMs);
        continue;
      }
      if (first.done) return;
      got += first.value.length;
      yield first.value;
      next = reader.next();
    }
  } finally {
    window.stop();
    reader.return?.().catch(() => {}); // the sender may hang: it is not waited for
  }
}

const OVER = Symbol("over");

function timer(ms: number): { over: Promise<typeof OVER>; stop: () => void } {
  let stop = () => {};
  const over = new Promise<typeof OVER>((resolve) => {
    const id = setTimeout(() => resolve(OVER), ms);
    stop = () => clearTimeout(id);
  });
  return { over, stop };
}

const STARTS: Readonly<Record<string, (head: Uint8Array) => boolean>> = {
  xml: isMarkup,
  xsl: isMarkup,
  xslt: isMarkup,
  pdf: (head) => startsWith(head, [0x25, 0x50, 0x44, 0x46]),
  zip: (head) => startsWith(head, [0x50, 0x4b]),
  csv: (head) => !head.includes(0),
  txt: (head) => !head.includes(0),
  json: (head) => !head.includes(0),
};

export const UPLOADED_TYPES = Object.keys(STARTS);

/** Passes the chunks on; throws `unsupported` when the first bytes are not those of such a file. */
export async function* sniffed(
  content: AsyncIterable<Uint8Array>,
  { filename, extension }: { filename: string; extension: string },
): AsyncGenerator<Uint8Array> {
  let looked = false;
  for await (const chunk of content) {
    if (!looked && chunk.length && !STARTS[extension]?.(chunk.subarray(0, 1024))) {
      throw new AppError(
        "unsupported",
        `The content of ${filename} is not that of a .${extension}`,
      );
    }
    looked ||= chunk.length > 0;
    yield chunk;
  }
}

/** Spaces, a byte order mark or the zeros of UTF-16, then `<`. */
function isMarkup(head: Uint8Array): boolean {
  const first = head.find((byte) =>
    ![0, 9, 10, 13, 32, 0xef, 0xbb, 0xbf, 0xff, 0xfe].includes(byte)
  );
  return first === 0x3c || first === undefined;
}

function startsWith(head: Uint8Array, bytes: readonly number[]): boolean {
  return bytes.every((byte, at) => head[at] === byte);
}
