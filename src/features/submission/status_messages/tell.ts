import { createHash } from "node:crypto";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { actionOf, ACTIONS } from "#src/domain/invoice/actions.ts";
import { reasonOf } from "#src/domain/invoice/reasons.ts";
import { PA_STATUS_NAMES, statusByPaName } from "#src/domain/invoice/status.ts";
import type { StatusDefinition } from "#src/domain/invoice/status_catalogue.ts";
import {
  amountsMisfit,
  type InvoiceMoney,
  type RateAmount,
} from "#src/domain/invoice/collected_amounts.ts";
import type { Flaw } from "#src/domain/invoice/flaw.ts";
import { statusTimeFlaw } from "#src/domain/invoice/status_time.ts";
import { checkTransition, type TransitionInput } from "#src/domain/invoice/status_transition.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { recordEvidence } from "#src/features/evidence/mod.ts";
import {
  findInvoice,
  findInvoiceXml,
  type InvoiceRow,
  lockInvoice,
} from "#src/features/invoices/mod.ts";
import { readContent, validateDocument } from "#src/features/validation/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { checkCurrent } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/sentences/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { cdarOf, type StatusContent } from "./cdar.ts";
import { insertMessage, messagesOf, tagOfMessages } from "./store.ts";
import { statusTask } from "../tasks.ts";

/** What a party wants to tell about an invoice. */
interface StatusToPa {
  readonly key: InvoiceKey;
  /** `APPROVED`, `REFUSED`, … */
  readonly name: string;
  /** A reason code, or a sentence. */
  readonly reason: string;
  readonly comment?: string | undefined;
  /** A code of what is asked of the other party. */
  readonly action?: string | undefined;
  readonly amounts: readonly RateAmount[];
  /** When the status became true, `yyyy-MM-ddTHH:mm:ss`, UTC; default now. */
  readonly statusAt?: string | undefined;
  /** The tag of the messages that whoever tells it has seen; absent: whatever was told meanwhile. */
  readonly ifMatch?: string | undefined;
  readonly user: string;
}

interface StatusMessage {
  readonly id: string;
  readonly before: { readonly status: string };
}

type Needs = Pick<Deps, "clock" | "crash" | "db" | "rules" | "tasks" | "xsd">;

/**
 * Tells the PA a status: checked against the invoice's present one, written as a lifecycle message that obeys the
 * schema and BR-FR-CDV, then committed as an intent that a worker sends. The stored status moves when the PA has
 * taken the message. Resolves to its tracking id, and to the status before.
 */
export async function tellPa(deps: Needs, asked: StatusToPa): Promise<StatusMessage> {
  const status = statusByPaName(asked.name);
  if (!status) {
    throw new AppError(
      "invalid",
      say`Status name ${asked.name} is unknown; there are ${PA_STATUS_NAMES.join(", ")}`,
    );
  }
  const invoice = await findInvoice(deps.db, asked.key);
  if (!invoice) throw notFound("Invoice", formatInvoiceKey(asked.key));
  const content = contentOf(asked);
  requireAllowed(invoice, status, content);
  const at = timeOf(deps, asked, invoice);
  const payload = await messageOf(deps, { invoice, status, content, at });
  return await commit(deps, { asked, status, content, at, payload });
}

/** Throws AppError `stale` where something was told since `ifMatch` was the tag of what was. */
export async function checkToldOf(
  tx: Db,
  invoice: InvoiceRow,
  ifMatch: string | undefined,
): Promise<void> {
  checkCurrent(ifMatch, {
    current: tagOfMessages(await messagesOf(tx, invoice.id)),
    what: say`What was told of invoice ${formatInvoiceKey(invoice)}`,
  });
}

function timeOf({ clock }: Needs, { statusAt }: StatusToPa, invoice: InvoiceRow): string {
  const now = clock.now();
  if (statusAt === undefined) return now.toISOString().slice(0, 19);
  const { issueDate, createdAt: recordedAt } = invoice;
  refuse(statusTimeFlaw(statusAt, { now, issueDate: issueDate ?? undefined, recordedAt }));
  return statusAt;
}

function refuse(flaw: Flaw | undefined): void {
  if (flaw) {
    throw new AppError(flaw.code, say`${flaw}`);
  }
}

