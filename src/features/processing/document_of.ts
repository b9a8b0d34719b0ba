import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { AppError } from "#src/kernel/errors.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { paramsOf, stylesheetOf, takeKey } from "./transform.ts";
import type { ItemContext } from "./judge_item.ts";

const MAX_DOCUMENT = 100 * 1024 * 1024;

/** The UBL of one item, and where it came from. */
export interface Produced {
  readonly ubl: string;
  /** The file's own bytes, which may not be UTF-8; absent for UBL made here. */
  readonly bytes?: Uint8Array;
  /** The ERP document it was made of; absent when the file was UBL already. */
  readonly erp?: string;
  /** As the stylesheet says; absent for UBL that carries none. */
  readonly key?: InvoiceKey | undefined;
  /** Business term → ERP element. */
  readonly sourceFields?: ReadonlyMap<string, string>;
}

/** Reads an item from the run's file and, where it is the ERP's, transforms it. */
export async function documentOf(
  deps: Deps,
  { run, item, template, signal }: ItemContext,
): Promise<Produced> {
  if (item.length > MAX_DOCUMENT) {
    throw new AppError(
      "too_large",
      `The document at line ${item.line} has ${item.length} bytes; ${MAX_DOCUMENT} are allowed`,
    );
  }
  const bytes = await readPiece(deps, run.file as ConfinedPath, item);
  if (run.sourceType === "ubl") return { ...takeKey(new TextDecoder().decode(bytes)), bytes };
  if (!template) throw new AppError("refused", "The template of this run was deleted");
  const open = item.envelopeOpen ?? run.envelopeOpen ?? "";
  const close = item.envelopeClose ?? run.envelopeClose ?? "";
  const erp = open + textOf(bytes, item.line) + close;
  const stylesheet = await stylesheetOf(deps, template);
  const { output, sources } = await deps.xslt.transform(
    { stylesheet, source: erp, params: paramsOf(template) },
    { signal, timeoutMs: deps.settings.xsltTimeoutMs },
  );
  return { ...takeKey(output), erp, sourceFields: sources };
}

async function readPiece(
  { storage }: Pick<Deps, "storage">,
  file: ConfinedPath,
  { offset, length }: { offset: number; length: number },
): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let read = 0;
  for await (const chunk of storage.read(file, { offset, length })) {
    bytes.set(chunk, read);
    read += chunk.length;
  }
  if (read !== length) {
    throw new AppError("refused", `The file ${file} became shorter while it was processed`);
  }
  return bytes;
}

function textOf(bytes: Uint8Array, line: number): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new AppError("refused", `The document at line ${line} is not UTF-8`);
  }
}
