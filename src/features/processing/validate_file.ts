import type { Deps } from "#src/deps.ts";
import { validateDocument, type Validation } from "#src/features/validation/mod.ts";
import { useDocumentTemplate } from "#src/features/templates/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { splitXml, standaloneXml } from "#src/xml/splitter.ts";
import { paramsOf, stylesheetOf, takeKey } from "./transform.ts";

const MAX_DOCUMENT = 100 * 1024 * 1024;

export interface ValidateRequest {
  readonly file: string;
  readonly sourceType: "xml" | "ubl";
  readonly template?: string | undefined;
}

/** Judges one document for a report: a UBL file, or the first invoice of an ERP file. */
export async function validateFile(
  deps: Deps,
  request: ValidateRequest,
  signal: AbortSignal,
): Promise<{ validation: Validation; source: string }> {
  const path = await deps.storage.confine(request.file);
  if (request.sourceType === "xml") {
    const source = await transformFirst(deps, request, signal);
    return { validation: await validateDocument(deps, source), source };
  }
  const bytes = await deps.storage.readAll(path, MAX_DOCUMENT);
  return {
    validation: await validateDocument(deps, bytes),
    source: new TextDecoder().decode(bytes),
  };
}

async function transformFirst(
  deps: Deps,
  request: ValidateRequest,
  signal: AbortSignal,
): Promise<string> {
  if (request.template === undefined) {
    throw new AppError(
      "invalid",
      `The ERP file ${request.file} needs a template that says how it is transformed`,
    );
  }
  const template = await useDocumentTemplate(deps, request.template);
  const element = template.properties["element"];
  const path = await deps.storage.confine(request.file);
  for await (const piece of splitXml(deps.storage.read(path), element ? { element } : {})) {
    const stylesheet = await stylesheetOf(deps, template);
    const { output } = await deps.xslt.transform(
      { stylesheet, source: standaloneXml(piece), params: paramsOf(template) },
      { signal, timeoutMs: deps.settings.xsltTimeoutMs },
    );
    return takeKey(output).ubl;
  }
  throw new AppError("refused", `The file ${request.file} holds no invoice`);
}
