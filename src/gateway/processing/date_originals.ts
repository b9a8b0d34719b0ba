import type { Deps } from "#src/deps.ts";
import { readDirection } from "#src/domain/template/document_settings.ts";
import type { Template } from "#src/domain/template/template.ts";
import {
  originalsWithoutDate,
  type Produced,
  readNumberAndDate,
  withIssueDates,
} from "#src/gateway/documents/mod.ts";
import { findIssueDates } from "#src/gateway/invoices/mod.ts";
import { itemsOfDocs } from "#src/gateway/runs/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { type ItemContext, produceItem } from "./validate_item.ts";

/**
 * Writes the issue dates (BT-26) of the invoices that an ERP document corrects. Looks in the same file first, then in
 * the company's recorded invoices. Throws the refusal of a transform when the original is missing in both.
 */
export async function dateOriginals(
  deps: Deps,
  context: ItemContext,
  { own, produced }: { readonly own: Produced; readonly produced: readonly Produced[] },
): Promise<Produced> {
  const numbers = wantedBy(own);
  if (numbers.length === 0) return own;
  const dates = datesIn(own, produced);
  const known = await recordedDates(deps, { numbers, produced: own, template: context.template });
  for (const number of numbers) {
    const date = dates.get(number) ?? await dateInFile(deps, context, { own, number }) ??
      known.get(number);
    if (date !== undefined) dates.set(number, date);
  }
  return withIssueDates(own, dates);
}

/** Does the same for a document without a run: its original is among the recorded invoices, or unknown. */
export async function dateFromRecords(
  deps: Pick<Deps, "db">,
  { template, produced }: { readonly template: Template; readonly produced: Produced },
): Promise<Produced> {
  const numbers = wantedBy(produced);
  if (numbers.length === 0) return produced;
  return withIssueDates(produced, await recordedDates(deps, { numbers, produced, template }));
}

function wantedBy(produced: Produced): string[] {
  return produced.erp === undefined ? [] : originalsWithoutDate(produced);
}

async function recordedDates(
  { db }: Pick<Deps, "db">,
  { numbers, produced, template }: {
    readonly numbers: readonly string[];
    readonly produced: Produced;
    readonly template: Template | undefined;
  },
): Promise<Map<string, string>> {
  const kco = produced.key?.kco;
  if (kco === undefined) return new Map();
  return await findIssueDates(db, { kco, numbers, direction: readDirection(template) });
}

/** The issue dates of the documents of one company, by number. */
function datesIn(own: Produced, produced: readonly Produced[]): Map<string, string> {
  const dates = new Map<string, string>();
  for (const { key, ubl } of produced) {
    if (key === undefined || key.kco !== own.key?.kco) continue;
    const found = readNumberAndDate(ubl);
    if (found) dates.set(found.number, found.date);
  }
  return dates;
}

/** Transforms the original, which lies elsewhere in the file of the run, for its issue date. */
async function dateInFile(
  deps: Deps,
  context: ItemContext,
  { own, number }: { readonly own: Produced; readonly number: string },
): Promise<string | undefined> {
  const docs = [number, number.replace(/^[^-]*-/, ""), number.replace(/^.*-/, "")];
  for (const item of await itemsOfDocs(deps.db, { runId: context.run.id, docs })) {
    if (item.index === context.item.index) continue;
    const { bytes: _, ...place } = context;
    const original = await produceItem(deps, { ...place, item }).catch(unlessRefused);
    const date = original && datesIn(own, [original]).get(number);
    if (date !== undefined) return date;
  }
  return undefined;
}

/** An original that cannot be transformed has no date. */
function unlessRefused(error: unknown): undefined {
  if (error instanceof AppError && error.code !== "unavailable") return undefined;
  throw error;
}
