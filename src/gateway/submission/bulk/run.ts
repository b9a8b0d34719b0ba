import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { isUnanswered, STATUS } from "#src/domain/invoice/status.ts";
import { isCollectedByHand } from "#src/domain/invoice/status_transition.ts";
import { statusContext } from "#src/domain/treatment/mod.ts";
import { findInvoice } from "#src/gateway/invoices/mod.ts";
import { AppError } from "#src/kernel/errors.ts";
import { say, translate } from "#src/kernel/i18n/sentence.ts";
import type { Language } from "#src/kernel/language.ts";
import { recordAudit } from "#src/platform/audit/mod.ts";
import type { Actor } from "#src/ports/access.ts";
import { resend } from "../sending/resend.ts";
import { readRest } from "../status_messages/collected.ts";
import { recordPayment } from "../status_messages/record_payment.ts";
import { tellPa } from "../status_messages/tell.ts";

interface Caller {
  readonly actor: Actor;
  readonly language: Language;
}
interface Result {
  readonly id: string;
  readonly success: boolean;
  readonly uuid: string | null;
  readonly error: string | null;
}

/** Sends invoices again, each in its own transaction, and records each in the audit trail. */
export function resendAll(
  deps: Deps,
  keys: readonly InvoiceKey[],
  caller: Caller,
): Promise<Result[]> {
  const { actor } = caller;
  return runAll(keys, caller, async (key) => {
    const { id, before } = await resend(deps, key, { user: actor.username });
    await recordAudit(deps, {
      actor,
      event: "invoice.resent",
      target: formatInvoiceKey(key),
      before,
      after: { submission: { id } },
    });
    return id;
  });
}

/** Sends a status for each of the invoices. A collected invoice reports the amounts that are left of it. */
export function tellAll(
  deps: Deps,
  { keys, name, statusAt }: {
    keys: readonly InvoiceKey[];
    name: "APPROVED" | "PAYMENT_RECEIVED";
    statusAt?: string | undefined;
  },
  caller: Caller,
): Promise<Result[]> {
  const { actor } = caller;
  return runAll(keys, caller, async (key) => {
    if (name === "APPROVED") await requireUnanswered(deps, key);
    const amounts = name === "PAYMENT_RECEIVED" ? await readRest(deps, key) : [];
    const user = actor.username;
    const asked = { key, reason: "", amounts, confirm: false, statusAt, user };
    const audit = (before: { status: string }, after: Record<string, unknown>) =>
      recordAudit(deps, {
        actor,
        event: "invoice.status_set",
        target: formatInvoiceKey(key),
        before,
        after,
      });
    if (name === "PAYMENT_RECEIVED" && await isByHand(deps, key)) {
      const code = STATUS.paymentReceived;
      await audit(await recordPayment(deps, { ...asked, code }), {
        target: "db",
        code,
        payment: { amounts },
      });
      return null;
    }
    const { id, before } = await tellPa(deps, { ...asked, name });
    await audit(before, { target: "pa", name, data: { amounts } });
    return id;
  });
}

async function isByHand({ db }: Deps, key: InvoiceKey): Promise<boolean> {
  const invoice = await findInvoice(db, key);
  return invoice !== undefined && isCollectedByHand(invoice.status, statusContext(invoice));
}

/** Refuses an approval that nobody waits for, so that a repeated call approves nothing twice. */
async function requireUnanswered({ db }: Deps, key: InvoiceKey): Promise<void> {
  const invoice = await findInvoice(db, key);
  if (!invoice || invoice.direction === "issued" || isUnanswered(invoice.status)) return;
  throw new AppError(
    "conflict",
    say`Invoice ${formatInvoiceKey(key)} does not wait for an answer (status ${invoice.status})`,
  );
}

/** A refused invoice does not stop the others. Other failures do: the caller repeats the call. */
async function runAll(
  keys: readonly InvoiceKey[],
  { language }: Caller,
  run: (key: InvoiceKey) => Promise<string | null>,
): Promise<Result[]> {
  const byId = new Map(keys.map((it) => [formatInvoiceKey(it), it]));
  const results: Result[] = [];
  for (const [id, key] of byId) {
    try {
      results.push({ id, success: true, uuid: await run(key), error: null });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      const sentence = translate(error.sentence, language);
      results.push({ id, success: false, uuid: null, error: sentence });
    }
  }
  return results;
}
