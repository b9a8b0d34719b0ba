import type { Deps } from "#src/deps.ts";
import { MOST_DOCUMENT_BYTES } from "#src/domain/document/mod.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { belowRoot } from "#src/ports/storage.ts";
import { decoderOf, type Encoding, encodingOf, HEAD, XmlError } from "#src/xml/mod.ts";
import type { RunItemRow, RunRow } from "#src/features/runs/mod.ts";
import type { ErpPiece, PlacedPiece } from "./piece_place.ts";

/** An item of a run: where in which file one document lies. */
export interface ItemPlace {
  readonly run: RunRow;
  readonly item: RunItemRow;
  /** What stands around an item that has no surroundings of its own. */
  readonly envelope: { readonly open: string; readonly close: string };
  /** That of the file. */
  readonly encoding: Encoding;
  /** Its bytes, where they were read with those of others. */
  readonly bytes?: Uint8Array | undefined;
}

/** The bytes of an item; `too_large`, or `refused` where the file is no longer what was split. */
export async function bytesOf(
  { storage }: Pick<Deps, "storage">,
  { run, item, bytes: known }: Pick<ItemPlace, "run" | "item" | "bytes">,
): Promise<Uint8Array> {
  if (known) return known;
  const { offset, length, line } = item;
  if (length > MOST_DOCUMENT_BYTES) {
    throw new AppError(
      "too_large",
      say`The document at line ${line} has ${length} bytes; ${MOST_DOCUMENT_BYTES} are allowed`,
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

/** The encoding of a run's file; of what is no XML, UTF-8. */
export async function encodingOfFile(
  { storage }: Pick<Deps, "storage">,
  run: RunRow,
): Promise<Encoding> {
  const head: number[] = [];
  try {
    for await (const chunk of storage.read(run.file, { length: HEAD, version: run.fileVersion })) {
      head.push(...chunk);
    }
    return encodingOf(Uint8Array.from(head));
  } catch (error) {
    // A file that cannot be read is told of each of its items.
    if (error instanceof XmlError || error instanceof AppError) return "utf-8";
    throw error;
  }
}

/** As `placedPieceOf`, the piece as text in its surroundings; `refused` besides when it is not in the file's encoding. */
export async function erpPieceOf(deps: Pick<Deps, "storage">, where: ItemPlace): Promise<ErpPiece> {
  const { item, envelope } = where;
  return {
    open: item.envelopeOpen ?? envelope.open,
    text: textOf(await bytesOf(deps, where), where),
    close: item.envelopeClose ?? envelope.close,
  };
}

function textOf(bytes: Uint8Array, { item, encoding }: ItemPlace): string {
  try {
    return decoderOf(encoding)(bytes, true);
  } catch {
    const name = encoding.toUpperCase();
    throw new AppError("refused", say`The document at line ${item.line} is not ${name}`);
  }
}

/** A piece with its place in its file; undefined for a file that is UBL already, and for a piece that cannot be read. */
export async function placedPieceOf(
  deps: Pick<Deps, "storage">,
  where: ItemPlace,
): Promise<PlacedPiece | undefined> {
  const { run, item } = where;
  if (run.sourceType === "ubl") return undefined;
  try {
    const column = await columnAt(deps, where);
    return { ...await erpPieceOf(deps, where), line: item.line, column };
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** The ERP's own names of what identifies a document; their ids (`_ID135`) differ from one report version to the next. */
const KEY_FIELDS = [
  { part: "doc", field: "DocumentOrderInvoiceE", looks: /^[^\s&]{1,60}$/ },
  { part: "dct", field: "DocumentType", looks: /^[^\s&-]{1,20}$/ },
  { part: "kco", field: "KeyCompany", looks: /^[^\s&-]{1,20}$/ },
] as const;

/**
 * What a piece says of its own key, for when the stylesheet, which knows it exactly, does not get as far. Reads text, for
 * the piece may not even be XML.
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
 * The column, in UTF-16 units from 1, of an item of which the splitter kept the line; 0 where its line begins
 * farther back than is worth reading.
 */
async function columnAt(
  { storage }: Pick<Deps, "storage">,
  where: ItemPlace,
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
    return textOf(bytes.subarray(start), where).length + 1;
  }
  return 0;
}

/** Behind the last line feed; 0 where there is none. */
function lineStart(bytes: Uint8Array, encoding: Encoding): number {
  if (encoding !== "utf-16le" && encoding !== "utf-16be") return bytes.lastIndexOf(0x0a) + 1;
  const [low, high] = encoding === "utf-16le" ? [0, 1] : [1, 0];
  for (let at = bytes.length - 2; at >= 0; at -= 2) {
    if (bytes[at + low] === 0x0a && bytes[at + high] === 0) return at + 2;
  }
  return 0;
}
