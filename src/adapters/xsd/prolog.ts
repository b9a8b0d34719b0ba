const LT = 0x3c, BANG = 0x21, QUESTION = 0x3f, DASH = 0x2d, GT = 0x3e;

/** Checks for a DTD before the root element without parsing: comments and instructions are skipped. */
export function doctypeIn(bytes: Uint8Array): boolean {
  let at = bytes[0] === 0xef ? 3 : 0;
  for (;;) {
    while (isSpace(bytes[at])) at++;
    if (bytes[at] !== LT) return false;
    if (bytes[at + 1] === QUESTION) at = behind(bytes, at + 2, [QUESTION, GT]);
    else if (bytes[at + 1] !== BANG) return false;
    else if (bytes[at + 2] !== DASH) return true;
    else at = behind(bytes, at + 4, [DASH, DASH, GT]);
  }
}

function behind(bytes: Uint8Array, from: number, mark: readonly number[]): number {
  const last = mark.length - 1;
  for (let at = bytes.indexOf(GT, from); at >= 0; at = bytes.indexOf(GT, at + 1)) {
    if (at - last >= from && mark.every((byte, index) => bytes[at - last + index] === byte)) {
      return at + 1;
    }
  }
  return bytes.length;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
