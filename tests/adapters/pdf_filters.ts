import { Buffer } from "node:buffer";

const ENCODER = new TextEncoder();

/** Returns a hand-written PDF whose `factur-x.xml` is the stream with the named filters. */
export function withStream(
  bytes: Uint8Array,
  filters: readonly string[],
  parameters = "null",
  { kids = "", root = 7 }: { readonly kids?: string; readonly root?: number } = {},
): Uint8Array {
  const names = filters.map((it) => `/${it}`).join("");
  const parts = filters.map((_, at) => at === filters.length - 1 ? parameters : "null").join(" ");
  return join([
    `%PDF-1.7\n1 0 obj\n<</Filter[${names}]/DecodeParms[${parts}]/Length ${bytes.length}>>stream\n`,
    bytes,
    "\nendstream\nendobj\n2 0 obj\n<</Type/Filespec/F(factur-x.xml)/EF<</F 1 0 R>>>>\nendobj\n",
    `${kids}8 0 obj\n<</Type/Catalog/Pages ${root} 0 R/AF[2 0 R]>>\nendobj\n`,
    "trailer<</Root 8 0 R>>\n",
  ]);
}

/** Returns a PDF that embeds each compressed stream under another name. */
export function withStreams(streams: readonly Uint8Array[]): Uint8Array {
  const objects = streams.flatMap((bytes, at) => [
    `${2 * at + 1} 0 obj\n<</Filter/FlateDecode/Length ${bytes.length}>>stream\n`,
    bytes,
    `\nendstream\nendobj\n${2 * at + 2} 0 obj\n<</F(file-${at}.xml)/EF<</F ${
      2 * at + 1
    } 0 R>>>>\nendobj\n`,
  ]);
  const specs = streams.map((_, at) => `${2 * at + 2} 0 R`).join(" ");
  return join([
    "%PDF-1.7\n",
    ...objects,
    `999 0 obj\n<</Type/Catalog/AF[${specs}]>>\nendobj\ntrailer<</Root 999 0 R>>\n`,
  ]);
}

function join(parts: readonly (string | Uint8Array)[]): Uint8Array {
  return new Uint8Array(
    Buffer.concat(parts.map((it) => typeof it === "string" ? ENCODER.encode(it) : it)),
  );
}

export function getHex(bytes: Uint8Array): Uint8Array {
  return ENCODER.encode(`${Buffer.from(bytes).toString("hex")}>`);
}

export function getAscii85(bytes: Uint8Array): Uint8Array {
  let text = "<~";
  for (let at = 0; at < bytes.length; at += 4) {
    const part = bytes.subarray(at, at + 4);
    const padded = [...part, 0, 0, 0].slice(0, 4);
    let value = padded.reduce((sum, byte) => sum * 256 + byte, 0);
    const digits: string[] = [];
    for (let digit = 0; digit < 5; digit++) {
      digits.unshift(String.fromCharCode(33 + value % 85));
      value = Math.floor(value / 85);
    }
    text += digits.slice(0, part.length + 1).join("");
  }
  return ENCODER.encode(`${text}~>`);
}

export function getRuns(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  for (let at = 0; at < bytes.length;) {
    let run = 1;
    while (run < 128 && bytes[at + run] === bytes[at]) run++;
    if (run > 1) out.push(257 - run, bytes[at] ?? 0);
    else out.push(0, bytes[at] ?? 0);
    at += run;
  }
  return new Uint8Array([...out, 128]);
}

/** Encodes LZW as TIFF and PDF do: codes of 9 to 12 bits, one code early, and a clear code at the end of the table. */
export function encodeLzw(bytes: Uint8Array): Uint8Array {
  const out: number[] = [];
  let [buffer, bits, width] = [0, 0, 9];
  const emit = (code: number) => {
    buffer = (buffer << width) | code;
    bits += width;
    while (bits >= 8) {
      bits -= 8;
      out.push((buffer >> bits) & 255);
      buffer &= (1 << bits) - 1;
    }
  };
  const table = new Map<string, number>();
  let next = 258;
  const reset = () => {
    table.clear();
    for (let code = 0; code < 256; code++) table.set(String.fromCharCode(code), code);
    [next, width] = [258, 9];
  };
  emit(256);
  reset();
  let prefix = "";
  for (const byte of bytes) {
    const longer = prefix + String.fromCharCode(byte);
    if (table.has(longer)) {
      prefix = longer;
      continue;
    }
    emit(table.get(prefix) ?? 0);
    table.set(longer, next++);
    if (next + 1 > 1 << width && width < 12) width++;
    if (next >= 4094) {
      emit(256);
      reset();
    }
    prefix = String.fromCharCode(byte);
  }
  emit(table.get(prefix) ?? 0);
  emit(257);
  if (bits > 0) out.push((buffer << (8 - bits)) & 255);
  return new Uint8Array(out);
}

/** Applies PNG's predictor Up to rows of some columns; the last row is padded with blanks. */
export function predictedUp(bytes: Uint8Array, columns: number): Uint8Array {
  const rows = Math.ceil(bytes.length / columns);
  const padded = new Uint8Array(rows * columns).fill(32);
  padded.set(bytes);
  const out: number[] = [];
  for (let row = 0; row < rows; row++) {
    out.push(2);
    for (let at = 0; at < columns; at++) {
      const here = row * columns + at;
      out.push(((padded[here] ?? 0) - (row === 0 ? 0 : padded[here - columns] ?? 0)) & 255);
    }
  }
  return new Uint8Array(out);
}
