import type { InvoiceItem, InvoiceLine, Price } from "#src/domain/ubl/mod.ts";
import type { XmlElement } from "#src/xml/mod.ts";
import { all, at, attribute, type CiiNode, decimal, findIdentifier, text } from "./nodes.ts";
import { readAllowanceCharges, readDelivery, readPeriod, readVatCategory } from "./parts.ts";
import { readObject } from "./references.ts";

/** Reads BG-25. */
export function readLine(line: XmlElement, currency: string | undefined): InvoiceLine {
  const document = at(line, "AssociatedDocumentLineDocument");
  const agreement = at(line, "SpecifiedLineTradeAgreement");
  const settlement = at(line, "SpecifiedLineTradeSettlement");
  const delivery = at(line, "SpecifiedLineTradeDelivery");
  const quantity = at(delivery, "BilledQuantity");
  const sums = at(settlement, "SpecifiedTradeSettlementLineMonetarySummation");
  return {
    id: text(document, "LineID"),
    note: text(document, "IncludedNote", "Content"),
    object: readObject(settlement),
    quantity: decimal(quantity),
    unit: attribute(quantity, "unitCode"),
    netAmount: decimal(sums, "LineTotalAmount"),
    currency: attribute(at(sums, "LineTotalAmount"), "currencyID") ?? currency,
    parent: text(document, "ParentLineID"),
    kind: text(document, "LineStatusReasonCode"),
    orderLine: text(agreement, "BuyerOrderReferencedDocument", "LineID"),
    order: text(agreement, "BuyerOrderReferencedDocument", "IssuerAssignedID"),
    despatchAdvice: text(delivery, "DespatchAdviceReferencedDocument", "IssuerAssignedID"),
    receivingAdvice: text(delivery, "ReceivingAdviceReferencedDocument", "IssuerAssignedID"),
    delivery: readDelivery(delivery),
    buyerAccounting: text(settlement, "ReceivableSpecifiedTradeAccountingAccount", "ID"),
    period: readPeriod(at(settlement, "BillingSpecifiedPeriod")),
    allowances: readAllowanceCharges(settlement, false),
    charges: readAllowanceCharges(settlement, true),
    price: readPrice(agreement),
    vat: readVatCategory(getVat(settlement)),
    item: readItem(at(line, "SpecifiedTradeProduct")),
  };
}

function getVat(settlement: CiiNode): CiiNode {
  const taxes = all(settlement, "ApplicableTradeTax");
  return taxes.find((tax) => text(tax, "TypeCode")?.toUpperCase() === "VAT") ?? taxes[0];
}

function readPrice(agreement: CiiNode): Price {
  const net = at(agreement, "NetPriceProductTradePrice");
  const gross = at(agreement, "GrossPriceProductTradePrice");
  const base = at(net, "BasisQuantity") ?? at(gross, "BasisQuantity");
  return {
    net: decimal(net, "ChargeAmount"),
    discount: decimal(gross, "AppliedTradeAllowanceCharge", "ActualAmount"),
    gross: decimal(gross, "ChargeAmount"),
    baseQuantity: decimal(base),
    baseUnit: attribute(base, "unitCode"),
  };
}

function readItem(product: CiiNode): InvoiceItem {
  return {
    name: text(product, "Name"),
    description: text(product, "Description"),
    sellerId: text(product, "SellerAssignedID"),
    buyerId: text(product, "BuyerAssignedID"),
    standardId: findIdentifier(at(product, "GlobalID")),
    classifications: readClassifications(product),
    originCountry: text(product, "OriginTradeCountry", "ID"),
    attributes: all(product, "ApplicableProductCharacteristic").map((characteristic) => ({
      name: text(characteristic, "Description"),
      value: text(characteristic, "Value"),
    })),
  };
}

function readClassifications(product: CiiNode): InvoiceItem["classifications"] {
  return all(product, "DesignatedProductClassification").flatMap((classification) => {
    const element = at(classification, "ClassCode");
    const code = text(element);
    if (code === undefined) return [];
    return [{
      code,
      list: attribute(element, "listID"),
      listVersion: attribute(element, "listVersionID"),
    }];
  });
}
