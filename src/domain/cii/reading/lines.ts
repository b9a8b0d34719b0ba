import type { InvoiceLine, Item, Price } from "#src/domain/ubl/mod.ts";
import type { XmlElement } from "#src/xml/mod.ts";
import { all, at, attribute, decimal, identifierOf, type Place, text } from "./nodes.ts";
import { readAllowanceCharges, readPeriod, readVatCategory } from "./parts.ts";
import { readObject } from "./references.ts";

/** BG-25 */
export function readLine(line: XmlElement, currency: string | undefined): InvoiceLine {
  const document = at(line, "AssociatedDocumentLineDocument");
  const agreement = at(line, "SpecifiedLineTradeAgreement");
  const settlement = at(line, "SpecifiedLineTradeSettlement");
  const quantity = at(line, "SpecifiedLineTradeDelivery", "BilledQuantity");
  const sums = at(settlement, "SpecifiedTradeSettlementLineMonetarySummation");
  return {
    id: text(document, "LineID"),
    note: text(document, "IncludedNote", "Content"),
    object: readObject(settlement),
    quantity: decimal(quantity),
    unit: attribute(quantity, "unitCode"),
    netAmount: decimal(sums, "LineTotalAmount"),
    currency: attribute(at(sums, "LineTotalAmount"), "currencyID") ?? currency,
    orderLine: text(agreement, "BuyerOrderReferencedDocument", "LineID"),
    buyerAccounting: text(settlement, "ReceivableSpecifiedTradeAccountingAccount", "ID"),
    period: readPeriod(at(settlement, "BillingSpecifiedPeriod")),
    allowances: readAllowanceCharges(settlement, false),
    charges: readAllowanceCharges(settlement, true),
    price: readPrice(agreement),
    vat: readVatCategory(vatOf(settlement)),
    item: readItem(at(line, "SpecifiedTradeProduct")),
  };
}

function vatOf(settlement: Place): Place {
  const taxes = all(settlement, "ApplicableTradeTax");
  return taxes.find((tax) => text(tax, "TypeCode")?.toUpperCase() === "VAT") ?? taxes[0];
}

function readPrice(agreement: Place): Price {
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

function readItem(product: Place): Item {
  return {
    name: text(product, "Name"),
    description: text(product, "Description"),
    sellerId: text(product, "SellerAssignedID"),
    buyerId: text(product, "BuyerAssignedID"),
    standardId: identifierOf(at(product, "GlobalID")),
    classifications: readClassifications(product),
    originCountry: text(product, "OriginTradeCountry", "ID"),
    attributes: all(product, "ApplicableProductCharacteristic").map((characteristic) => ({
      name: text(characteristic, "Description"),
      value: text(characteristic, "Value"),
    })),
  };
}

function readClassifications(product: Place): Item["classifications"] {
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
