import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { readDirection } from "#src/domain/template/document_settings.ts";
import type { Template } from "#src/domain/template/template.ts";
import { type Produced, transformPiece } from "#src/gateway/documents/mod.ts";
import {
  checkStylesheet,
  isPartOf,
  MAX_TEXT_FILE,
  requireStylesheet,
} from "#src/platform/files/mod.ts";
import { readRuleSets, resolveStylesheet } from "#src/platform/templates/mod.ts";
import { validateDocument, type Validation } from "#src/gateway/validation/mod.ts";
import { AppError, toReason } from "#src/kernel/errors.ts";
import { say, type Text } from "#src/kernel/i18n/sentence.ts";
import { unifiedDiff } from "#src/kernel/text_diff.ts";
import type { ConfinedPath } from "#src/ports/storage.ts";
import { type TransformFailure, transformFailure, type TransformInput } from "#src/ports/xslt.ts";
import { decodeXmlOrUtf8 } from "#src/xml/mod.ts";
import { dateFromRecords } from "./date_originals.ts";
import { readTrialSource, type TrialSource } from "./trial_source.ts";

/** Limit of a document in characters to be shown and compared; a longer one would block the event loop. */
const MAX_SHOWN = 2 * 1024 * 1024;
/** Milliseconds a trial may take, compiling included. */
const MAX_MS = 120_000;

type TryStylesheetDeps =
  & Pick<
    Deps,
    "db" | "settings" | "storage" | "stylesheets" | "vault" | "xslt"
  >
  & Parameters<typeof validateDocument>[0];

/** Why a stylesheet made no document. */
interface Failure {
  readonly message: Text;
  readonly file: string;
  readonly line: number;
  readonly element: string | null;
}

/** The document that a stylesheet makes of an ERP document, and its validation. */
interface Result {
  /** Null when the transform fails, or when the document is too long to be shown. */
  readonly ubl: string | null;
  readonly failure: Failure | undefined;
  readonly validation: Validation | undefined;
}

/** The results of the stylesheet under trial and of the stylesheet in use. */
export interface Trial {
  /** The ERP document; null when it is too long to be shown. */
  readonly source: string | null;
  readonly tried: Result;
  readonly current: Result;
  /** Unified diff of the two documents; null when one is missing. */
  readonly diff: string | null;
}

/**
 * Tests a stylesheet on an ERP document; stores nothing. Both transforms run in child processes with their limits. Throws
 * AppError `not_found` for an invoice that is unknown or has another origin, and for a file without the document.
 */
export async function tryStylesheet(
  deps: TryStylesheetDeps,
  { path: given, content, on, signal: gone }: {
    readonly path: string;
    /** Text to test; by default the file itself. */
    readonly content: string | undefined;
    readonly on: TrialSource;
    readonly signal: AbortSignal;
  },
): Promise<Trial> {
  const deadline = AbortSignal.timeout(MAX_MS);
  const signal = AbortSignal.any([gone, deadline]);
  const path = await deps.storage.confine(given);
  requireStylesheet(given, path);
  const source = content ?? await deps.storage.readAll(path, MAX_TEXT_FILE);
  await checkStylesheet(given, source);
  const text = typeof source === "string" ? source : decodeXmlOrUtf8(source);
  try {
    const document = await readTrialSource(deps, on, signal);
    const compared = await compareResults(deps, { ...document, signal, instead: { path, text } });
    return { source: toShown(document.erp), ...compared };
  } catch (error) {
    if (gone.aborted || !deadline.aborted) throw error;
    throw new AppError("refused", say`The trial took more than ${MAX_MS / 1000} s`);
  }
}

async function compareResults(
  deps: TryStylesheetDeps,
  { instead, ...job }: Omit<Parameters<typeof readResult>[1], "by"> & {
    readonly instead: { readonly path: ConfinedPath; readonly text: string };
  },
): Promise<Omit<Trial, "source">> {
  const { path } = instead;
  const sheet = await resolveStylesheet(deps, job.template);
  const isUsed = await isPartOf(deps, { sheet, path, signal: job.signal });
  const by = { stylesheet: isUsed ? sheet : path, instead };
  const tried = await readResult(deps, { ...job, by });
  const current = await readResult(deps, { ...job, by: { stylesheet: sheet } });
  const diff = tried.ubl === null || current.ubl === null
    ? null
    : unifiedDiff(inLines(current.ubl), inLines(tried.ubl), `${formatInvoiceKey(job.key)}.xml`);
  return { tried, current, diff };
}

/** Returns a document, or null when it is too long to be shown. */
function toShown(xml: string): string | null {
  return xml.length > MAX_SHOWN ? null : xml;
}

async function readResult(
  deps: TryStylesheetDeps,
  { erp, template, key, signal, by }: {
    readonly erp: string;
    readonly template: Template;
    readonly key: InvoiceKey;
    readonly signal: AbortSignal;
    readonly by: Pick<TransformInput, "stylesheet" | "instead">;
  },
): Promise<Result> {
  try {
    const made = await transformPiece(deps, { erp, template, signal, by });
    // The dates of other companies' invoices stay out of reach, whatever key the stylesheet writes.
    const produced = await dateFromRecords(deps, { template, produced: { ...made, key } });
    return { ...await validateProduced(deps, { produced, template, signal }), failure: undefined };
  } catch (error) {
    const failure = transformFailure(error);
    if (!failure) throw error;
    return { ubl: null, validation: undefined, failure: toFailure(failure, toReason(error)) };
  }
}

function toFailure({ file, line, element }: TransformFailure, message: Text): Failure {
  return { message, file, line, element: element ?? null };
}

async function validateProduced(
  deps: TryStylesheetDeps,
  { produced, template, signal }: {
    readonly produced: Produced;
    readonly template: Template;
    readonly signal: AbortSignal;
  },
): Promise<Pick<Result, "ubl" | "validation">> {
  const { ubl, sourceFields } = produced;
  const validation = await validateDocument(deps, ubl, {
    direction: readDirection(template),
    ruleSets: readRuleSets(template),
    sourceFields,
    signal,
  });
  return { ubl: toShown(ubl), validation };
}

/** Writes one element per line, so that differences are short. */
function inLines(xml: string): string {
  return `${xml.replace(/></g, ">\n<")}\n`;
}
