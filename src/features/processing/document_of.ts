import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import { stylesheetOf } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { bytesOf, erpPieceOf } from "./erp_piece.ts";
import type { ItemContext } from "./judge_item.ts";
import { paramsOf, takeKey } from "./transform.ts";

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
  if (run.sourceType === "ubl") {
    const bytes = await bytesOf(deps, { run, item });
    return { ...takeKey(new TextDecoder().decode(bytes)), bytes };
  }
  if (!template) throw new AppError("refused", "The template of this run was deleted");
  const { open, text, close } = await erpPieceOf(deps, { run, item });
  const erp = open + text + close;
  const stylesheet = await stylesheetOf(deps, template);
  const { output, sources } = await deps.xslt.transform(
    { stylesheet, source: erp, params: paramsOf(template) },
    { signal, timeoutMs: deps.settings.xsltTimeoutMs },
  );
  return { ...takeKey(output), erp, sourceFields: sources };
}
