import type {
  Attachment,
  Identifier,
  InvoiceNote,
  PrecedingInvoice,
  References,
} from "#src/domain/ubl/mod.ts";
import type { XmlElement } from "#src/xml/mod.ts";
import { all, at, attribute, type CiiNode, date, text } from "./nodes.ts";

/** UNTDID 1001 codes that distinguish the kinds of additional documents in CII. */
const TENDER = "50";
const INVOICED_OBJECT = "130";

export function readReferences(transaction: CiiNode): References {
  const agreement = at(transaction, "ApplicableHeaderTradeAgreement");
  const delivery = at(transaction, "ApplicableHeaderTradeDelivery");
  const settlement = at(transaction, "ApplicableHeaderTradeSettlement");
  const id = (place: CiiNode, name: string) => text(place, name, "IssuerAssignedID");
  return {
    buyerReference: text(agreement, "BuyerReference"),
    project: text(agreement, "SpecifiedProcuringProject", "ID"),
    contract: id(agreement, "ContractReferencedDocument"),
    order: id(agreement, "BuyerOrderReferencedDocument"),
    salesOrder: id(agreement, "SellerOrderReferencedDocument"),
    receivingAdvice: id(delivery, "ReceivingAdviceReferencedDocument"),
    despatchAdvice: id(delivery, "DespatchAdviceReferencedDocument"),
    tender: text(additional(agreement, TENDER)[0], "IssuerAssignedID"),
    invoicedObject: readObject(agreement),
    buyerAccounting: text(settlement, "ReceivableSpecifiedTradeAccountingAccount", "ID"),
  };
}

/** Reads BG-1; empty notes are omitted. */
export function readNotes(document: CiiNode): InvoiceNote[] {
  return all(document, "IncludedNote").flatMap((note) => {
    const written = text(note, "Content");
    return written === undefined ? [] : [{ subject: text(note, "SubjectCode"), text: written }];
  });
}

/** Reads BG-3. */
export function readPrecedingInvoices(settlement: CiiNode): PrecedingInvoice[] {
  return all(settlement, "InvoiceReferencedDocument").map((document) => ({
    number: text(document, "IssuerAssignedID"),
    issueDate: date(document, "FormattedIssueDateTime"),
  }));
}

/** Reads BG-24: additional documents that name neither the tender nor the invoiced object. */
export function readAttachments(agreement: CiiNode): Attachment[] {
  return all(agreement, "AdditionalReferencedDocument")
    .filter((document) => ![TENDER, INVOICED_OBJECT].includes(text(document, "TypeCode") ?? ""))
    .map((document) => {
      const binary = at(document, "AttachmentBinaryObject");
      return {
        id: text(document, "IssuerAssignedID"),
        description: text(document, "Name"),
        location: text(document, "URIID"),
        file: binary && {
          mimeType: attribute(binary, "mimeCode"),
          name: attribute(binary, "filename"),
          base64: binary.text,
        },
      };
    });
}

/** Reads BT-18, BT-128. */
export function readObject(place: CiiNode): Identifier | undefined {
  const document = additional(place, INVOICED_OBJECT)[0];
  const value = text(document, "IssuerAssignedID");
  return value === undefined ? undefined : { value, scheme: text(document, "ReferenceTypeCode") };
}

function additional(place: CiiNode, type: string): XmlElement[] {
  return all(place, "AdditionalReferencedDocument")
    .filter((document) => text(document, "TypeCode") === type);
}
