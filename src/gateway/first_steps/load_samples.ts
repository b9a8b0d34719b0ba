import type { Deps } from "#src/deps.ts";
import { shiftDay } from "#src/domain/finance/mod.ts";
import { SAMPLE_COMPANY } from "#src/domain/invoice/sample.ts";
import {
  backdateInvoices,
  hasRealInvoice,
  type InvoiceRecord,
  lockInvoicesById,
  lockSamples,
  type Recorded,
  recordInvoices,
  recordStatuses,
  type StatusChange,
} from "#src/gateway/invoices/mod.ts";
import { parseContent, validateDocument } from "#src/gateway/validation/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Db } from "#src/ports/db.ts";
import { countSamples } from "./views.ts";
import { describeSamples, type SampleInvoice, type SampleStep } from "./stories.ts";
import { computeTotal, type SampleDates, writeCents, writeSample } from "./write_sample.ts";

type LoadDeps = Pick<Deps, "clock" | "db" | "live" | "notifier" | "rules" | "xsd">;

interface Draft {
  readonly sample: SampleInvoice;
  readonly dates: SampleDates;
  readonly recording: InvoiceRecord;
}

const HOUR_MS = 3_600_000;

/** Hours from the import of an invoice to each status. */
const HOURS_TO: Readonly<Record<string, number>> = {
  "10": 0.1,
  "202": 0.5,
  "203": 2,
  "204": 26,
  "205": 74,
  "207": 74,
  "209": 98,
  "210": 74,
  "211": 500,
  "212": 600,
  "213": 1,
};

/**
 * Records the sample invoices in one transaction. While they are loaded, a second call changes nothing. Throws
 * `conflict` if the installation has other invoices. Resolves to the number of sample invoices.
 */
export async function loadSamples(deps: LoadDeps): Promise<number> {
  const drafts = await writeDrafts(deps);
  return await deps.db.transaction(async (tx) => {
    await lockSamples(tx);
    if (await hasRealInvoice(tx)) throw hasInvoices();
    const loaded = await countSamples(tx);
    if (loaded) return loaded;
    for (const day of new Set(drafts.map((it) => it.dates.issued).toSorted())) {
      await recordDay(deps, tx, drafts.filter((it) => it.dates.issued === day));
    }
    return drafts.length;
  });
}

function hasInvoices(): AppError {
  return new AppError(
    "conflict",
    say`This installation has invoices already: sample data would mix with them`,
  );
}

async function writeDrafts(deps: LoadDeps): Promise<Draft[]> {
  const today = deps.clock.now().toISOString().slice(0, 10);
  const samples = describeSamples().map((sample, at) => ({
    sample,
    ...datesOf(sample, at, today),
  }));
  return await Promise.all(samples.map(async ({ sample, ...dates }) => {
    const preceding = sample.credits
      ? samples.find((it) => it.sample.partner === sample.partner)
      : undefined;
    const all = { ...dates, preceding };
    const text = writeSample(sample, all);
    return { sample, dates: all, recording: await toRecord(deps, { sample, dates: all, text }) };
  }));
}

function datesOf({ direction, daysAgo, dueInDays }: SampleInvoice, at: number, today: string) {
  const issued = shiftDay(today, -daysAgo);
  const name = direction === "issued" ? "EXEMPLE" : "ACHAT";
  return {
    number: `${name}-${String(at + 1).padStart(3, "0")}`,
    issued,
    due: shiftDay(issued, dueInDays),
  };
}

async function toRecord(
  deps: LoadDeps,
  { sample, dates, text }: Omit<Draft, "recording"> & { readonly text: string },
): Promise<InvoiceRecord> {
  const isIssued = sample.direction === "issued";
  return {
    key: { doc: dates.number, dct: isIssued ? "RI" : "PV", kco: SAMPLE_COMPANY },
    direction: sample.direction,
    invoice: parseContent(text).invoice,
    document: { text, sha256: computeSha256(text) },
    // The rules accept the others; a test proves it, so that loading takes no minute.
    findings: sample.isWrong ? (await validateDocument(deps, text)).findings : [],
    isSample: true,
  };
}

/** Records the invoices of one day as if it were that day, then the steps of their lives. */
async function recordDay(deps: LoadDeps, tx: Db, drafts: readonly Draft[]): Promise<void> {
  const morning = Date.parse(`${drafts[0]?.dates.issued}T06:00:00Z`);
  const at = new Date(Math.min(morning, deps.clock.now().getTime()));
  const clock = { now: () => at };
  const recorded = await recordInvoices({ ...deps, clock }, tx, drafts.map((it) => it.recording));
  const ids = recorded.flatMap((it) => "existing" in it ? [] : [it.id]);
  // A status before the import would give negative delays.
  await backdateInvoices(tx, ids, at);
  const rows = await lockInvoicesById(tx, ids);
  const changes = drafts.flatMap(({ sample }, index): StatusChange[] => {
    const row = rows.get((recorded[index] as Recorded).id);
    if (!row) return [];
    const now = deps.clock.now().getTime();
    return sample.steps.map((step, n) => ({
      invoice: row,
      event: {
        code: step.code,
        at: new Date(Math.min(at.getTime() + (HOURS_TO[step.code] ?? 1) * HOUR_MS, now + n)),
        source: "pa",
        message: step.message,
        reasonCode: step.reason,
        data: paymentOf(sample, step),
      },
    }));
  });
  await recordStatuses(deps, tx, changes);
}

function paymentOf(sample: SampleInvoice, { paid }: SampleStep) {
  if (paid === undefined) return undefined;
  const cents = Math.round(computeTotal(sample) * paid / 100);
  const amount = { amount: writeCents(cents), currency: "EUR", rate: String(sample.rate / 10) };
  return { amounts: [amount] };
}
