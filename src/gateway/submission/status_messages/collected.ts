import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isSample } from "#src/domain/invoice/sample.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import { isCollectedByHand } from "#src/domain/invoice/status_transition.ts";
import {
  computeCollectable,
  computeOpen,
  findExcess,
  proposeRest,
} from "#src/domain/invoice/collectable.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";
import { statusContext } from "#src/domain/treatment/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import {
  findInvoice,
  findInvoiceXml,
  type InvoiceRow,
  paymentsIn,
  readEvents,
} from "#src/gateway/invoices/mod.ts";
import { readContent } from "#src/gateway/validation/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { listMessages } from "./store.ts";

/**
 * Throws `refused` when the amounts collected (212) exceed the invoice, or take back more than was reported. An excess
 * is allowed with `confirm`. The invoice's row must be locked, so that concurrent calls count each other's amounts.
 */
export async function checkCollected(
  tx: Db,
  invoice: InvoiceRow,
  { amounts, ubl, confirm }: {
    amounts: readonly RateAmount[];
    ubl: InvoiceDocument;
    confirm: boolean;
  },
): Promise<void> {
  const reported = await readReported(tx, invoice);
  const excess = findExcess(amounts, { reported, collectable: computeCollectable(ubl) });
  if (!excess || (excess.confirmable && confirm)) return;
  const { flaw: { code, fr, en }, confirmable } = excess;
  throw new AppError(code, say`${{ fr, en }}`, { details: { confirmable } });
}

/** Returns the amounts collected that were reported, or are being sent. Some are only recorded, and never sent. */
async function readReported(db: Db, invoice: InvoiceRow): Promise<RateAmount[]> {
  if (isSample(invoice) || isCollectedByHand(invoice.status, statusContext(invoice))) {
    return (await readEvents(db, invoice.id))
      .filter((it) => it.statusCode === STATUS.paymentReceived)
      .flatMap((it) => [...paymentsIn(it.data)]);
  }
  return (await listMessages(db, invoice.id))
    .filter((it) => it.statusCode === STATUS.paymentReceived && it.state !== "refused")
    .flatMap((it) => [...paymentsIn(it.content)]);
}

/**
 * Returns the amounts left to collect, by VAT rate. Throws `refused` if nothing is left. `tellPa` checks the amounts again
 * while it holds the invoice.
 */
export async function readRest(
  deps: Pick<Deps, "db" | "rules">,
  key: InvoiceKey,
): Promise<RateAmount[]> {
  const name = formatInvoiceKey(key);
  const invoice = await findInvoice(deps.db, key);
  if (!invoice) throw notFound("Invoice", name);
  const document = await findInvoiceXml(deps.db, invoice.id);
  const { invoice: ubl } = document ? await readContent(deps, document.content) : {};
  if (!ubl) throw new AppError("refused", say`The document of invoice ${name} cannot be read`);
  const reported = await readReported(deps.db, invoice);
  const rest = proposeRest(computeCollectable(ubl), { reported, open: computeOpen(invoice) });
  if (rest.length) return rest;
  throw new AppError("refused", say`Nothing is left to collect of invoice ${name}`);
}
