import { z } from "@hono/zod-openapi";

const amount = z.number().nullable();
function describe<S extends z.ZodType>(schema: S, description: string, example?: unknown): S {
  return schema.openapi({ description, ...example !== undefined && { example } });
}
const adjustments = (description: string) =>
  z.array(
    z.object({
      amount: describe(amount, "Amount (BT-136, BT-141)"),
      baseAmount: describe(amount, "Amount that the percentage applies to (BT-137, BT-142)"),
      percentage: describe(amount, "Percentage (BT-138, BT-143)"),
      reason: describe(z.string(), "Reason as text (BT-139, BT-144)", "Agreed discount"),
      reasonCode: describe(z.string(), "Reason as a code (BT-140, BT-145)", "95"),
    }).openapi({ description: "Allowance or charge of a line" }),
  ).openapi({ description });
/** Details read from the stored document; empty or null if the document has none. */
const lineDetails = {
  documentLineId: describe(z.string(), "Identifier of the line as written (BT-126)", "1"),
  parentLineId: describe(
    z.string(),
    "`documentLineId` of the line that contains it (EXTENDED)",
    "",
  ),
  lineKind: describe(
    z.string(),
    "`DETAIL`, `GROUP` or `INFORMATION` (EXTENDED); only DETAIL lines count in the totals",
    "DETAIL",
  ),
  baseQuantity: describe(
    amount,
    "Quantity that the unit price is given for (BT-149); null means 1",
  ),
  baseUnit: describe(z.string(), "Unit of `baseQuantity` (BT-150)", "C62"),
  grossPrice: describe(amount, "Price before the discount (BT-148)"),
  priceDiscount: describe(amount, "Discount on the price (BT-147)"),
  charge: describe(amount, "Sum of the line's charges (BT-141)"),
  allowances: adjustments("Allowances of the line (BG-27)"),
  charges: adjustments("Charges of the line (BG-28)"),
  orderRef: describe(z.string(), "Purchase order of the line (EXTENDED)", "PO-4711"),
  orderLineRef: describe(z.string(), "Line of the purchase order (BT-132)", "10"),
  despatchRef: describe(z.string(), "Despatch advice of the line (EXTENDED)", "BL-2026-118"),
  receivingRef: describe(z.string(), "Receiving advice of the line (EXTENDED)", "REC-2026-7"),
  deliveryDate: describe(
    z.string(),
    "Day on which the line was delivered (EXTENDED)",
    "2026-11-18",
  ),
  deliveryPlace: describe(
    z.string(),
    "Recipient and town of the delivery (EXTENDED)",
    "Imprimerie Vallée, Lyon",
  ),
  periodStart: describe(z.string(), "First day of the invoicing period (BT-134)", "2026-11-01"),
  periodEnd: describe(z.string(), "Last day of the invoicing period (BT-135)", "2026-11-30"),
  note: describe(z.string(), "Note on the line (BT-127)", ""),
};
export const Lines = z.object({
  lines: z.array(
    z.object({
      lineId: z.int().openapi({ description: "Number of the line (BT-126)", example: 1 }),
      description: z.string().openapi({
        description: "Name of the item (BT-153)",
        example: "Goods sold",
      }),
      itemId: z.string().openapi({
        description: "Item number of the seller (BT-155)",
        example: "ART-001",
      }),
      quantity: amount.openapi({ description: "Invoiced quantity (BT-129)", example: 10 }),
      unit: z.string().openapi({
        description: "Unit code, UN/ECE Recommendation 20",
        example: "C62",
      }),
      unitPrice: amount.openapi({ description: "Net price of an item (BT-146)", example: 100 }),
      lineAmount: amount.openapi({ description: "Net amount of the line (BT-131)", example: 1000 }),
      allowance: amount.openapi({
        description: "Sum of the line's allowances (BT-136)",
        example: 0,
      }),
      currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
      taxCategory: z.string().openapi({
        description: "VAT category code, UNTDID 5305",
        example: "S",
      }),
      taxRate: amount.openapi({ description: "VAT rate in percent", example: 20 }),
      taxExemption: z.string().openapi({
        description: "Reason for the VAT exemption; may be empty",
        example: "",
      }),
      ...lineDetails,
    }).openapi({ description: "Line of an invoice" }),
  ).openapi({ description: "Lines in document order" }),
}).openapi("InvoiceLines", { description: "Lines of an invoice" });
const addressLines = z.array(z.string()).openapi({
  description: "Lines of the address; empty without one",
  example: ["12 rue des Forges", "21000 Dijon", "FR"],
});
const Party = z.object({
  name: describe(z.string(), "Name (BT-27, BT-44)", "Ateliers Morvan"),
  tradingName: describe(z.string(), "Trading name (BT-28, BT-45); empty without one", ""),
  siren: describe(z.string(), "SIREN; empty without one", "702042755"),
  siret: describe(z.string(), "SIRET; empty without one", "70204275500240"),
  vatId: describe(z.string(), "VAT identifier (BT-31, BT-48)", "FR12702042755"),
  electronicAddress: describe(
    z.string(),
    "Electronic address as `<scheme>:<number>` (BT-34, BT-49)",
    "0225:702042755",
  ),
  address: addressLines,
  contact: describe(z.string(), "Name, phone and email of the contact", ""),
}).openapi("InvoiceParty", { description: "Seller or buyer as the document states it" });

