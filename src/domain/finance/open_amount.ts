import { UNCOUNTED_STATUSES } from "./counted.ts";
import type { RateAmount } from "#src/domain/invoice/collected_amounts.ts";
import { STATUS } from "#src/domain/invoice/status.ts";
import type { Role } from "#src/domain/treatment/mod.ts";
import { type Decimal, parseDecimal, sum } from "#src/kernel/decimal.ts";

/** Statuses that settle a sale: the payment was received. */
const COLLECTED = [STATUS.paymentReceived];
/** Statuses that settle a purchase: we paid, or the supplier received the payment. */
const PAID = [STATUS.paymentSent, STATUS.paymentReceived];

/** Returns the statuses that settle an invoice completely, unless an event states a partial amount. */
export function settledStatuses(role: Role): readonly string[] {
  return role === "seller" ? COLLECTED : PAID;
}

/** Returns the status whose amounts reduce the open amount: collected for a sale, paid for a purchase. */
export function settlingStatus(role: Role): string {
  return role === "seller" ? STATUS.paymentReceived : STATUS.paymentSent;
}

/** Amount that the database can store. Amounts of a PA are as it wrote them. */
const STORABLE = /^-?\d{1,15}(?:\.\d{1,6})?$/;

/** Returns the sum of the amounts in a currency; undefined without any. */
export function sumAmounts(
  amounts: readonly RateAmount[],
  currency: string | null,
): Decimal | undefined {
  const own = amounts.filter((it) => it.currency === currency && STORABLE.test(it.amount))
    .flatMap((it) => parseDecimal(it.amount) ?? []);
  return own.length ? sum(own) : undefined;
}

/** Invoice whose open amount is shown or summed. */
interface Settled {
  readonly role: Role;
  readonly status: string;
  readonly treatment: string | null;
  /** Sum of the payments that state an amount; null without any. */
  readonly settledAmount: number | null;
}

/** Returns true for an invoice that may have an open amount: it counts, and is not settled or only in part. */
export function mayBeOpen({ role, status, treatment, settledAmount }: Settled): boolean {
  if (UNCOUNTED_STATUSES.includes(status) || treatment === "ARCHIVEONLY") return false;
  return settledAmount !== null || !settledStatuses(role).includes(status);
}
