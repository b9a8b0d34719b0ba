import type { Deps } from "#src/deps.ts";
import { amountsFlaw, type RateAmount } from "#src/domain/invoice/collected_amounts.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { STATUS, storedCode } from "#src/domain/invoice/status.ts";
import { isCollectedByHand } from "#src/domain/invoice/status_transition.ts";
import { statusContext } from "#src/domain/treatment/mod.ts";
import {
  findInvoice,
  type InvoiceRow,
  lockInvoice,
  recordStatus,
} from "#src/gateway/invoices/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { checkCollected } from "./collected.ts";
import { getTime, readPayable, refuse } from "./tell.ts";

/** Payment of a sale that its PA does not take. */
interface Payment {
  readonly key: InvoiceKey;
  readonly code: string;
  readonly reason: string;
  readonly amounts: readonly RateAmount[];
  /** When the payment arrived, `yyyy-MM-ddTHH:mm:ss`, UTC; default now. */
  readonly statusAt?: string | undefined;
  /** The caller means amounts above the limit of the invoice. */
  readonly confirm: boolean;
  readonly user: string;
  /** Throws if the history changed since the person read it. */
  readonly check?: (tx: Db, invoice: InvoiceRow) => Promise<void>;
}

/**
 * Records a payment of a sale whose payments the PA does not take; negative amounts take one back. Nothing is sent. Throws
 * `refused` for other invoices, and for amounts that do not fit this one. Resolves to the status before.
 */
export async function recordPayment(
  deps: Pick<Deps, "clock" | "db" | "live" | "notifier" | "rules">,
  { key, code, reason, user, check, ...payment }: Payment,
): Promise<{ status: string }> {
  if (storedCode(code) !== STATUS.paymentReceived) {
    throw new AppError("invalid", say`Only status 212 takes a payment, not ${code}`);
  }
  const seen = requireByHand(await findInvoice(deps.db, key), key);
  const { amounts, confirm } = payment;
  refuse(amountsFlaw(amounts));
  // An advance arrives before its invoice is issued.
  const at = new Date(`${getTime(deps, payment, { ...seen, issueDate: null, createdAt: FIRST })}Z`);
  const ubl = await readPayable(deps, seen, amounts);
  return await deps.db.transaction(async (tx) => {
    const invoice = requireByHand(await lockInvoice(tx, key), key);
    await check?.(tx, invoice);
    await checkCollected(tx, invoice, { amounts, ubl, confirm });
    const event = { code, at, source: `operator:${user}`, message: reason, data: { amounts } };
    await recordStatus(deps, tx, { invoice, event });
    return { status: invoice.status };
  });
}

const FIRST = new Date("2000-01-01T00:00:00Z");

function requireByHand(invoice: InvoiceRow | undefined, key: InvoiceKey): InvoiceRow {
  const name = formatInvoiceKey(key);
  if (!invoice) throw notFound("Invoice", name);
  if (isCollectedByHand(invoice.status, statusContext(invoice))) return invoice;
  throw new AppError(
    "refused",
    say`The PA may take the payments of invoice ${name}: report them with target pa`,
  );
}
