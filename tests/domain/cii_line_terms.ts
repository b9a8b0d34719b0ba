import type { AllowanceCharge, InvoiceDocument } from "#src/domain/ubl/mod.ts";

/** Path in a CII and its expected values, in document order. */
export interface Term {
  readonly bt: string;
  readonly path: string;
  readonly values: (invoice: InvoiceDocument) => readonly (string | undefined)[];
}

export const TRADE = "rsm:SupplyChainTradeTransaction";
export const SETTLEMENT = `${TRADE}/ram:ApplicableHeaderTradeSettlement`;
export const DAY = 'udt:DateTimeString[@format="102"]';
const LINE = `${TRADE}/ram:IncludedSupplyChainTradeLineItem`;
const LINE_SETTLEMENT = `${LINE}/ram:SpecifiedLineTradeSettlement`;
const LINE_AGREEMENT = `${LINE}/ram:SpecifiedLineTradeAgreement`;
const PRODUCT = `${LINE}/ram:SpecifiedTradeProduct`;

export function day(date: string | undefined): string | undefined {
  return date?.replaceAll("-", "");
}

export function bts(numbers: string): readonly string[] {
  return numbers.split(" ").map((number) => `BT-${number}`);
}

export function adjustmentTerms(options: {
  readonly numbers: string;
  readonly path: string;
  readonly of: (invoice: InvoiceDocument) => readonly AllowanceCharge[];
}): Term[] {
  const fields: [string, (entry: AllowanceCharge) => string | undefined][] = [
    ["ActualAmount", (entry) => entry.amount],
    ["BasisAmount", (entry) => entry.baseAmount],
    ["CalculationPercent", (entry) => entry.percentage],
    ["Reason", (entry) => entry.reason],
    ["ReasonCode", (entry) => entry.reasonCode],
    ["CategoryTradeTax/ram:CategoryCode", (entry) => entry.vat?.code],
    ["CategoryTradeTax/ram:RateApplicablePercent", (entry) => entry.vat?.rate],
  ];
  return bts(options.numbers).map((bt, index) => {
    const [name, value] = fields[index] ?? ["", () => undefined];
    return {
      bt,
      path: `${options.path}/ram:${name}`,
      values: (invoice) => options.of(invoice).map(value),
    };
  });
}

export function adjustmentPath(parent: string, isCharge: boolean): string {
  return `${parent}/ram:SpecifiedTradeAllowanceCharge[ram:ChargeIndicator/udt:Indicator="${isCharge}"]`;
}

const LINE_ADJUSTMENTS: readonly Term[] = [
  ...adjustmentTerms({
    numbers: "136 137 138 139 140",
    path: adjustmentPath(LINE_SETTLEMENT, false),
    of: (i) => i.lines.flatMap((line) => line.allowances),
  }),
  ...adjustmentTerms({
    numbers: "141 142 143 144 145",
    path: adjustmentPath(LINE_SETTLEMENT, true),
    of: (i) => i.lines.flatMap((line) => line.charges),
  }),
];

const VALUES: readonly Term[] = ([
  ["BT-126", `${LINE}/ram:AssociatedDocumentLineDocument/ram:LineID`, (l) => l.id],
  [
    "BT-127",
    `${LINE}/ram:AssociatedDocumentLineDocument/ram:IncludedNote/ram:Content`,
    (l) => l.note,
  ],
  [
    "BT-128",
    `${LINE_SETTLEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode="130"]/ram:IssuerAssignedID`,
    (l) => l.object?.value,
  ],
  ["BT-129", `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity`, (l) => l.quantity],
  ["BT-130", `${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity/@unitCode`, (l) => l.unit],
  [
    "BT-131",
    `${LINE_SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation/ram:LineTotalAmount`,
    (l) => l.netAmount,
  ],
  ["BT-132", `${LINE_AGREEMENT}/ram:BuyerOrderReferencedDocument/ram:LineID`, (l) => l.orderLine],
  [
    "BT-133",
    `${LINE_SETTLEMENT}/ram:ReceivableSpecifiedTradeAccountingAccount/ram:ID`,
    (l) => l.buyerAccounting,
  ],
  [
    "BT-134",
    `${LINE_SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:StartDateTime/${DAY}`,
    (l) => day(l.period?.start),
  ],
  [
    "BT-135",
    `${LINE_SETTLEMENT}/ram:BillingSpecifiedPeriod/ram:EndDateTime/${DAY}`,
    (l) => day(l.period?.end),
  ],
  [
    "BT-146",
    `${LINE_AGREEMENT}/ram:NetPriceProductTradePrice/ram:ChargeAmount`,
    (l) => l.price.net,
  ],
  [
    "BT-147",
    `${LINE_AGREEMENT}/ram:GrossPriceProductTradePrice/ram:AppliedTradeAllowanceCharge/ram:ActualAmount`,
    (l) => l.price.discount,
  ],
  [
    "BT-148",
    `${LINE_AGREEMENT}/ram:GrossPriceProductTradePrice/ram:ChargeAmount`,
    (l) => l.price.gross,
  ],
  [
    "BT-149",
    `${LINE_AGREEMENT}/ram:NetPriceProductTradePrice/ram:BasisQuantity`,
    (l) => l.price.baseQuantity,
  ],
  [
    "BT-150",
    `${LINE_AGREEMENT}/ram:NetPriceProductTradePrice/ram:BasisQuantity/@unitCode`,
    (l) => l.price.baseUnit,
  ],
  ["BT-151", `${LINE_SETTLEMENT}/ram:ApplicableTradeTax/ram:CategoryCode`, (l) => l.vat.code],
  [
    "BT-152",
    `${LINE_SETTLEMENT}/ram:ApplicableTradeTax/ram:RateApplicablePercent`,
    (l) => l.vat.rate,
  ],
  ["BT-153", `${PRODUCT}/ram:Name`, (l) => l.item.name],
  ["BT-154", `${PRODUCT}/ram:Description`, (l) => l.item.description],
  ["BT-155", `${PRODUCT}/ram:SellerAssignedID`, (l) => l.item.sellerId],
  ["BT-156", `${PRODUCT}/ram:BuyerAssignedID`, (l) => l.item.buyerId],
  ["BT-157", `${PRODUCT}/ram:GlobalID`, (l) => l.item.standardId?.value],
  ["BT-159", `${PRODUCT}/ram:OriginTradeCountry/ram:ID`, (l) => l.item.originCountry],
] satisfies [
  string,
  string,
  (line: InvoiceDocument["lines"][number]) => string | undefined,
][]).map(([bt, path, value]): Term => ({ bt, path, values: (i) => i.lines.map(value) }));

const ITEMS: readonly Term[] = [
  {
    bt: "BT-158",
    path: `${PRODUCT}/ram:DesignatedProductClassification/ram:ClassCode`,
    values: (i) => i.lines.flatMap((l) => l.item.classifications.map(({ code }) => code)),
  },
  {
    bt: "BT-160",
    path: `${PRODUCT}/ram:ApplicableProductCharacteristic/ram:Description`,
    values: (i) => i.lines.flatMap((l) => l.item.attributes.map(({ name }) => name)),
  },
  {
    bt: "BT-161",
    path: `${PRODUCT}/ram:ApplicableProductCharacteristic/ram:Value`,
    values: (i) => i.lines.flatMap((l) => l.item.attributes.map(({ value }) => value)),
  },
];

/** Terms of the invoice lines. */
export const LINE_TERMS: readonly Term[] = [...VALUES, ...LINE_ADJUSTMENTS, ...ITEMS];
