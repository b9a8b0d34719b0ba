import { Buffer } from "node:buffer";
import type { Deps } from "#src/deps.ts";
import { PAYMENT_MEANS } from "#src/domain/invoice/code_words.ts";
import type { Attachment, InvoiceDocument, PaymentInstruction } from "#src/domain/ubl/mod.ts";
import { type FileAnswer, foreignFile } from "#src/kernel/file_answer.ts";
import { notFound } from "#src/kernel/errors.ts";
import type { Language } from "#src/kernel/language.ts";
import { isPdf } from "#src/ports/factur_x.ts";
import { headView } from "./party_views.ts";
import { readStoredDocument } from "./stored_document.ts";
import { findFacturX, type InvoiceRow } from "./store.ts";
import { number } from "./views.ts";

type DetailViewsDeps = Pick<Deps, "db" | "rules">;
interface Options {
  readonly signal?: AbortSignal | undefined;
}

/** Describes parties, references, notes, payment terms, payments and attachments, read from the stored document. */
export async function detailsOfInvoice(
  deps: DetailViewsDeps,
  invoice: InvoiceRow,
  { language, ...options }: Options & { readonly language: Language },
) {
  const document = await readStoredDocument(deps, invoice.id, options);
  const isFacturX = await findFacturX(deps.db, invoice.id) !== undefined;
  return {
    ...headView(document),
    paymentTerms: (document?.paymentTerms ?? []).map((it) => ({
      note: it.note ?? "",
      dueDate: it.dueDate ?? "",
      amount: number(it.amount),
      percentage: number(it.percentage),
    })),
    payments: (document?.payments ?? []).map((it) => paymentView(it, language)),
    attachments: (document?.attachments ?? []).map(attachmentView),
    readableView: chooseReadableView(invoice, document, isFacturX),
  };
}

/** Decodes one attachment of an invoice (BG-24); `position` counts from 1. */
export async function attachmentOfInvoice(
  deps: DetailViewsDeps,
  invoice: InvoiceRow,
  { position, ...options }: Options & { readonly position: number },
): Promise<FileAnswer> {
  const document = await readStoredDocument(deps, invoice.id, options);
  const attachment = document?.attachments[position - 1];
  if (!attachment?.file) throw notFound("Attachment", String(position));
  const name = attachment.file.name ?? attachment.id ?? `attachment-${position}`;
  return foreignFile(name, bytesIn(attachment.file));
}

/** The supplier's own readable view in the stored file; undefined where only the PA may have one. */
export async function readableViewIn(
  deps: DetailViewsDeps,
  invoice: InvoiceRow,
  options: Options = {},
): Promise<Uint8Array | undefined> {
  const facturX = await findFacturX(deps.db, invoice.id);
  if (facturX) return facturX.bytes;
  const document = await readStoredDocument(deps, invoice.id, options);
  const file = document?.attachments.find(isReadable)?.file;
  return file && bytesIn(file);
}

function chooseReadableView(
  invoice: InvoiceRow,
  document: InvoiceDocument | undefined,
  isFacturX: boolean,
): "factur-x" | "attachment" | "pa" | null {
  if (isFacturX) return "factur-x";
  if (document?.attachments.some(isReadable)) return "attachment";
  return invoice.direction === "received" && invoice.paUuid !== null ? "pa" : null;
}

/** BT-123 marks the readable view of the supplier (BR-FR-18 allows one); only a PDF can be shown. */
function isReadable({ description, file }: Attachment): boolean {
  return description?.trim().toUpperCase() === "LISIBLE" && file !== undefined &&
    isPdf(Buffer.from(file.base64.trimStart().slice(0, 16), "base64"));
}

function attachmentView(it: Attachment, index: number) {
  return {
    position: index + 1,
    id: it.id ?? "",
    description: it.description ?? "",
    fileName: it.file?.name ?? "",
    mimeType: it.file?.mimeType ?? "",
    size: it.file ? computeSize(it.file.base64) : null,
    location: it.location ?? "",
    isReadableView: isReadable(it),
  };
}

function paymentView(
  { account, card, mandate, ...it }: PaymentInstruction,
  language: Language,
) {
  return {
    meansCode: it.meansCode ?? "",
    meansLabel: PAYMENT_MEANS[it.meansCode ?? ""]?.[language === "fr" ? 0 : 1] ?? "",
    meansText: it.meansText ?? "",
    remittance: it.remittance ?? "",
    account: account?.id ?? "",
    accountName: account?.name ?? "",
    bic: account?.bic ?? "",
    card: card?.number === undefined ? "" : `•••• ${card.number.slice(-4)}`, // PCI DSS 3.4
    cardHolder: card?.holder ?? "",
    mandate: mandate?.id ?? "",
    debitedAccount: mandate?.debitedAccount ?? "",
  };
}

/** Bytes that base64 text decodes to, counted without decoding it. */
function computeSize(base64: string): number {
  const digits = base64.replace(/[\s=]+/g, "").length;
  return Math.floor(digits * 3 / 4);
}

function bytesIn({ base64 }: { readonly base64: string }): Uint8Array {
  return Buffer.from(base64, "base64");
}
