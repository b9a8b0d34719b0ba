import type { Deps } from "#src/deps.ts";
import type { InvoiceKey } from "#src/domain/invoice/key.ts";
import type { TreatmentChoice } from "#src/domain/treatment/mod.ts";
import type { Template } from "#src/domain/template/template.ts";
import { asTemplatesName, findCompany, resolveStylesheet } from "#src/platform/templates/mod.ts";
import { type OpenedFile, openInvoiceFile } from "#src/gateway/validation/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { transformError, type TransformInput } from "#src/ports/xslt.ts";
import { textOfXmlInSteps } from "#src/xml/mod.ts";
import { type ItemLocation, keyIn, readBytes, readErpPiece } from "./erp_piece.ts";
import { buildParams, takeKey } from "./transform.ts";

/** XML of one item, and its origin. */
export interface Produced {
  readonly ubl: string;
  /** The file's own bytes, which may not be UTF-8; absent for UBL made here. */
  readonly bytes?: Uint8Array;
  /** Facts about its Factur-X file, and that file. */
  readonly hybrid?: OpenedFile["hybrid"] | undefined;
  readonly facturX?: Uint8Array | undefined;
  /** The ERP document it was made of; absent when the file was UBL already. */
  readonly erp?: string;
  /** Key that the stylesheet set; absent for UBL without a key. */
  readonly key?: InvoiceKey | undefined;
  /** Business term → ERP element. */
  readonly sourceFields?: ReadonlyMap<string, string>;
}

/** Reads an item from the run's file, and transforms an ERP document. */
export async function readDocument(
  deps: Deps,
  { template, signal, ...where }: ItemLocation & {
    readonly template: Template | undefined;
    readonly signal: AbortSignal;
  },
): Promise<Produced> {
  const { run, item } = where;
  if (run.sourceType === "ubl") {
    const bytes = await readBytes(deps, where);
    const { xml, hybrid } = await openInvoiceFile(deps, bytes, signal);
    return {
      ...takeKey(await textOfXmlInSteps(xml)),
      bytes: xml,
      ...hybrid === undefined ? {} : { hybrid, facturX: bytes },
    };
  }
  if (!template) throw new AppError("refused", say`The template of this run was deleted`);
  const { open, text, close } = await readErpPiece(deps, where);
  const produced = await transformPiece(deps, {
    erp: open + text + close,
    template,
    treatment: run.treatment,
    signal,
  });
  if (produced.key !== undefined) {
    const stylesheet = await resolveStylesheet(deps, template);
    refuseOther({ asked: keyIn(text), answered: produced.key, stylesheet, line: item.line });
  }
  return produced;
}

/** Throws unless the answer is about the requested document: known parts of its key must be in the answer. */
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

/**
 * Converts one ERP document to UBL by its template's stylesheet. Throws the errors of `ports/xslt.ts`. `by` names
 * another stylesheet, and a text for a test run.
 */
export async function transformPiece(
  deps: Pick<Deps, "db" | "settings" | "storage" | "stylesheets" | "xslt">,
  { erp, template, treatment, signal, by = {} }: {
    readonly erp: string;
    readonly template: Template;
    /** Chosen by the caller, before the template's. */
    readonly treatment?: TreatmentChoice | null | undefined;
    readonly signal: AbortSignal;
    readonly by?: Partial<Pick<TransformInput, "stylesheet" | "instead">>;
  },
): Promise<Produced> {
  const stylesheet = by.stylesheet ?? await resolveStylesheet(deps, template);
  const company = await findCompany(deps.db);
  const params = buildParams(template, { treatment, company });
  const { output, sources } = await deps.xslt.transform(
    { stylesheet, source: erp, params, instead: by.instead },
    { signal, timeoutMs: deps.settings.xsltTimeoutMs },
  ).catch((error) => {
    throw asTemplatesName(deps, error);
  });
  return { ...takeKey(output), erp, sourceFields: sources };
}
