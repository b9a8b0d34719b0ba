import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import { GaveUp } from "#src/ports/rule_book.ts";
import { isCostly } from "../judging/cost.ts";
import type { Validation } from "../judging/validation.ts";
import { toHtmlReport } from "./html_report.ts";
import type { Notice } from "./notice.ts";

/** A verdict and its document as they cross to the process that writes the page. */
export interface PageJob {
  readonly validation: Validation;
  readonly source: string;
  readonly notice?: Notice | undefined;
}

/** The page for people, written beside the event loop where the document is long. Rejects when the signal aborts. */
export async function writePage(
  { rules: { beside } }: Pick<Deps, "rules">,
  { validation, source, notice }: PageJob,
  signal: AbortSignal,
): Promise<string> {
  if (beside === undefined || !isCostly(source)) {
    return toHtmlReport(validation, { source, notice });
  }
  const { document: _, ...plain } = validation;
  try {
    return await beside.read({ page: { validation: plain, source, notice } }, String, { signal });
  } catch (error) {
    if (!(error instanceof GaveUp)) throw error;
    throw new AppError("too_large", say`The document is too long for a page: ${error.message}`);
  }
}