export const Details = z.object({
  seller: z.union([Party, z.null()]).openapi({ description: "Seller (BG-4)" }),
  buyer: z.union([Party, z.null()]).openapi({ description: "Buyer (BG-7)" }),
  delivery: z.object({
    name: describe(z.string(), "Recipient (BT-70)", ""),
    date: describe(z.string(), "Day of delivery (BT-72)", "2026-11-18"),
    address: addressLines,
  }).nullable().openapi({ description: "Delivery (BG-13); null without one" }),
  notes: z.array(
    z.object({
      subject: describe(z.string(), "Subject code, UNTDID 4451 (BT-21)", "REG"),
      text: describe(z.string(), "Text (BT-22)", "Capital of 10 000 EUR"),
    }).openapi({ description: "Note of the invoice" }),
  ).openapi({ description: "Notes (BG-1)" }),
  references: z.object({
    buyerReference: describe(z.string(), "Reference of the buyer (BT-10)", ""),
    order: describe(z.string(), "Purchase order (BT-13)", "PO-4711"),
    salesOrder: describe(z.string(), "Sales order (BT-14)", ""),
    contract: describe(z.string(), "Contract (BT-12)", ""),
    project: describe(z.string(), "Project (BT-11)", ""),
    despatchAdvice: describe(z.string(), "Despatch advice (BT-16)", ""),
    receivingAdvice: describe(z.string(), "Receiving advice (BT-15)", ""),
    preceding: z.array(z.string()).openapi({
      description: "Numbers of the preceding invoices (BT-25)",
      example: ["99999-RI-00001"],
    }),
  }).openapi({ description: "References; each is empty without one" }),
  paymentTerms: z.array(
    z.object({
      note: describe(z.string(), "Payment terms as text (BT-20)", ""),
      dueDate: describe(z.string(), "Due date of the instalment; empty without one", "2026-12-31"),
      amount: describe(amount, "Amount of this instalment"),
      percentage: describe(amount, "Share of the invoice in percent"),
    }).openapi({ description: "Instalment of the payment" }),
  ).openapi({ description: "Payment terms (BT-20), one entry per instalment" }),
  payments: z.array(
    z.object({
      meansCode: describe(z.string(), "Means of payment, UNTDID 4461 (BT-81)", "30"),
      meansLabel: describe(
        z.string(),
        "Name of `meansCode`; empty for a code without one",
        "Virement",
      ),
      meansText: describe(z.string(), "Means of payment as text (BT-82)", "Credit transfer"),
      remittance: describe(
        z.string(),
        "Reference to repeat in the payment (BT-83)",
        "100000-RI-00001",
      ),
      account: describe(
        z.string(),
        "Account to pay to, usually an IBAN (BT-84)",
        "FR7630006000011234567890189",
      ),
      accountName: describe(z.string(), "Name of the account (BT-85)", "Ateliers Morvan"),
      bic: describe(z.string(), "Bank of the account (BT-86)", "AGRIFRPP"),
      card: describe(z.string(), "Last four digits of the card (BT-87)", ""),
      cardHolder: describe(z.string(), "Holder of the card (BT-88)", ""),
      mandate: describe(z.string(), "Direct debit mandate (BT-89)", ""),
      debitedAccount: describe(z.string(), "Account that is debited (BT-91)", ""),
    }).openapi({ description: "Account to pay to or to debit" }),
  ).openapi({ description: "Payment instructions (BG-16), one entry per account" }),
  attachments: z.array(
    z.object({
      position: z.int().openapi({ description: "Position in the document, from 1" }),
      id: describe(z.string(), "Reference of the attachment (BT-122)", "ATT-1"),
      description: describe(
        z.string(),
        "Kind of attachment, for example `LISIBLE` (BT-123)",
        "LISIBLE",
      ),
      fileName: describe(
        z.string(),
        "Name of the embedded file; empty when none is embedded",
        "100000.pdf",
      ),
      mimeType: describe(
        z.string(),
        "Type of the file as the supplier declares it",
        "application/pdf",
      ),
      size: describe(z.int().nullable(), "Size of the file in bytes; null when none is embedded"),
      location: describe(z.string(), "Address of a file that is not embedded (BT-124)", ""),
      isReadableView: z.boolean().openapi({
        description: "True for the supplier's readable view of the invoice",
      }),
    }).openapi({ description: "Supporting document of an invoice" }),
  ).openapi({ description: "Supporting documents (BG-24)" }),
  readableView: z.enum(["factur-x", "attachment", "pa"]).nullable().openapi({
    description:
      "Source of the supplier's readable view. With `pa` the product requests the view when it is opened; it may not exist",
  }),
}).openapi("InvoiceDetails", {
  description: "Parties, references, notes, payment and attachments of an invoice",
});
export const Vat = z.object({
  vat: z.array(
    z.object({
      sequence: z.int().openapi({ description: "Position, from 1", example: 1 }),
      taxCategory: z.string().openapi({
        description: "VAT category code, UNTDID 5305",
        example: "S",
      }),
      taxRate: amount.openapi({ description: "VAT rate in percent", example: 20 }),
      taxableAmount: amount.openapi({
        description: "Taxable amount of the category (BT-116)",
        example: 1000,
      }),
      taxAmount: amount.openapi({
        description: "VAT amount of the category (BT-117)",
        example: 200,
      }),
      currency: z.string().openapi({ description: "Currency, ISO 4217", example: "EUR" }),
      taxExemption: z.string().openapi({
        description: "Reason for the VAT exemption; may be empty",
        example: "",
      }),
    }).openapi({ description: "VAT subtotal of one category and rate" }),
  ).openapi({ description: "VAT subtotals, one per category and rate" }),
}).openapi("InvoiceVat", { description: "VAT breakdown of an invoice" });
