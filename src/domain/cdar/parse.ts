import type { XmlDocument, XmlElement } from "#src/xml/mod.ts";
import type { CdarDatum, CdarEvent, CdarParty, CdarReason } from "./model.ts";
import { readTime } from "./time.ts";

type Place = XmlElement | undefined;

/** Whether the root is that of a lifecycle message. */
export function isCdar(document: XmlDocument): boolean {
  return document.root.local === "CrossDomainAcknowledgementAndResponse";
}

/**
 * The statuses a lifecycle message tells, one for each referenced document. Tolerant: names count and not their
 * namespaces or order, what is missing is undefined, a reference without a status is left out.
 */
export function parseCdar(document: XmlDocument): readonly CdarEvent[] {
  const root = document.root;
  const acknowledgements = all(root, "AcknowledgementDocument");
  return acknowledgements.flatMap((acknowledgement) =>
    all(acknowledgement, "ReferenceReferencedDocument").flatMap((reference) => {
      const status = text(reference, "ProcessConditionCode");
      return status === undefined ? [] : [readEvent({ root, acknowledgement, reference, status })];
    })
  );
}

function readEvent(
  at: { root: XmlElement; acknowledgement: XmlElement; reference: XmlElement; status: string },
): CdarEvent {
  const { root, acknowledgement, reference, status } = at;
  const context = childOf(root, "ExchangedDocumentContext");
  const message = childOf(root, "ExchangedDocument");
  return {
    messageId: text(message, "ID"),
    messageName: text(message, "Name"),
    issuedAt: time(childOf(message, "IssueDateTime")),
    businessProcess: text(
      childOf(context, "BusinessProcessSpecifiedDocumentContextParameter"),
      "ID",
    ),
    guideline: text(childOf(context, "GuidelineSpecifiedDocumentContextParameter"), "ID"),
    sender: readParty(childOf(message, "SenderTradeParty")),
    issuer: readParty(childOf(message, "IssuerTradeParty")),
    recipients: all(message, "RecipientTradeParty").flatMap((party) => readParty(party) ?? []),
    typeCode: text(acknowledgement, "TypeCode"),
    at: time(childOf(acknowledgement, "IssueDateTime")),
    invoiceNumber: text(reference, "IssuerAssignedID"),
    invoiceType: text(reference, "TypeCode"),
    invoiceDate: time(childOf(reference, "FormattedIssueDateTime"))?.slice(0, 10),
    receivedAt: time(childOf(reference, "ReceiptDateTime")),
    sellerSiren: text(childOf(reference, "IssuerTradeParty"), "GlobalID"),
    statusCode: text(reference, "StatusCode"),
    status,
    statusText: text(reference, "ProcessCondition"),
    reasons: all(reference, "SpecifiedDocumentStatus").map(readReason),
  };
}

function readParty(party: Place): CdarParty | undefined {
  if (party === undefined) return undefined;
  const id = childOf(party, "GlobalID") ?? childOf(party, "ID");
  return {
    id: textOf(id),
    scheme: id?.attr("schemeID"),
    name: text(party, "Name"),
    role: text(party, "RoleCode"),
    address: text(childOf(party, "URIUniversalCommunication"), "URIID"),
  };
}

function readReason(status: XmlElement): CdarReason {
  const notes = all(status, "IncludedNote").flatMap((note) =>
    all(note, "Content").flatMap((content) => textOf(content) ?? [])
  );
  return {
    code: text(status, "ReasonCode"),
    label: text(status, "Reason"),
    actionCode: text(status, "RequestedActionCode"),
    actionLabel: text(status, "RequestedAction"),
    comment: notes.length === 0 ? undefined : notes.join("\n"),
    amounts: all(status, "SpecifiedDocumentCharacteristic").map(readDatum),
  };
}

function readDatum(datum: XmlElement): CdarDatum {
  const changed = textOf(childOf(datum, "ValueChangedIndicator"));
  return {
    type: text(datum, "TypeCode"),
    id: text(datum, "ID"),
    name: text(datum, "Name"),
    location: text(datum, "Location"),
    changed: changed === undefined ? undefined : changed === "true" || changed === "1",
    amount: text(datum, "ValueAmount"),
    currency: childOf(datum, "ValueAmount")?.attr("currencyID"),
    at: time(childOf(datum, "ValueDateTime")),
    rate: text(datum, "ValuePercent"),
  };
}

function all(place: Place, local: string): readonly XmlElement[] {
  return place?.elements().filter((element) => element.local === local) ?? [];
}

function childOf(place: Place, local: string): Place {
  return place?.elements().find((element) => element.local === local);
}

function text(place: Place, local: string): string | undefined {
  return textOf(childOf(place, local));
}

function textOf(place: Place): string | undefined {
  const value = place?.text.trim();
  return value === "" ? undefined : value;
}

function time(place: Place): string | undefined {
  const value = textOf(place);
  return value === undefined ? undefined : readTime(value);
}
