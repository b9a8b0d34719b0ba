import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";

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

/** Passes the chunks on; throws `unsupported` when the first bytes do not match the file type. */
export async function* sniffType(
  content: AsyncIterable<Uint8Array>,
  { filename, extension }: { filename: string; extension: string },
): AsyncGenerator<Uint8Array> {
  let looked = false;
  for await (const chunk of content) {
    if (!looked && chunk.length && !STARTS[extension]?.(chunk.subarray(0, 1024))) {
      throw new AppError(
        "unsupported",
        say`The content of ${filename} is not that of a .${extension} file`,
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
