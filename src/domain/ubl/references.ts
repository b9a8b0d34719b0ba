import type { XmlElement } from "#src/xml/mod.ts";
import type { Attachment, Identifier, Note, PrecedingInvoice, References } from "./model.ts";
import {
  attribute,
  CBC,
  date,
  group,
  groups,
  identifier,
  leaf,
  type Place,
  text,
  textOf,
} from "./nodes.ts";

/** UNTDID 1001 codes that UBL uses to tell the kinds of additional document apart. */
const INVOICED_OBJECT = "130";
const PROJECT = "50";

const NOTE = /^#([^#\s]+)#([\s\S]*)$/;

export function readReferences(root: Place): References {
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

/** BG-1: a note that begins with `#CODE#` yields its subject code and the rest; empty notes are left out. */
export function readNotes(root: Place): Note[] {
  return (root?.childrenNamed(CBC, "Note") ?? []).flatMap((element) => {
    const written = textOf(element);
    if (written === undefined) return [];
    const parts = NOTE.exec(written);
    return [
      parts
        ? { subject: parts[1], text: (parts[2] ?? "").trim() }
        : { subject: undefined, text: written },
    ];
  });
}

/** BG-3 */
export function readPrecedingInvoices(root: Place): PrecedingInvoice[] {
  return groups(root, "BillingReference")
    .flatMap((reference) => groups(reference, "InvoiceDocumentReference"))
    .map((document) => ({ number: text(document, "ID"), issueDate: date(document, "IssueDate") }));
}

/** BG-24: additional documents that name neither the invoiced object nor, in a credit note, the project. */
export function readAttachments(root: Place): Attachment[] {
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

/** BT-18, BT-128: the document reference that carries the type code of an invoiced object. */
export function readObject(place: Place, name: string): Identifier | undefined {
  const found = groups(place, name).find((document) => typeOf(document) === INVOICED_OBJECT);
  return identifier(found, "ID");
}

function creditNoteProject(root: Place): string | undefined {
  const found = groups(root, "AdditionalDocumentReference").find(isProject);
  return text(found, "ID");
}

function isObjectOrProject(document: XmlElement): boolean {
  return typeOf(document) === INVOICED_OBJECT || isProject(document);
}

function isProject(document: XmlElement): boolean {
  return typeOf(document) === PROJECT;
}

function typeOf(document: XmlElement): string | undefined {
  return text(document, "DocumentTypeCode");
}
