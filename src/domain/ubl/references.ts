import type { XmlElement } from "#src/xml/mod.ts";
import type { Attachment, Identifier, InvoiceNote, PrecedingInvoice, References } from "./model.ts";
import {
  attribute,
  CBC,
  date,
  group,
  groups,
  identifier,
  leaf,
  readText,
  text,
  type UblNode,
} from "./nodes.ts";

/** UNTDID 1001 codes that distinguish the kinds of additional documents in UBL. */
const INVOICED_OBJECT = "130";
const PROJECT = "50";

const NOTE = /^#([^#\s]+)#([\s\S]*)$/;

export function readReferences(root: UblNode): References {
  const order = group(root, "OrderReference");
  return {
    buyerReference: text(root, "BuyerReference"),
    project: text(group(root, "ProjectReference"), "ID") ?? creditNoteProject(root),
    contract: text(group(root, "ContractDocumentReference"), "ID"),
    order: text(order, "ID"),
    salesOrder: text(order, "SalesOrderID"),
    receivingAdvice: text(group(root, "ReceiptDocumentReference"), "ID"),
    despatchAdvice: text(group(root, "DespatchDocumentReference"), "ID"),
    tender: text(group(root, "OriginatorDocumentReference"), "ID"),
    invoicedObject: readObject(root, "AdditionalDocumentReference"),
    buyerAccounting: text(root, "AccountingCost"),
  };
}

/** Reads BG-1: a note that begins with `#CODE#` yields its subject code and the rest; empty notes are left out. */
export function readNotes(root: UblNode): InvoiceNote[] {
  return (root?.childrenNamed(CBC, "Note") ?? []).flatMap((element) => {
    const written = readText(element);
    if (written === undefined) return [];
    const parts = NOTE.exec(written);
    return [
      parts
        ? { subject: parts[1], text: (parts[2] ?? "").trim() }
        : { subject: undefined, text: written },
    ];
  });
}

/** Reads BG-3. */
export function readPrecedingInvoices(root: UblNode): PrecedingInvoice[] {
  return groups(root, "BillingReference")
    .flatMap((reference) => groups(reference, "InvoiceDocumentReference"))
    .map((document) => ({ number: text(document, "ID"), issueDate: date(document, "IssueDate") }));
}

/** Reads BG-24: additional documents that name neither the invoiced object nor, in a credit note, the project. */
export function readAttachments(root: UblNode): Attachment[] {
  return groups(root, "AdditionalDocumentReference")
    .filter((document) => !isObjectOrProject(document))
    .map((document) => {
      const attachment = group(document, "Attachment");
      const binary = leaf(attachment, "EmbeddedDocumentBinaryObject");
      return {
        id: text(document, "ID"),
        description: text(document, "DocumentDescription"),
        location: text(group(attachment, "ExternalReference"), "URI"),
        file: binary && {
          mimeType: attribute(binary, "mimeCode"),
          name: attribute(binary, "filename"),
          base64: binary.text,
        },
      };
    });
}

/** Reads BT-18, BT-128: the document reference that carries the type code of an invoiced object. */
export function readObject(place: UblNode, name: string): Identifier | undefined {
  const found = groups(place, name).find((document) => findType(document) === INVOICED_OBJECT);
  return identifier(found, "ID");
}

function creditNoteProject(root: UblNode): string | undefined {
  const found = groups(root, "AdditionalDocumentReference").find(isProject);
  return text(found, "ID");
}

function isObjectOrProject(document: XmlElement): boolean {
  return findType(document) === INVOICED_OBJECT || isProject(document);
}

function isProject(document: XmlElement): boolean {
  return findType(document) === PROJECT;
}

function findType(document: XmlElement): string | undefined {
  return text(document, "DocumentTypeCode");
}
