import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import type { Template } from "#src/domain/template/template.ts";
import { asTemplatesName, stylesheetOf } from "#src/features/templates/mod.ts";
import { type OpenedFile, openInvoiceFile } from "#src/features/validation/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { transformError } from "#src/ports/xslt.ts";
import { textOfXmlInSteps } from "#src/xml/mod.ts";
import { bytesOf, erpPieceOf, type ItemPlace, keyIn } from "./erp_piece.ts";
import { paramsOf, takeKey } from "./transform.ts";

/** The XML of one item, and where it came from. */
export interface Produced {
  readonly ubl: string;
  /** The file's own bytes, which may not be UTF-8; absent for UBL made here. */
  readonly bytes?: Uint8Array;
  /** What its Factur-X file says of it, and that file. */
  readonly hybrid?: OpenedFile["hybrid"] | undefined;
  readonly facturX?: Uint8Array | undefined;
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
  { template, signal, ...where }: ItemPlace & {
    readonly template: Template | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Produced> {
  const { run, item } = where;
  if (run.sourceType === "ubl") {
    const bytes = await bytesOf(deps, where);
    const { xml, hybrid } = await openInvoiceFile(deps, bytes, signal);
    return {
      ...takeKey(await textOfXmlInSteps(xml)),
      bytes: xml,
      ...hybrid === undefined ? {} : { hybrid, facturX: bytes },
    };
  }
  if (!template) throw new AppError("refused", say`The template of this run was deleted`);
  const { open, text, close } = await erpPieceOf(deps, where);
  const produced = await transformPiece(deps, { erp: open + text + close, template, signal });
  if (produced.key !== undefined) {
    const stylesheet = await stylesheetOf(deps, template);
    refuseOther({ asked: keyIn(text), answered: produced.key, stylesheet, line: item.line });
  }
  return produced;
}

/** The answer must be about the document that was asked for: as much of its key as the piece tells must be in the answer. */
function refuseOther(
  { asked, answered, stylesheet, line }: {
    readonly asked: Partial<InvoiceKey>;
    readonly answered: InvoiceKey;
    readonly stylesheet: string;
    readonly line: number;
  },
): void {
  const parts = ["doc", "dct", "kco"] as const;
  const other = parts.find((it) =>
    asked[it] !== undefined && plain(asked[it]) !== plain(answered[it])
  );
  if (other === undefined) return;
  const [wanted, got] = [asked[other], answered[other]];
  throw transformError(
    {
      kind: "mismatch",
      stylesheet,
      file: "",
      line,
      errorCode: "",
      messageFr:
        `La feuille de style a répondu pour un autre document : ${other} ${got} au lieu de ${wanted}`,
      value: got,
    },
    `The stylesheet answered for another document: ${other} ${got} instead of ${wanted}`,
  );
}

/** The ERP writes a company as 70 or 00070. */
function plain(part: string | undefined): string | undefined {
  return part?.trim().toUpperCase().replace(/^0+(?=.)/, "");
}

/** The UBL a template's stylesheet makes of one ERP document. Throws what `ports/xslt.ts` says. */
export async function transformPiece(
  deps: Pick<Deps, "settings" | "storage" | "stylesheets" | "xslt">,
  { erp, template, signal }: { erp: string; template: Template; signal: AbortSignal },
): Promise<Produced> {
  const stylesheet = await stylesheetOf(deps, template);
  const { output, sources } = await deps.xslt.transform(
    { stylesheet, source: erp, params: paramsOf(template) },
    { signal, timeoutMs: deps.settings.xsltTimeoutMs },
  ).catch((error) => {
    throw asTemplatesName(deps, error);
  });
  return { ...takeKey(output), erp, sourceFields: sources };
}
