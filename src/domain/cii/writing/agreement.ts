import type { Attachment, Delivery, InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { address, dateIn, identifiers, party } from "./parts.ts";
import { group, leaf, requireElement, type XmlPart } from "./xml.ts";

/** UNTDID 1001 codes of the additional documents. */
const TENDER = "50";
const INVOICED_OBJECT = "130";
const SUPPORTING_DOCUMENT = "916";

/** Writes the trading parties and the documents their trade refers to. */
export function headerAgreement(invoice: InvoiceDocument): XmlPart {
  const { references } = invoice;
  const document = (name: string, id: string | undefined) =>
    group(name, leaf("ram:IssuerAssignedID", id));
  return requireElement(
    "ram:ApplicableHeaderTradeAgreement",
    leaf("ram:BuyerReference", references.buyerReference),
    party("ram:SellerTradeParty", invoice.seller),
    party("ram:BuyerTradeParty", invoice.buyer),
    party("ram:SellerTaxRepresentativeTradeParty", invoice.taxRepresentative),
    document("ram:SellerOrderReferencedDocument", references.salesOrder),
    document("ram:BuyerOrderReferencedDocument", references.order),
    document("ram:ContractReferencedDocument", references.contract),
    invoice.attachments.map(attachment),
    additional(references.tender, TENDER),
    additional(
      references.invoicedObject?.value,
      INVOICED_OBJECT,
      references.invoicedObject?.scheme,
    ),
    project(references.project),
  );
}

/** Writes the place and the date of delivery. */
export function headerDelivery({ delivery, references }: InvoiceDocument): XmlPart {
  return requireElement(
    "ram:ApplicableHeaderTradeDelivery",
    shipTo(delivery),
    group(
      "ram:ActualDeliverySupplyChainEvent",
      dateIn("ram:OccurrenceDateTime", delivery?.date),
    ),
    group(
      "ram:DespatchAdviceReferencedDocument",
      leaf("ram:IssuerAssignedID", references.despatchAdvice),
    ),
    group(
      "ram:ReceivingAdviceReferencedDocument",
      leaf("ram:IssuerAssignedID", references.receivingAdvice),
    ),
  );
}

function shipTo(delivery: Delivery | undefined): XmlPart {
  return group(
    "ram:ShipToTradeParty",
    identifiers([delivery?.locationId]),
    leaf("ram:Name", delivery?.partyName),
    address(delivery?.address),
  );
}

function attachment({ id, location, description, file }: Attachment): XmlPart {
  return group(
    "ram:AdditionalReferencedDocument",
    leaf("ram:IssuerAssignedID", id),
    leaf("ram:URIID", location),
    leaf("ram:TypeCode", SUPPORTING_DOCUMENT),
    leaf("ram:Name", description),
    leaf("ram:AttachmentBinaryObject", file?.base64.replace(/\s/g, ""), {
      mimeCode: file?.mimeType,
      filename: file?.name,
    }),
  );
}

function additional(id: string | undefined, type: string, scheme?: string): XmlPart {
  return id === undefined ? undefined : group(
    "ram:AdditionalReferencedDocument",
    leaf("ram:IssuerAssignedID", id),
    leaf("ram:TypeCode", type),
    leaf("ram:ReferenceTypeCode", scheme),
  );
}

/** Writes the project. CII requires a name, which the model lacks, so the customary constant is used. */
function project(id: string | undefined): XmlPart {
  return id === undefined ? undefined : group(
    "ram:SpecifiedProcuringProject",
    leaf("ram:ID", id),
    leaf("ram:Name", "Project reference"),
  );
}
