import type { InvoiceItem, InvoiceLine, Price } from "#src/domain/ubl/mod.ts";
import { adjustments, period, vat } from "./parts.ts";
import { group, leaf, type XmlPart } from "./xml.ts";

/** Writes BG-25. */
export function line(given: InvoiceLine): XmlPart {
  return group(
    "ram:IncludedSupplyChainTradeLineItem",
    group(
      "ram:AssociatedDocumentLineDocument",
      leaf("ram:LineID", given.id),
      group("ram:IncludedNote", leaf("ram:Content", given.note)),
    ),
    product(given.item),
    agreement(given),
    group(
      "ram:SpecifiedLineTradeDelivery",
      leaf("ram:BilledQuantity", given.quantity, { unitCode: given.unit }),
    ),
    settlement(given),
  );
}

function product(item: InvoiceItem): XmlPart {
  return group(
    "ram:SpecifiedTradeProduct",
    leaf("ram:GlobalID", item.standardId?.value, { schemeID: item.standardId?.scheme }),
    leaf("ram:SellerAssignedID", item.sellerId),
    leaf("ram:BuyerAssignedID", item.buyerId),
    leaf("ram:Name", item.name),
    leaf("ram:Description", item.description),
    item.attributes.map(({ name, value }) =>
      group(
        "ram:ApplicableProductCharacteristic",
        leaf("ram:Description", name),
        leaf("ram:Value", value),
      )
    ),
    item.classifications.map(({ code, list, listVersion }) =>
      group(
        "ram:DesignatedProductClassification",
        leaf("ram:ClassCode", code, { listID: list, listVersionID: listVersion }),
      )
    ),
    group("ram:OriginTradeCountry", leaf("ram:ID", item.originCountry)),
  );
}

function agreement({ orderLine, price }: InvoiceLine): XmlPart {
  return group(
    "ram:SpecifiedLineTradeAgreement",
    group("ram:BuyerOrderReferencedDocument", leaf("ram:LineID", orderLine)),
    grossPrice(price),
    group(
      "ram:NetPriceProductTradePrice",
      leaf("ram:ChargeAmount", price.net),
      baseQuantity(price),
    ),
  );
}

function grossPrice(price: Price): XmlPart {
  if (price.gross === undefined && price.discount === undefined) return undefined;
  return group(
    "ram:GrossPriceProductTradePrice",
    leaf("ram:ChargeAmount", price.gross),
    baseQuantity(price),
    price.discount === undefined ? undefined : group(
      "ram:AppliedTradeAllowanceCharge",
      group("ram:ChargeIndicator", leaf("udt:Indicator", "false")),
      leaf("ram:ActualAmount", price.discount),
    ),
  );
}

function baseQuantity(price: Price): XmlPart {
  return leaf("ram:BasisQuantity", price.baseQuantity, { unitCode: price.baseUnit });
}

function settlement(given: InvoiceLine): XmlPart {
  return group(
    "ram:SpecifiedLineTradeSettlement",
    vat("ram:ApplicableTradeTax", given.vat),
    period(given.period),
    adjustments(given.allowances, given.charges),
    group(
      "ram:SpecifiedTradeSettlementLineMonetarySummation",
      leaf("ram:LineTotalAmount", given.netAmount),
    ),
    given.object && group(
      "ram:AdditionalReferencedDocument",
      leaf("ram:IssuerAssignedID", given.object.value),
      leaf("ram:TypeCode", "130"),
      leaf("ram:ReferenceTypeCode", given.object.scheme),
    ),
    group("ram:ReceivableSpecifiedTradeAccountingAccount", leaf("ram:ID", given.buyerAccounting)),
  );
}
