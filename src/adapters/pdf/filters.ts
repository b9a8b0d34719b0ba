import { inflateSync } from "node:zlib";
import { PDFArray, PDFDict, PDFName, PDFNumber, type PDFRawStream } from "@cantoo/pdf-lib";
import { AppError, toMessage } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { unpredict } from "./predictors.ts";

/** Filters that one stream may pass through; a file in use has two at most. */
const MAX_FILTERS = 6;

/** Decoded bytes that all streams of one file may have together. */
export class Budget {
  left: number;

  constructor(bytes: number) {
    this.left = bytes;
  }
}

/** Name of a stream for messages, and the limits of each step and of the file. */
export interface DecodeOptions {
  readonly name: string;
  readonly most: number;
  readonly budget: Budget;
}

/**
 * Decodes a stream through all its filters (ISO 32000-1, 7.4). Every step is bounded, so that neither a small file
 * nor a chain of filters becomes a large one. Throws `createRefusal`.
 */
export function decodeStream(stream: PDFRawStream, options: DecodeOptions): Uint8Array {
  const { name, most, budget } = options;
  if (stream.dict.has(PDFName.of("F"))) {
    throw createRefusal(say`The PDF keeps ${name} in another file; embed it`);
  }
  let bytes: Uint8Array = stream.getContents();
  for (const { filter, parameters } of getFilters(stream.dict, name)) {
    const limit = Math.min(most, budget.left);
    bytes = decodeStep(bytes, { filter, parameters, name, most: limit });
    if (bytes.length > limit) throw tooLarge(name, limit);
    budget.left -= bytes.length;
  }
  if (bytes.length > most) throw tooLarge(name, most);
  return new Uint8Array(bytes);
}

interface Step {
  readonly filter: string;
  readonly parameters: PDFDict | undefined;
}

function getFilters(dict: PDFDict, name: string): Step[] {
  const filters = entriesAt(dict, "Filter");
  if (filters.length > MAX_FILTERS) {
    throw createRefusal(say`${name} has ${filters.length} filters; ${MAX_FILTERS} are allowed`);
  }
  const parameters = entriesAt(dict, "DecodeParms");
  return filters.map((filter, index) => {
    const own = parameters[index];
    return {
      filter: filter instanceof PDFName ? filter.decodeText() : "?",
      parameters: own instanceof PDFDict ? own : undefined,
    };
  });
}

function entriesAt(dict: PDFDict, key: string): unknown[] {
  const value = dict.lookup(PDFName.of(key));
  if (!(value instanceof PDFArray)) return value === undefined ? [] : [value];
  return Array.from(
    { length: Math.min(value.size(), MAX_FILTERS + 1) },
    (_, at) => value.lookup(at),
  );
}

interface Bounds {
  readonly name: string;
  readonly most: number;
}

function decodeStep(bytes: Uint8Array, step: Step & Bounds): Uint8Array {
  const { filter, parameters, name } = step;
  switch (filter) {
    case "FlateDecode":
    case "Fl":
      return unpredict(inflate(bytes, step), findPredictor(parameters));
    case "LZWDecode":
    case "LZW":
      return unpredict(
        decodeLzw(bytes, numberAt(parameters, "EarlyChange", 1), step),
        findPredictor(parameters),
      );
    case "ASCIIHexDecode":
    case "AHx":
      return decodeHex(bytes, step);
    case "ASCII85Decode":
    case "A85":
      return decodeAscii85(bytes, step);
    case "RunLengthDecode":
    case "RL":
      return decodeRuns(bytes, step);
    default:
      throw createRefusal(say`${name} is compressed in a way that is not read here (${filter})`);
  }
}

function findPredictor(parameters: PDFDict | undefined) {
  return {
    predictor: numberAt(parameters, "Predictor", 1),
    colors: numberAt(parameters, "Colors", 1),
    bits: numberAt(parameters, "BitsPerComponent", 8),
    columns: numberAt(parameters, "Columns", 1),
  };
}

function numberAt(parameters: PDFDict | undefined, key: string, fallback: number): number {
  const value = parameters?.lookup(PDFName.of(key));
  return value instanceof PDFNumber ? value.asNumber() : fallback;
}

function inflate(bytes: Uint8Array, { name, most }: Bounds): Uint8Array {
  try {
    return inflateSync(bytes, { maxOutputLength: Math.max(most, 1) });
  } catch (error) {
    if ((error as { code?: unknown }).code === "ERR_BUFFER_TOO_LARGE") throw tooLarge(name, most);
    throw createRefusal(say`${name} cannot be decompressed: ${toMessage(error)}`);
  }
}

/** Output that grows up to a bound. */
class Output {
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  readonly #bounds: Bounds;

  constructor(bounds: Bounds) {
    this.#bounds = bounds;
  }

  push(byte: number): void {
    this.#grow(1);
    this.#bytes[this.#length++] = byte;
  }

