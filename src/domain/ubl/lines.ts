import type { XmlElement } from "#src/xml/mod.ts";
import { readAllowanceCharges, readVatCategory } from "./amounts.ts";
import type { InvoiceLine, Item, Period, Price } from "./model.ts";
import {
  attribute,
  date,
  decimal,
  group,
  groups,
  identifier,
  isVat,
  leaf,
  type Place,
  text,
} from "./nodes.ts";
import { readObject } from "./references.ts";

export function readLines(root: XmlElement, currency: string | undefined): InvoiceLine[] {
  const invoice = groups(root, "InvoiceLine").map((line) =>
    readLine(line, { quantity: "InvoicedQuantity", currency })
  );
  const creditNote = groups(root, "CreditNoteLine").map((line) =>
    readLine(line, { quantity: "CreditedQuantity", currency })
  );
  return [...invoice, ...creditNote];
}

/** BG-14, BG-26 */
export function readPeriod(period: Place): Period | undefined {
  const dates = { start: date(period, "StartDate"), end: date(period, "EndDate") };
  return dates.start === undefined && dates.end === undefined ? undefined : dates;
}

interface LineContext {
  readonly quantity: "InvoicedQuantity" | "CreditedQuantity";
  readonly currency: string | undefined;
}

function readLine(line: XmlElement, context: LineContext): InvoiceLine {
  const item = group(line, "Item");
  return {
    id: text(line, "ID"),
    note: text(line, "Note"),
    object: readObject(line, "DocumentReference"),
    quantity: decimal(line, context.quantity),
    unit: attribute(leaf(line, context.quantity), "unitCode"),
    netAmount: decimal(line, "LineExtensionAmount"),
    currency: attribute(leaf(line, "LineExtensionAmount"), "currencyID") ?? context.currency,
    orderLine: text(group(line, "OrderLineReference"), "LineID"),
    buyerAccounting: text(line, "AccountingCost"),
    period: readPeriod(group(line, "InvoicePeriod")),
    allowances: readAllowanceCharges(line, false),
    charges: readAllowanceCharges(line, true),
    price: readPrice(group(line, "Price")),
    vat: readVatCategory(vatCategory(item)),
    item: readItem(item),
  };
}

function vatCategory(item: Place): Place {
  const categories = groups(item, "ClassifiedTaxCategory");
  return categories.find(isVat) ?? categories[0];
}

function readPrice(price: Place): Price {
  const discount = readAllowanceCharges(price, false)[0];
  return {
    net: decimal(price, "PriceAmount"),
    discount: discount?.amount,
    gross: discount?.baseAmount,
    baseQuantity: decimal(price, "BaseQuantity"),
    baseUnit: attribute(leaf(price, "BaseQuantity"), "unitCode"),
  };
}

function readItem(item: Place): Item {
  return {
    name: text(item, "Name"),
    description: text(item, "Description"),
    sellerId: text(group(item, "SellersItemIdentification"), "ID"),
    buyerId: text(group(item, "BuyersItemIdentification"), "ID"),
    standardId: identifier(group(item, "StandardItemIdentification"), "ID"),
    classifications: readClassifications(item),
    originCountry: text(group(item, "OriginCountry"), "IdentificationCode"),
    attributes: groups(item, "AdditionalItemProperty").map((property) => ({
      name: text(property, "Name"),
      value: text(property, "Value"),
    })),
  };
}

function readClassifications(item: Place): Item["classifications"] {
  return groups(item, "CommodityClassification").flatMap((commodity) => {
    const code = text(commodity, "ItemClassificationCode");
    if (code === undefined) return [];
    const element = leaf(commodity, "ItemClassificationCode");
    return [{
      code,
      list: attribute(element, "listID"),
      listVersion: attribute(element, "listVersionID"),
    }];
  });
}