/** A reason is a code where it is or could be one; a sentence is the comment. */
function contentOf({ reason, comment, action, amounts }: StatusToPa): StatusContent {
  const text = reason.trim();
  const isCode = reasonOf(text) !== undefined || /^[A-Z0-9_]{3,}$/.test(text);
  if (action !== undefined && !actionOf(action)) {
    throw new AppError(
      "invalid",
      say`Action ${action} is unknown; there are ${ACTIONS.map((it) => it.code).join(", ")}`,
    );
  }
  const sentence = comment?.trim() || (isCode ? undefined : text);
  return {
    reason: isCode ? text : undefined,
    comment: sentence || undefined,
    action: action?.trim(),
    amounts,
  };
}

function requireAllowed(
  { status: current, direction }: InvoiceRow,
  status: StatusDefinition,
  content: StatusContent,
): void {
  const input: TransitionInput = {
    ...content,
    direction: direction === "issued" ? "Issued" : "Received",
  };
  const verdict = checkTransition(current, status.code, input);
  if (!verdict.ok) {
    throw new AppError(verdict.code, say`${verdict}`);
  }
}

async function messageOf(
  deps: Needs,
  { invoice, status, content, at }: {
    invoice: InvoiceRow;
    status: StatusDefinition;
    content: StatusContent;
    at: string;
  },
): Promise<string> {
  const name = formatInvoiceKey(invoice);
  const document = await findInvoiceXml(deps.db, invoice.id);
  if (!document) throw new AppError("refused", say`Invoice ${name} has no stored document`);
  const { invoice: ubl } = await readContent(deps, document.content);
  if (!ubl) throw new AppError("refused", say`The document of invoice ${name} cannot be read`);
  refuse(amountsMisfit(content.amounts, moneyOf(ubl)));
  const message = cdarOf(ubl, {
    direction: invoice.direction,
    status,
    content,
    at,
    now: deps.clock.now().toISOString(),
  });
  const { findings } = await validateDocument(deps, message);
  const fatal = findings.filter((it) => it.level === "FATAL");
  if (!fatal.length) return message;
  const why = fatal.slice(0, 5).map((it) =>
    say`${it.rule} ${{ fr: it.messageFr, en: it.messageEn }}`
  );
  throw new AppError(
    "refused",
    say`Status ${status.code} of invoice ${name} makes no valid lifecycle message: ${why}`,
    {
      details: {
        findings: fatal.map(({ rule, messageFr, messageEn, location }) => ({
          rule,
          message: say`${{ fr: messageFr, en: messageEn }}`,
          messageFr,
          messageEn,
          location,
        })),
      },
    },
  );
}

function moneyOf({ currency, taxCurrency, vatBreakdown }: InvoiceDocument): InvoiceMoney {
  return {
    currencies: [...new Set([currency, taxCurrency].flatMap((it) => it ?? []))],
    rates: [...new Set(vatBreakdown.map(({ vat }) => vat.rate ?? "0"))],
  };
}

function commit(
  deps: Needs,
  { asked, status, content, at, payload }: {
    asked: StatusToPa;
    status: StatusDefinition;
    content: StatusContent;
    at: string;
    payload: string;
  },
): Promise<StatusMessage> {
  const id = crypto.randomUUID();
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, asked.key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(asked.key));
    requireAllowed(invoice, status, content); // it may have moved while the message was written
    await checkToldOf(tx, invoice, asked.ifMatch);
    const isNew = await insertMessage(tx, {
      id,
      invoiceId: invoice.id,
      statusCode: status.code,
      state: "intent",
      payload,
      payloadSha256: createHash("sha256").update(payload).digest("hex"),
      content: { ...content },
      occurredAt: new Date(`${at}Z`),
      createdBy: asked.user,
    });
    if (!isNew) {
      throw new AppError(
        "conflict",
        say`Another status of invoice ${formatInvoiceKey(asked.key)} is on its way to the PA`,
      );
    }
    await recordEvidence(tx, {
      invoiceId: invoice.id,
      kind: "status-sent",
      content: payload,
      meta: { trackingId: id, status: status.code, user: asked.user },
    });
    await deps.tasks.enqueue(tx, statusTask, { messageId: id });
    deps.crash("status.beforeCommit");
    return { id, before: { status: invoice.status } };
  });
}
