import type { Attachment, Delivery, InvoiceDocument } from "#src/domain/ubl/mod.ts";
import { address, dateIn, identifiers, party } from "./parts.ts";
import { group, leaf, type Part, required } from "./xml.ts";

/** UNTDID 1001 codes of the additional documents. */
const TENDER = "50";
const INVOICED_OBJECT = "130";
const SUPPORTING_DOCUMENT = "916";

/** Who trades with whom, on the ground of which documents. */
export function headerAgreement(invoice: InvoiceDocument): Part {
  const { references } = invoice;
  const document = (name: string, id: string | undefined) =>
    group(name, leaf("ram:IssuerAssignedID", id));
  return required(
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

/** Where and when goods or services were delivered. */
export function headerDelivery({ delivery, references }: InvoiceDocument): Part {
  return required(
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

function shipTo(delivery: Delivery | undefined): Part {
  return group(
    "ram:ShipToTradeParty",
    identifiers([delivery?.locationId]),
    leaf("ram:Name", delivery?.partyName),
    address(delivery?.address),
  );
}

function attachment({ id, location, description, file }: Attachment): Part {
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

function additional(id: string | undefined, type: string, scheme?: string): Part {
  return id === undefined ? undefined : group(
    "ram:AdditionalReferencedDocument",
    leaf("ram:IssuerAssignedID", id),
    leaf("ram:TypeCode", type),
    leaf("ram:ReferenceTypeCode", scheme),
  );
}

/** The model has no project name, which CII demands: the customary constant stands for it. */
function project(id: string | undefined): Part {
  return id === undefined ? undefined : group(
    "ram:SpecifiedProcuringProject",
    leaf("ram:ID", id),
    leaf("ram:Name", "Project reference"),
  );
}
