import { findStatus, nationalCode } from "#src/domain/invoice/status.ts";
import { actionLabel } from "#src/domain/invoice/actions.ts";
import { reasonLabel } from "#src/domain/invoice/reasons.ts";
import {
  type CdarDatum,
  type CdarDraft,
  type CdarParty,
  type CdarReason,
  INVOICE_GUIDELINE,
  QDT,
  RAM,
  RSM,
  UDT,
} from "./model.ts";
import { writeDate, writeDateTime } from "./time.ts";

const PA: CdarParty = { role: "WK" };
const COMPANY_SCHEME = "0002";
const PA_SCHEME = "0238";
const ADDRESS_SCHEME = "0225";

/**
 * Returns a lifecycle message with its elements in schema order (CDAR D22B), fit for the BR-FR-CDV rules when the
 * draft is complete.
 */
export function buildCdar(draft: CdarDraft): string {
  const status = nationalCode(draft.status);
  return `<?xml version="1.0" encoding="UTF-8"?>\n` +
    `<rsm:CrossDomainAcknowledgementAndResponse xmlns:rsm="${RSM}" xmlns:ram="${RAM}" xmlns:udt="${UDT}" xmlns:qdt="${QDT}">` +
    context(draft) + message(draft, status) +
    element("rsm:AcknowledgementDocument", acknowledgement(draft, status)) +
    `</rsm:CrossDomainAcknowledgementAndResponse>\n`;
}

function context(draft: CdarDraft): string {
  const process = leaf("ram:ID", draft.businessProcess ?? "REGULATED");
  const guideline = leaf("ram:ID", draft.guideline ?? INVOICE_GUIDELINE);
  return element(
    "rsm:ExchangedDocumentContext",
    element("ram:BusinessProcessSpecifiedDocumentContextParameter", process) +
      element("ram:GuidelineSpecifiedDocumentContextParameter", guideline),
  );
}

function message(draft: CdarDraft, status: string): string {
  return element(
    "rsm:ExchangedDocument",
    leaf("ram:ID", draft.messageId ?? defaultId(draft, status)) +
      leaf("ram:Name", draft.messageName) +
      dateTime("ram:IssueDateTime", draft.issuedAt ?? draft.at) +
      party("ram:SenderTradeParty", draft.sender ?? PA) +
      party("ram:IssuerTradeParty", draft.issuer ?? PA) +
      (draft.recipients ?? []).map((one) => party("ram:RecipientTradeParty", one)).join(""),
  );
}

function defaultId(draft: CdarDraft, status: string): string {
  const date = draft.invoiceDate === undefined ? "" : writeDate(draft.invoiceDate);
  const type = draft.invoiceType ?? "";
  return `${draft.invoiceNumber}_${status}_${writeDateTime(draft.at)}#${type}_${date}`;
}

function party(name: string, one: CdarParty): string {
  const scheme = one.scheme ??
    (one.role === "WK" || one.role === "DFH" ? PA_SCHEME : COMPANY_SCHEME);
  const addressScheme = one.addressScheme ?? ADDRESS_SCHEME;
  const address = leaf("ram:URIID", one.address, `schemeID="${escape(addressScheme)}"`);
  return element(
    name,
    leaf("ram:GlobalID", one.id, `schemeID="${escape(scheme)}"`) + leaf("ram:Name", one.name) +
      leaf("ram:RoleCode", one.role) + element("ram:URIUniversalCommunication", address),
  );
}

function acknowledgement(draft: CdarDraft, status: string): string {
  const typeCode = draft.typeCode ?? findStatus(status)?.messageType ?? "23";
  return element("ram:MultipleReferencesIndicator", leaf("udt:Indicator", "false")) +
    leaf("ram:TypeCode", typeCode) +
    dateTime("ram:IssueDateTime", draft.at) +
    element("ram:ReferenceReferencedDocument", reference(draft, status));
}

function reference(draft: CdarDraft, status: string): string {
  const known = findStatus(status);
  const { id, scheme = COMPANY_SCHEME } = draft.sellerId ?? { id: draft.sellerSiren };
  const seller = leaf("ram:GlobalID", id, `schemeID="${escape(scheme)}"`);
  return leaf("ram:IssuerAssignedID", draft.invoiceNumber) +
    leaf("ram:StatusCode", draft.statusCode ?? known?.messageStatus) +
    leaf("ram:TypeCode", draft.invoiceType) +
    dateTime("ram:ReceiptDateTime", draft.receivedAt ?? draft.at) +
    issueDate(draft.invoiceDate) +
    leaf("ram:ProcessConditionCode", status) +
    leaf("ram:ProcessCondition", draft.statusText ?? known?.fr.replaceAll(" ", "_")) +
    element("ram:IssuerTradeParty", seller) +
    (draft.reasons ?? []).map(reason).join("");
}

function issueDate(date: string | undefined): string {
  if (date === undefined) return "";
  const digits = leaf("qdt:DateTimeString", writeDate(date), `format="102"`);
  return element("ram:FormattedIssueDateTime", digits);
}

function reason(one: CdarReason, index: number): string {
  const label = one.label ?? (one.code && reasonLabel(one.code, "fr"));
  const action = one.actionLabel ?? (one.actionCode && actionLabel(one.actionCode, "fr"));
  return element(
    "ram:SpecifiedDocumentStatus",
    leaf("ram:ReasonCode", one.code) + leaf("ram:Reason", label) +
      leaf("ram:RequestedActionCode", one.actionCode) + leaf("ram:RequestedAction", action) +
      leaf("ram:SequenceNumeric", String(index + 1)) +
      element("ram:IncludedNote", leaf("ram:Content", one.comment)) +
      (one.amounts ?? []).map(datum).join(""),
  );
}

function datum(one: CdarDatum): string {
  const changed = one.changed === undefined ? undefined : String(one.changed);
  return element(
    "ram:SpecifiedDocumentCharacteristic",
    leaf("ram:ID", one.id) + leaf("ram:TypeCode", one.type) +
      element("ram:ValueChangedIndicator", leaf("udt:IndicatorString", changed)) +
      leaf("ram:Name", one.name) + leaf("ram:Location", one.location) +
      leaf("ram:ValueAmount", one.amount, `currencyID="${escape(one.currency ?? "EUR")}"`) +
      dateTime("ram:ValueDateTime", one.at) + leaf("ram:ValuePercent", one.rate),
  );
}

function dateTime(name: string, iso: string | undefined): string {
  if (iso === undefined) return "";
  return element(name, leaf("udt:DateTimeString", writeDateTime(iso), `format="204"`));
}

function element(name: string, content: string): string {
  return content === "" ? "" : `<${name}>${content}</${name}>`;
}

function leaf(name: string, text: string | undefined, attributes = ""): string {
  if (text === undefined || text === "") return "";
  const space = attributes === "" ? "" : " ";
  return `<${name}${space}${attributes}>${escape(text)}</${name}>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "\r": "&#13;",
};

/** Characters XML 1.0 does not admit are left out: no message is worth an unreadable file. */
function escape(text: string): string {
  return text.toWellFormed()
    // deno-lint-ignore no-control-regex
    .replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "")
    .replace(/[&<>"\r]/g, (character) => ENTITIES[character] ?? character);
}
