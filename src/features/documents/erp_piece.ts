import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { RunItemRow, RunRow } from "#src/features/runs/mod.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";

const MAX_DOCUMENT = 100 * 1024 * 1024;

/** One invoice of an ERP file: `open + text + close` is a document of its own. */
export interface ErpPiece {
  readonly open: string;
  readonly text: string;
  readonly close: string;
}

/** An item of a run: where in which file one document lies. */
export interface ItemPlace {
  readonly run: RunRow;
  readonly item: RunItemRow;
  /** What stands around an item that has no surroundings of its own. */
  readonly envelope: { readonly open: string; readonly close: string };
}

/** The bytes of an item; `too_large`, or `refused` where the file is no longer what was split. */
export async function bytesOf(
  { storage }: Pick<Deps, "storage">,
  { run, item }: Pick<ItemPlace, "run" | "item">,
) {
  const { offset, length, line } = item;
  if (length > MAX_DOCUMENT) {
    throw new AppError(
      "too_large",
      say`The document at line ${line} has ${length} bytes; ${MAX_DOCUMENT} are allowed`,
    );
  }
  const bytes = new Uint8Array(length);
  let read = 0;
  for await (const chunk of storage.read(run.file, { offset, length })) {
    bytes.set(chunk, read);
    read += chunk.length;
  }
  if (read !== length) {
    throw new AppError("refused", say`The file ${run.file} became shorter while it was processed`);
  }
  return bytes;
}

/** The same as text in its surroundings; `refused` besides when it is no UTF-8. */
export async function erpPieceOf(deps: Pick<Deps, "storage">, where: ItemPlace): Promise<ErpPiece> {
  const { item, envelope } = where;
  return {
    open: item.envelopeOpen ?? envelope.open,
    text: textOf(await bytesOf(deps, where), item.line),
    close: item.envelopeClose ?? envelope.close,
  };
}

function textOf(bytes: Uint8Array, line: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("refused", say`The document at line ${line} is not UTF-8`);
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
    return looks.test(value) ? { [part]: value } : {};
  });
  return Object.assign({}, ...found);
}

const FIRST_LOOK = 16 * 1024;
const FARTHEST_LOOK = 1024 * 1024;

/**
 * The column, in UTF-16 units from 1, of a byte of a file of which the splitter kept the line; 0 where its line begins
 * farther back than is worth reading.
 */
export async function columnAt(
  { storage }: Pick<Deps, "storage">,
  file: ConfinedPath,
  offset: number,
): Promise<number> {
  for (let look = FIRST_LOOK; look <= FARTHEST_LOOK; look *= 8) {
    const from = Math.max(0, offset - look);
    const bytes = new Uint8Array(offset - from);
    let read = 0;
    for await (const chunk of storage.read(file, { offset: from, length: bytes.length })) {
      bytes.set(chunk, read);
      read += chunk.length;
    }
    const newline = bytes.lastIndexOf(0x0a);
    if (newline < 0 && from > 0) continue;
    // The decoder leaves a byte order mark out, as the splitter does.
    return new TextDecoder().decode(bytes.subarray(newline + 1)).length + 1;
  }
  return 0;
}
