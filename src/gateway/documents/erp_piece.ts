import type { Deps } from "#src/deps.ts";
import { MAX_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import { belowRoot } from "#src/ports/storage.ts";
import {
  createDecoder,
  detectEncoding,
  type Encoding,
  findBadByte,
  findBadReference,
  HEAD,
  XmlError,
} from "#src/xml/mod.ts";
import type { RunItemRow, RunRow } from "#src/gateway/runs/mod.ts";
import {
  createPositionFinder,
  type ErpPiece,
  type LocatedPiece,
  type PiecePosition,
} from "./piece_place.ts";

/** Position of an item of a run: the file, and the document in it. */
export interface ItemLocation {
  readonly run: RunRow;
  readonly item: RunItemRow;
  /** Envelope for an item without its own surroundings. */
  readonly envelope: { readonly open: string; readonly close: string };
  /** Encoding of the file. */
  readonly encoding: Encoding;
  /** Bytes, if they were read together with others. */
  readonly bytes?: Uint8Array | undefined;
}

/** Returns the bytes of an item. Throws `too_large`, or `refused` when the file has changed since it was split. */
export async function readBytes(
  { storage }: Pick<Deps, "storage">,
  { run, item, bytes: known }: Pick<ItemLocation, "run" | "item" | "bytes">,
): Promise<Uint8Array> {
  if (known) return known;
  const { offset, length, line } = item;
  if (length > MAX_DOCUMENT_BYTES) {
    throw new AppError(
      "too_large",
      say`The document at line ${line} has ${length} bytes; ${MAX_DOCUMENT_BYTES} are allowed`,
    );
  }
  const bytes = new Uint8Array(length);
  let read = 0;
  for await (
    const chunk of storage.read(run.file, { offset, length, version: run.fileVersion })
  ) {
    bytes.set(chunk, read);
    read += chunk.length;
  }
  if (read !== length) {
    const file = belowRoot(storage, run.file);
    throw new AppError("refused", say`The file ${file} became shorter while it was processed`);
  }
  return bytes;
}

/** Returns the encoding of a run's file; UTF-8 for a file that is not XML. */
export async function encodingOfFile(
  { storage }: Pick<Deps, "storage">,
  run: RunRow,
): Promise<Encoding> {
  const head: number[] = [];
  try {
    for await (const chunk of storage.read(run.file, { length: HEAD, version: run.fileVersion })) {
      head.push(...chunk);
    }
    return detectEncoding(Uint8Array.from(head));
  } catch (error) {
    // Each item reports an unreadable file itself.
    if (error instanceof XmlError || error instanceof AppError) return "utf-8";
    throw error;
  }
}

/** Error for a document with one invalid byte, and its position. */
export class BadByteError extends AppError {
  readonly place: PiecePosition;

  constructor(sentence: Sentence, place: PiecePosition) {
    super("refused", sentence);
    this.place = place;
  }
}

/**
 * Returns the ERP document as text in its envelope. Throws `BadByteError` for a byte that is invalid in the file's
 * encoding or in XML, and for a reference to such a character. A stylesheet processor must not guess their meaning.
 */
export async function readErpPiece(
  deps: Pick<Deps, "storage">,
  where: ItemLocation,
): Promise<ErpPiece> {
  const { item, encoding } = where;
  const bytes = await readBytes(deps, where);
  const bad = findBadByte(bytes, encoding);
  if (bad) {
    const { text, line, column } = bad;
    const offset = item.offset + bad.offset;
    const [number, at] = [item.index + 1, item.line + line - 1];
    throw new BadByteError(
      say`Invoice ${number} of the file, which begins at line ${item.line}, cannot be read. ${text} (byte ${offset} of the file, line ${at}). Correct the file there; the other invoices are not affected`,
      { line, column },
    );
  }
  const text = createDecoder(encoding)(bytes, true);
  const reference = findBadReference(text);
  if (reference) {
    const { line, column } = createPositionFinder(text)(reference.offset);
    const [number, at] = [item.index + 1, item.line + line - 1];
    throw new BadByteError(
      say`Invoice ${number} of the file, which begins at line ${item.line}, cannot be read. The character reference ${reference.text} is not allowed in XML (line ${at}). Correct the file there; the other invoices are not affected`,
      { line, column },
    );
  }
  return pieceIn(text, where);
}

function pieceIn(text: string, { item, envelope }: ItemLocation): ErpPiece {
  return {
    open: item.envelopeOpen ?? envelope.open,
    text,
    close: item.envelopeClose ?? envelope.close,
  };
}

/** The text of bytes for finding places in it, whatever the bytes are. */
function formatText(bytes: Uint8Array, { encoding }: ItemLocation): string {
  try {
    return createDecoder(encoding)(bytes, true);
  } catch {
    return new TextDecoder(encoding === "us-ascii" ? "utf-8" : encoding).decode(bytes);
  }
}

/** Returns an ERP document with its position in the file; undefined for UBL files and unreadable documents. */
export async function readPlacedPiece(
  deps: Pick<Deps, "storage">,
  where: ItemLocation,
): Promise<LocatedPiece | undefined> {
  const { run, item } = where;
  if (run.sourceType === "ubl") return undefined;
  try {
    const column = await columnAt(deps, where);
    const piece = pieceIn(formatText(await readBytes(deps, where), where), where);
    return { ...piece, line: item.line, column };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** Names of the ERP elements that identify a document; their ids (`_ID135`) differ between report versions. */
const KEY_FIELDS = [
  { part: "doc", field: "DocumentOrderInvoiceE", looks: /^[^\s&\p{Cc}\ufffd\uffff]{1,60}$/u },
  { part: "dct", field: "DocumentType", looks: /^[^\s&\p{Cc}\ufffd\uffff-]{1,20}$/u },
  { part: "kco", field: "KeyCompany", looks: /^[^\s&\p{Cc}\ufffd\uffff-]{1,20}$/u },
] as const;

/**
 * Reads the key of an ERP document from its text, for errors before the stylesheet returns the exact key. The text need
 * not be valid XML.
 */
export function keyIn(text: string): Partial<InvoiceKey> {
  const found = KEY_FIELDS.map(({ part, field, looks }) => {
    const element = new RegExp(`<(?:[\\w.-]+:)?${field}_ID\\d+(?:\\s[^<>]*)?>([^<]*)<`);
    const value = element.exec(text)?.[1]?.trim() ?? "";
    const written = part === "kco" && /^\d+$/.test(value) ? value.padStart(5, "0") : value;
    return looks.test(value) ? { [part]: written } : {};
  });
  return Object.assign({}, ...found);
}

const FIRST_LOOK = 16 * 1024;
const FARTHEST_LOOK = 1024 * 1024;

/**
 * Returns the column of an item on a known line, in UTF-16 units from 1. Returns 0 when the line begins too far back to
 * be read.
 */
async function columnAt(
  { storage }: Pick<Deps, "storage">,
  where: ItemLocation,
): Promise<number> {
  const { run, item: { offset }, encoding } = where;
  for (let look = FIRST_LOOK; look <= FARTHEST_LOOK; look *= 8) {
    const from = Math.max(0, offset - look);
    const bytes = new Uint8Array(offset - from);
    let read = 0;
    const range = { offset: from, length: bytes.length, version: run.fileVersion };
    for await (const chunk of storage.read(run.file, range)) {
      bytes.set(chunk, read);
      read += chunk.length;
    }
    const start = lineStart(bytes, encoding);
    if (start === 0 && from > 0) continue;
    // The decoder leaves a byte order mark out, as the splitter does.
    return formatText(bytes.subarray(start), where).length + 1;
  }
  return 0;
}

/** Returns the offset after the last line feed; 0 without one. */
function lineStart(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== "utf-16le" && encoding !== "utf-16be") return bytes.lastIndexOf(0x0a) + 1;
  const [low, high] = encoding === "utf-16le" ? [0, 1] : [1, 0];
  for (let at = bytes.length - 2; at >= 0; at -= 2) {
    if (bytes[at + low] === 0x0a && bytes[at + high] === 0) return at + 2;
  }
  return 0;
}
