import type { Deps } from "#src/deps.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { LimitExceeded } from "#src/ports/rule_book.ts";
import { isCostly } from "../judging/cost.ts";
import type { Validation } from "../judging/validation.ts";
import { type PageOf, toHtmlReport } from "./html_report.ts";

/** A verdict and its document as they cross to the process that writes the page. */
export interface PageJob extends PageOf {
  readonly validation: Validation;
}

/**
 * Renders the HTML page, in a child process for long documents, so that the event loop is not blocked. Rejects when the
 * signal aborts.
 */
export async function writePage(
  { rules: { processes } }: Pick<Deps, "rules">,
  { validation, ...page }: PageJob,
  signal: AbortSignal,
): Promise<Uint8Array<ArrayBuffer>> {
  if (processes === undefined || !isCostly(page.source)) {
    return reportPage({ validation, ...page });
  }
  const { document: _, ...plain } = validation;
  try {
    return await processes.read({ page: { validation: plain, ...page } }, bytesIn, {
      signal,
    });
  } catch (error) {
    if (!(error instanceof LimitExceeded)) throw error;
    throw new AppError(
      "too_large",
      say`The document is too long for a page: ${{ en: error.message, fr: error.messageFr }}`,
    );
  }
}

/** Renders the page in this process. */
export function reportPage({ validation, ...page }: PageJob): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(toHtmlReport(validation, page));
}

function bytesIn(value: unknown): Uint8Array<ArrayBuffer> {
  if (value instanceof Uint8Array) return value as Uint8Array<ArrayBuffer>;
  throw new TypeError("no bytes");
}
