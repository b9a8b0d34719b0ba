import type { XmlDocument, XmlElement } from "#src/xml/mod.ts";
import type { CdarDatum, CdarEvent, CdarParty, CdarReason } from "./model.ts";
import { readTime } from "./time.ts";

type Place = XmlElement | undefined;

/** Checks that the root element is that of a lifecycle message. */
export function isCdar(document: XmlDocument): boolean {
  return document.root.local === "CrossDomainAcknowledgementAndResponse";
}

/**
 * Reads the statuses of a lifecycle message, one for each referenced document. The reader is tolerant: it ignores
 * namespaces and the order of elements. A missing value is undefined; a reference without a status is skipped.
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
  const context = getChild(root, "ExchangedDocumentContext");
  const message = getChild(root, "ExchangedDocument");
  return {
    messageId: text(message, "ID"),
    messageName: text(message, "Name"),
    issuedAt: time(getChild(message, "IssueDateTime")),
    businessProcess: text(
      getChild(context, "BusinessProcessSpecifiedDocumentContextParameter"),
      "ID",
    ),
    guideline: text(getChild(context, "GuidelineSpecifiedDocumentContextParameter"), "ID"),
    sender: readParty(getChild(message, "SenderTradeParty")),
    issuer: readParty(getChild(message, "IssuerTradeParty")),
    recipients: all(message, "RecipientTradeParty").flatMap((party) => readParty(party) ?? []),
    typeCode: text(acknowledgement, "TypeCode"),
    at: time(getChild(acknowledgement, "IssueDateTime")),
    invoiceNumber: text(reference, "IssuerAssignedID"),
    invoiceType: text(reference, "TypeCode"),
    invoiceDate: time(getChild(reference, "FormattedIssueDateTime"))?.slice(0, 10),
    receivedAt: time(getChild(reference, "ReceiptDateTime")),
    sellerSiren: text(getChild(reference, "IssuerTradeParty"), "GlobalID"),
    statusCode: text(reference, "StatusCode"),
    status,
    statusText: text(reference, "ProcessCondition"),
    reasons: all(reference, "SpecifiedDocumentStatus").map(readReason),
  };
}

function readParty(party: Place): CdarParty | undefined {
  if (party === undefined) return undefined;
  const id = getChild(party, "GlobalID") ?? getChild(party, "ID");
  const address = getChild(getChild(party, "URIUniversalCommunication"), "URIID");
  return {
    id: formatText(id),
    scheme: id?.attr("schemeID"),
    name: text(party, "Name"),
    role: text(party, "RoleCode"),
    address: formatText(address),
    addressScheme: address?.attr("schemeID"),
  };
}

function readReason(status: XmlElement): CdarReason {
  const notes = all(status, "IncludedNote").flatMap((note) =>
    all(note, "Content").flatMap((content) => formatText(content) ?? [])
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
  const changed = formatText(getChild(datum, "ValueChangedIndicator"));
  return {
    type: text(datum, "TypeCode"),
    id: text(datum, "ID"),
    name: text(datum, "Name"),
    location: text(datum, "Location"),
    changed: changed === undefined ? undefined : changed === "true" || changed === "1",
    amount: text(datum, "ValueAmount"),
    currency: getChild(datum, "ValueAmount")?.attr("currencyID"),
    at: time(getChild(datum, "ValueDateTime")),
    rate: text(datum, "ValuePercent"),
  };
}

function all(place: Place, local: string): readonly XmlElement[] {
  return place?.elements().filter((element) => element.local === local) ?? [];
}

function getChild(place: Place, local: string): Place {
  return place?.elements().find((element) => element.local === local);
}

function text(place: Place, local: string): string | undefined {
  return formatText(getChild(place, local));
}

function formatText(place: Place): string | undefined {
  const value = place?.text.trim();
  return value === "" ? undefined : value;
}

function time(place: Place): string | undefined {
  const value = formatText(place);
  return value === undefined ? undefined : readTime(value);
}
