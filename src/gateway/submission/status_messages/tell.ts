import { computeSha256 } from "#src/kernel/sha256.ts";
import type { Deps } from "#src/deps.ts";
import { formatInvoiceKey, type InvoiceKey } from "#src/domain/invoice/key.ts";
import { ACTIONS, findAction } from "#src/domain/invoice/actions.ts";
import { findReason } from "#src/domain/invoice/reasons.ts";
import { isSample } from "#src/domain/invoice/sample.ts";
import { PA_STATUS_NAMES, STATUS, statusByPaName } from "#src/domain/invoice/status.ts";
import type { StatusDefinition } from "#src/domain/invoice/status_catalogue.ts";
import {
  amountsMisfit,
  type InvoiceMoney,
  type RateAmount,
} from "#src/domain/invoice/collected_amounts.ts";
import type { Flaw } from "#src/domain/invoice/flaw.ts";
import { statusTimeFlaw } from "#src/domain/invoice/status_time.ts";
import { checkTransition, type TransitionInput } from "#src/domain/invoice/status_transition.ts";
import { businessProcess, ourRole, statusContext } from "#src/domain/treatment/mod.ts";
import type { InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { recordEvidence } from "#src/gateway/evidence/mod.ts";
import {
  findInvoice,
  findInvoiceXml,
  type InvoiceRow,
  lockInvoice,
  recordStatus,
} from "#src/gateway/invoices/mod.ts";
import { readContent, validateDocument } from "#src/gateway/validation/mod.ts";
import { AppError, notFound } from "#src/kernel/errors.ts";
import { checkCurrent } from "#src/kernel/etag.ts";
import { say } from "#src/kernel/i18n/sentence.ts";
import type { Db } from "#src/ports/db.ts";
import { type StatusContent, writeCdar } from "./cdar.ts";
import { checkCollected } from "./collected.ts";
import { insertMessage, listMessages, tagOfMessages } from "./store.ts";
import { statusTask } from "../tasks.ts";

/** Status that a party sends about an invoice. */
interface StatusToPa {
  readonly key: InvoiceKey;
  /** `APPROVED`, `REFUSED`, … */
  readonly name: string;
  /** A reason code, or a sentence. */
  readonly reason: string;
  readonly comment?: string | undefined;
  /** Code of the action requested from the other party. */
  readonly action?: string | undefined;
  readonly amounts: readonly RateAmount[];
  /** The caller means amounts above the limit of the invoice. */
  readonly confirm: boolean;
  /** When the status became true, `yyyy-MM-ddTHH:mm:ss`, UTC; default now. */
  readonly statusAt?: string | undefined;
  /** Tag of the messages that the caller has seen. Absent means that newer messages do not matter. */
  readonly ifMatch?: string | undefined;
  readonly user: string;
}

interface StatusMessage {
  readonly id: string;
  readonly before: { readonly status: string };
}

type TellDeps = Pick<
  Deps,
  "clock" | "crash" | "db" | "live" | "notifier" | "rules" | "tasks" | "xsd"
>;

/**
 * Sends a status to the PA. Validates it against the invoice's current status and writes a lifecycle message valid by
 * schema and BR-FR-CDV. Commits the message as an intent that a worker sends. The stored status changes when the PA has
 * accepted the message; the one of sample data changes at once, and nothing is sent. Resolves to the tracking id, and to the status before.
 */
export async function tellPa(deps: TellDeps, asked: StatusToPa): Promise<StatusMessage> {
  const status = statusByPaName(asked.name);
  if (!status) {
    throw new AppError(
      "invalid",
      say`Status name ${asked.name} is unknown; there are ${PA_STATUS_NAMES.join(", ")}`,
    );
  }
  const invoice = await findInvoice(deps.db, asked.key);
  if (!invoice) throw notFound("Invoice", formatInvoiceKey(asked.key));
  const content = getContent(asked);
  requireAllowed(invoice, status, content);
  const at = getTime(deps, asked, invoice);
  const { payload, ubl } = await readMessage(deps, { invoice, status, content, at });
  return await commit(deps, { asked, status, content, at, payload, ubl });
}

/** Throws AppError `stale` when a message was sent after the one `ifMatch` stands for. */
export async function checkMatch(
  tx: Db,
  invoice: InvoiceRow,
  ifMatch: string | undefined,
): Promise<void> {
  checkCurrent(ifMatch, {
    current: tagOfMessages(await listMessages(tx, invoice.id)),
    what: say`The status history of invoice ${formatInvoiceKey(invoice)}`,
  });
}

/** Returns the time of a status, `yyyy-MM-ddTHH:mm:ss` in UTC. Throws for a time that the invoice cannot have. */
export function getTime(
  { clock }: Pick<Deps, "clock">,
  { statusAt }: Pick<StatusToPa, "statusAt">,
  invoice: InvoiceRow,
): string {
  const now = clock.now();
  if (statusAt === undefined) return now.toISOString().slice(0, 19);
  const { issueDate, createdAt: recordedAt } = invoice;
  refuse(statusTimeFlaw(statusAt, { now, issueDate: issueDate ?? undefined, recordedAt }));
  return statusAt;
}

/** Throws the error of a flaw, if there is one. */
export function refuse(flaw: Flaw | undefined): void {
  if (flaw) {
    throw new AppError(flaw.code, say`${flaw}`);
  }
}

/** Treats a reason in the form of a code as a code, and a sentence as the comment. */
function getContent({ reason, comment, action, amounts }: StatusToPa): StatusContent {
  const text = reason.trim();
  const isCode = findReason(text) !== undefined || /^[A-Z0-9_]{3,}$/.test(text);
  if (action !== undefined && !findAction(action)) {
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
  invoice: InvoiceRow,
  status: StatusDefinition,
  content: StatusContent,
): void {
  const input: TransitionInput = {
    ...content,
    direction: invoice.direction === "issued" ? "Issued" : "Received",
    context: statusContext(invoice),
  };
  const verdict = checkTransition(invoice.status, status.code, input);
  if (!verdict.ok) {
    throw new AppError(verdict.code, say`${verdict}`);
  }
}

async function readMessage(
  deps: TellDeps,
  { invoice, status, content, at }: {
    invoice: InvoiceRow;
    status: StatusDefinition;
    content: StatusContent;
    at: string;
  },
): Promise<{ payload: string; ubl: InvoiceDocument }> {
  const name = formatInvoiceKey(invoice);
  const ubl = await readPayable(deps, invoice, content.amounts);
  const message = writeCdar(ubl, {
    role: ourRole(invoice),
    process: businessProcess(invoice.treatment, invoice.paRule),
    status,
    content,
    at,
    now: deps.clock.now().toISOString(),
  });
  const { findings } = await validateDocument(deps, message);
  const fatal = findings.filter((it) => it.level === "FATAL");
  if (!fatal.length) return { payload: message, ubl };
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

/** Reads the document of an invoice. Throws `refused` when these amounts do not fit its rates and currencies. */
export async function readPayable(
  deps: Pick<Deps, "db" | "rules">,
  invoice: InvoiceRow,
  amounts: readonly RateAmount[],
): Promise<InvoiceDocument> {
  const name = formatInvoiceKey(invoice);
  const document = await findInvoiceXml(deps.db, invoice.id);
  if (!document) throw new AppError("refused", say`Invoice ${name} has no stored document`);
  const { invoice: ubl } = await readContent(deps, document.content);
  if (!ubl) throw new AppError("refused", say`The document of invoice ${name} cannot be read`);
  refuse(amountsMisfit(amounts, readMoney(ubl)));
  return ubl;
}

function readMoney({ currency, taxCurrency, vatBreakdown }: InvoiceDocument): InvoiceMoney {
  return {
    currencies: [...new Set([currency, taxCurrency].flatMap((it) => it ?? []))],
    rates: [...new Set(vatBreakdown.map(({ vat }) => vat.rate ?? "0"))],
  };
}

function commit(
  deps: TellDeps,
  { asked, status, content, at, payload, ubl }: {
    asked: StatusToPa;
    status: StatusDefinition;
    content: StatusContent;
    at: string;
    payload: string;
    ubl: InvoiceDocument;
  },
): Promise<StatusMessage> {
  const id = crypto.randomUUID();
  return deps.db.transaction(async (tx) => {
    const invoice = await lockInvoice(tx, asked.key);
    if (!invoice) throw notFound("Invoice", formatInvoiceKey(asked.key));
    requireAllowed(invoice, status, content); // it may have moved while the message was written
    await checkMatch(tx, invoice, asked.ifMatch);
    if (status.code === STATUS.paymentReceived) {
      await checkCollected(tx, invoice, { ...asked, ubl });
    }
    if (isSample(invoice)) {
      await recordSampleStatus(deps, tx, { asked, invoice, status, content, at });
      return { id, before: { status: invoice.status } };
    }
    const isNew = await insertMessage(tx, {
      id,
      invoiceId: invoice.id,
      statusCode: status.code,
      state: "intent",
      payload,
      payloadSha256: computeSha256(payload),
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
      meta: {
        trackingId: id,
        status: status.code,
        user: asked.user,
        ...asked.confirm && { confirmed: true },
      },
    });
    await deps.tasks.enqueue(tx, statusTask, { messageId: id });
    deps.crash("status.beforeCommit");
    return { id, before: { status: invoice.status } };
  });
}

async function recordSampleStatus(
  deps: TellDeps,
  tx: Db,
  { asked, invoice, status, content, at }: {
    asked: StatusToPa;
    invoice: InvoiceRow;
    status: StatusDefinition;
    content: StatusContent;
    at: string;
  },
): Promise<void> {
  const event = {
    code: status.code,
    at: new Date(`${at}Z`),
    source: `operator:${asked.user}`,
    message: content.comment,
    reasonCode: content.reason,
    actionCode: content.action,
    data: content.amounts.length ? { amounts: content.amounts } : undefined,
  };
  await recordStatus(deps, tx, { invoice, event });
}