  append(part: Uint8Array): void {
    this.#grow(part.length);
    this.#bytes.set(part, this.#length);
    this.#length += part.length;
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  #grow(by: number): void {
    const length = this.#length + by;
    const { name, most } = this.#bounds;
    if (length > most) throw tooLarge(name, most);
    if (length <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(length, this.#bytes.length * 2));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

const GREATER = 0x3e;

function isBlank(byte: number): boolean {
  return byte === 0 || byte === 9 || byte === 10 || byte === 12 || byte === 13 || byte === 32;
}

/** ISO 32000-1, 7.4.2: a missing last digit is 0. */
function decodeHex(bytes: Uint8Array, bounds: Bounds): Uint8Array {
  const output = new Output(bounds);
  let high: number | undefined;
  for (const byte of bytes) {
    if (byte === GREATER) break;
    if (isBlank(byte)) continue;
    const digit = hexDigit(byte);
    if (digit === undefined) throw createDamageError(bounds.name, "ASCIIHexDecode");
    if (high === undefined) high = digit;
    else {
      output.push(high * 16 + digit);
      high = undefined;
    }
  }
  if (high !== undefined) output.push(high * 16);
  return output.done();
}

function hexDigit(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x61 + 10 : undefined;
}

/** ISO 32000-1, 7.4.3: five digits of base 85 are four bytes, `z` is four zeros. */
function decodeAscii85(bytes: Uint8Array, bounds: Bounds): Uint8Array {
  const output = new Output(bounds);
  let digits: number[] = [];
  let at = bytes[0] === 0x3c && bytes[1] === 0x7e ? 2 : 0; // <~
  for (; at < bytes.length && bytes[at] !== 0x7e; at++) {
    const byte = bytes[at] ?? 0;
    if (isBlank(byte)) continue;
    if (byte === 0x7a && digits.length === 0) {
      output.append(new Uint8Array(4));
      continue;
    }
    if (byte < 0x21 || byte > 0x75) throw createDamageError(bounds.name, "ASCII85Decode");
    digits.push(byte - 0x21);
    if (digits.length < 5) continue;
    output.append(fourBytes(digits));
    digits = [];
  }
  if (digits.length > 1) {
    const padded = [...digits, 84, 84, 84, 84].slice(0, 5);
    output.append(fourBytes(padded).subarray(0, digits.length - 1));
  }
  return output.done();
}

function fourBytes(digits: readonly number[]): Uint8Array {
  const value = digits.reduce((sum, digit) => sum * 85 + digit, 0);
  return new Uint8Array([value / 2 ** 24, value / 2 ** 16, value / 2 ** 8, value]);
}

/** ISO 32000-1, 7.4.5 */
function decodeRuns(bytes: Uint8Array, bounds: Bounds): Uint8Array {
  const output = new Output(bounds);
  for (let at = 0; at < bytes.length;) {
    const length = bytes[at++] ?? 128;
    if (length === 128) break;
    if (length < 128) {
      output.append(bytes.subarray(at, at + length + 1));
      at += length + 1;
    } else {
      output.append(new Uint8Array(257 - length).fill(bytes[at++] ?? 0));
    }
  }
  return output.done();
}

const CLEAR = 256;
const END = 257;

/**
 * Decodes LZW (ISO 32000-1, 7.4.4) with codes of 9 to 12 bits; `early` is the number of codes by which the width
 * grows early.
 */
function decodeLzw(bytes: Uint8Array, early: number, bounds: Bounds): Uint8Array {
  const output = new Output(bounds);
  let table: Uint8Array[] = [];
  let previous: Uint8Array | undefined;
  let [width, buffer, bits] = [9, 0, 0];
  for (const byte of bytes) {
    buffer = (buffer << 8) | byte;
    bits += 8;
    if (bits < width) continue;
    bits -= width;
    const code = (buffer >> bits) & ((1 << width) - 1);
    buffer &= (1 << bits) - 1;
    if (code === END) break;
    if (code === CLEAR) {
      [table, previous, width] = [[], undefined, 9];
      continue;
    }
    const entry = code < CLEAR ? Uint8Array.of(code) : table[code - END - 1] ??
      (previous && code === table.length + END + 1 ? extend(previous, previous) : undefined);
    if (entry === undefined) throw createDamageError(bounds.name, "LZWDecode");
    output.append(entry);
    if (previous && table.length < 4096 - END - 1) table.push(extend(previous, entry));
    previous = entry;
    const next = table.length + END + 1 + early;
    width = next < 512 ? 9 : next < 1024 ? 10 : next < 2048 ? 11 : 12;
  }
  return output.done();
}

function extend(entry: Uint8Array, by: Uint8Array): Uint8Array {
  const longer = new Uint8Array(entry.length + 1);
  longer.set(entry);
  longer[entry.length] = by[0] ?? 0;
  return longer;
}

function createDamageError(name: string, filter: string): AppError {
  return createRefusal(say`${name} cannot be decompressed: its ${filter} data is damaged`);
}

function tooLarge(name: string, most: number): AppError {
  return createRefusal(say`${name} has more than ${most} bytes once it is decompressed`);
}

function createRefusal(sentence: Sentence): AppError {
  return new AppError("refused", sentence);
}
