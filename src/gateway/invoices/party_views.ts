import { type InvoiceDocument, readSiren, readSiret } from "#src/domain/ubl/mod.ts";

type Party = InvoiceDocument["seller"];
type Address = NonNullable<Party["address"]>;

/** Describes seller, buyer, delivery, notes and references, as the document states them. */
export function headView(document: InvoiceDocument | undefined) {
  const { references, delivery } = document ?? {};
  return {
    seller: document ? partyView(document.seller) : null,
    buyer: document ? partyView(document.buyer) : null,
    delivery: delivery
      ? {
        name: delivery.partyName ?? "",
        date: delivery.date ?? "",
        address: addressLines(delivery.address),
      }
      : null,
    notes: (document?.notes ?? []).map(({ subject, text }) => ({ subject: subject ?? "", text })),
    references: {
      buyerReference: references?.buyerReference ?? "",
      order: references?.order ?? "",
      salesOrder: references?.salesOrder ?? "",
      contract: references?.contract ?? "",
      project: references?.project ?? "",
      despatchAdvice: references?.despatchAdvice ?? "",
      receivingAdvice: references?.receivingAdvice ?? "",
      preceding: (document?.precedingInvoices ?? []).flatMap(({ number }) => number ?? []),
    },
  };
}

function partyView(party: Party) {
  const { name, tradingName, vatId, endpoint, contact, address } = party;
  return {
    name: name ?? "",
    tradingName: tradingName ?? "",
    siren: readSiren(party) ?? "",
    siret: readSiret(party) ?? "",
    vatId: vatId ?? "",
    electronicAddress: endpoint ? [endpoint.scheme, endpoint.value].filter(Boolean).join(":") : "",
    address: addressLines(address),
    contact: [contact?.name, contact?.phone, contact?.email].filter(Boolean).join(", "),
  };
}

/** Returns an address as a letter shows it, one entry for each line. */
function addressLines(address: Address | undefined): string[] {
  if (!address) return [];
  const { line1, line2, line3, postCode, city, subdivision, country } = address;
  const town = [postCode, city].filter(Boolean).join(" ");
  return [line1, line2, line3, town, subdivision, country].flatMap((it) => it || []);
}
