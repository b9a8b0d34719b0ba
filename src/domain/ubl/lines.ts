import type { XmlElement } from "#src/xml/mod.ts";
import { readAllowanceCharges, readVatCategory } from "./amounts.ts";
import type { InvoiceItem, InvoiceLine, Period, Price } from "./model.ts";
import {
  attribute,
  date,
  decimal,
  group,
  groups,
  identifier,
  isVat,
  leaf,
  text,
  type UblNode,
} from "./nodes.ts";
import { readDelivery } from "./parties.ts";
import { readObject } from "./references.ts";

export function readLines(root: XmlElement, document: DocumentFacts): InvoiceLine[] {
  const invoice = groups(root, "InvoiceLine").map((line) =>
    readLine(line, { quantity: "InvoicedQuantity", ...document })
  );
  const creditNote = groups(root, "CreditNoteLine").map((line) =>
    readLine(line, { quantity: "CreditedQuantity", ...document })
  );
  return [...invoice, ...creditNote];
}

/** Reads BG-14, BG-26. */
export function readPeriod(period: UblNode): Period | undefined {
  const dates = { start: date(period, "StartDate"), end: date(period, "EndDate") };
  return dates.start === undefined && dates.end === undefined ? undefined : dates;
}

/** Facts of the document that its lines refer to. */
interface DocumentFacts {
  readonly currency: string | undefined;
  /** BT-1 */
  readonly number: string | undefined;
}

interface LineContext extends DocumentFacts {
  readonly quantity: "InvoicedQuantity" | "CreditedQuantity";
}

function readLine(line: XmlElement, context: LineContext): InvoiceLine {
  const item = group(line, "Item");
  const orderLine = group(line, "OrderLineReference");
  return {
    id: text(line, "ID"),
    note: text(line, "Note"),
    object: readObject(line, "DocumentReference"),
    quantity: decimal(line, context.quantity),
    unit: attribute(leaf(line, context.quantity), "unitCode"),
    netAmount: decimal(line, "LineExtensionAmount"),
    currency: attribute(leaf(line, "LineExtensionAmount"), "currencyID") ?? context.currency,
    ...readHierarchy(line, context.number),
    orderLine: text(orderLine, "LineID"),
    order: text(group(orderLine, "OrderReference"), "ID"),
    despatchAdvice: text(group(line, "DespatchLineReference", "DocumentReference"), "ID"),
    receivingAdvice: text(group(line, "ReceiptLineReference", "DocumentReference"), "ID"),
    delivery: readDelivery(group(line, "Delivery")),
    buyerAccounting: text(line, "AccountingCost"),
    period: readPeriod(group(line, "InvoicePeriod")),
    allowances: readAllowanceCharges(line, false),
    charges: readAllowanceCharges(line, true),
    price: readPrice(group(line, "Price")),
    vat: readVatCategory(vatCategory(item)),
    item: readItem(item),
  };
}

/** Reads the hierarchy, which EXTENDED-CTC-FR writes as a reference of the line to its own invoice. */
function readHierarchy(line: XmlElement, number: string | undefined) {
  const own = number === undefined
    ? undefined
    : groups(line, "BillingReference").find((it) =>
      text(group(it, "InvoiceDocumentReference"), "ID") === number
    );
  return {
    parent: text(group(own, "BillingReferenceLine"), "ID"),
    kind: text(group(own, "InvoiceDocumentReference"), "DocumentStatusCode"),
  };
}

function vatCategory(item: UblNode): UblNode {
  const categories = groups(item, "ClassifiedTaxCategory");
  return categories.find(isVat) ?? categories[0];
}

function readPrice(price: UblNode): Price {
  const discount = readAllowanceCharges(price, false)[0];
  return {
    net: decimal(price, "PriceAmount"),
    discount: discount?.amount,
    gross: discount?.baseAmount,
    baseQuantity: decimal(price, "BaseQuantity"),
    baseUnit: attribute(leaf(price, "BaseQuantity"), "unitCode"),
  };
}

function readItem(item: UblNode): InvoiceItem {
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

function readClassifications(item: UblNode): InvoiceItem["classifications"] {
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
