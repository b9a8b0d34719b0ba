/**
 * The semantic model of EN 16931-1 (BG/BT numbers next to each field), read from UBL or CII. Amounts, quantities,
 * prices and percentages are the decimal text of the document; dates are `yyyy-MM-dd`. A value that is missing,
 * or no decimal or calendar date, is undefined.
 */
export interface InvoiceDocument {
  /** The syntax it was read from, in the words of AFNOR XP Z12-013. */
  readonly syntax: InvoiceSyntax;
  /** Kind of document, by the UBL message or the type code; amounts of a credit note are positive as written. */
  readonly kind: "invoice" | "creditNote";
  /** BT-1 */
  readonly number: string | undefined;
  /** BT-2 */
  readonly issueDate: string | undefined;
  /** BT-3, UNTDID 1001 */
  readonly typeCode: string | undefined;
  /** BT-5 */
  readonly currency: string | undefined;
  /** BT-6 */
  readonly taxCurrency: string | undefined;
  /** BT-7 */
  readonly taxPointDate: string | undefined;
  /** BT-8, in the UBL code list (UNTDID 2005) */
  readonly taxPointDateCode: string | undefined;
  /** BT-9 */
  readonly dueDate: string | undefined;
  /** BT-20; EXTENDED-CTC-FR has one entry per instalment. */
  readonly paymentTerms: readonly PaymentTerm[];
  /** BT-23 */
  readonly processType: string | undefined;
  /** BT-24 */
  readonly customizationId: string | undefined;
  readonly references: References;
  /** BG-1 */
  readonly notes: readonly InvoiceNote[];
  /** BG-3 */
  readonly precedingInvoices: readonly PrecedingInvoice[];
  /** BG-4 */
  readonly seller: Party;
  /** BG-7 */
  readonly buyer: Party;
  /** BG-10 */
  readonly payee: Party | undefined;
  /** BG-11 */
  readonly taxRepresentative: Party | undefined;
  /** BG-13 */
  readonly delivery: Delivery | undefined;
  /** BG-14 */
  readonly period: Period | undefined;
  /** BG-16, one entry for each account, card or mandate */
  readonly payments: readonly PaymentInstruction[];
  /** BT-90 */
  readonly creditorId: string | undefined;
  /** BG-20 */
  readonly allowances: readonly AllowanceCharge[];
  /** BG-21 */
  readonly charges: readonly AllowanceCharge[];
  /** BG-22 */
  readonly totals: Totals;
  /** BG-23 */
  readonly vatBreakdown: readonly VatSubtotal[];
  /** BG-24 */
  readonly attachments: readonly Attachment[];
  /** BG-25 */
  readonly lines: readonly InvoiceLine[];
}

export type InvoiceSyntax = "UBL" | "CII";

export interface Identifier {
  readonly value: string;
  /** ISO 6523 or another scheme named by the standard; undefined when none is given. */
  readonly scheme: string | undefined;
}

export interface References {
  /** BT-10 */
  readonly buyerReference: string | undefined;
  /** BT-11 */
  readonly project: string | undefined;
  /** BT-12 */
  readonly contract: string | undefined;
  /** BT-13 */
  readonly order: string | undefined;
  /** BT-14 */
  readonly salesOrder: string | undefined;
  /** BT-15 */
  readonly receivingAdvice: string | undefined;
  /** BT-16 */
  readonly despatchAdvice: string | undefined;
  /** BT-17 */
  readonly tender: string | undefined;
  /** BT-18 */
  readonly invoicedObject: Identifier | undefined;
  /** BT-19 */
  readonly buyerAccounting: string | undefined;
}

export interface InvoiceNote {
  /** BT-21, UNTDID 4451; UBL carries it as the prefix `#CODE#` of the note. */
  readonly subject: string | undefined;
  /** BT-22, without that prefix */
  readonly text: string;
}

export interface PrecedingInvoice {
  /** BT-25 */
  readonly number: string | undefined;
  /** BT-26 */
  readonly issueDate: string | undefined;
}

export interface Party {
  /** BT-27, BT-44, BT-59, BT-62 */
  readonly name: string | undefined;
  /** BT-28, BT-45 */
  readonly tradingName: string | undefined;
  /** BT-29, BT-46, BT-60; never the SEPA creditor identifier */
  readonly ids: readonly Identifier[];
  /** BT-30, BT-47, BT-61 */
  readonly legalId: Identifier | undefined;
  /** BT-31, BT-48, BT-63 */
  readonly vatId: string | undefined;
  /** BT-32 */
  readonly taxRegistrationId: string | undefined;
  /** BT-33 */
  readonly legalInformation: string | undefined;
  /** BT-34, BT-49 */
  readonly endpoint: Identifier | undefined;
  /** BG-5, BG-8, BG-12 */
  readonly address: Address | undefined;
  /** BG-6, BG-9 */
  readonly contact: Contact | undefined;
}

export interface Address {
  readonly line1: string | undefined;
  readonly line2: string | undefined;
  readonly line3: string | undefined;
  readonly city: string | undefined;
  readonly postCode: string | undefined;
  readonly subdivision: string | undefined;
  /** ISO 3166-1 alpha-2 */
  readonly country: string | undefined;
}

export interface Contact {
  readonly name: string | undefined;
  readonly phone: string | undefined;
  readonly email: string | undefined;
}

export interface Period {
  readonly start: string | undefined;
  readonly end: string | undefined;
}

export interface Delivery {
  /** BT-70 */
  readonly partyName: string | undefined;
  /** BT-71 */
  readonly locationId: Identifier | undefined;
  /** BT-72 */
  readonly date: string | undefined;
  /** BG-15 */
  readonly address: Address | undefined;
}

export interface PaymentTerm {
  /** BT-20 */
  readonly note: string | undefined;
  /** Day on which this instalment is due. */
  readonly dueDate: string | undefined;
  /** Amount of this instalment. */
  readonly amount: string | undefined;
  /** Share of the invoice: 30 means thirty percent. */
  readonly percentage: string | undefined;
}

export interface PaymentInstruction {
  /** BT-81, UNTDID 4461 */
  readonly meansCode: string | undefined;
  /** BT-82 */
  readonly meansText: string | undefined;
  /** BT-83 */
  readonly remittance: string | undefined;
  /** BG-17 */
  readonly account: PaymentAccount | undefined;
  /** BG-18 */
  readonly card: PaymentCard | undefined;
  /** BG-19 */
  readonly mandate: PaymentMandate | undefined;
}

export interface PaymentAccount {
  /** BT-84, usually an IBAN */
  readonly id: string | undefined;
  /** BT-85 */
  readonly name: string | undefined;
  /** BT-86 */
  readonly bic: string | undefined;
}

interface PaymentCard {
  /** BT-87 */
  readonly number: string | undefined;
  /** BT-88 */
  readonly holder: string | undefined;
}

export interface PaymentMandate {
  /** BT-89 */
  readonly id: string | undefined;
  /** BT-91 */
  readonly debitedAccount: string | undefined;
}

export interface AllowanceCharge {
  /** BT-92, BT-99, BT-136, BT-141 */
  readonly amount: string | undefined;
  /** BT-93, BT-100, BT-137, BT-142 */
  readonly baseAmount: string | undefined;
  /** BT-94, BT-101, BT-138, BT-143: 10 means ten percent */
  readonly percentage: string | undefined;
  /** BT-97, BT-104, BT-139, BT-144 */
  readonly reason: string | undefined;
  /** BT-98, BT-105, BT-140, BT-145 */
  readonly reasonCode: string | undefined;
  /** BT-95, BT-102; undefined on a line */
  readonly vat: VatCategory | undefined;
}

export interface VatCategory {
  /** BT-95, BT-102, BT-118, BT-151 */
  readonly code: string | undefined;
  /** BT-96, BT-103, BT-119, BT-152: 20 means twenty percent */
  readonly rate: string | undefined;
  /** BT-120 */
  readonly exemptionReason: string | undefined;
  /** BT-121 */
  readonly exemptionCode: string | undefined;
}

export interface Totals {
  /** BT-106 */
  readonly lines: string | undefined;
  /** BT-107 */
  readonly allowances: string | undefined;
  /** BT-108 */
  readonly charges: string | undefined;
  /** BT-109 */
  readonly withoutVat: string | undefined;
  /** BT-110 */
  readonly vat: string | undefined;
  /** BT-111 */
  readonly vatInTaxCurrency: string | undefined;
  /** BT-112 */
  readonly withVat: string | undefined;
  /** BT-113 */
  readonly paid: string | undefined;
  /** BT-114 */
  readonly rounding: string | undefined;
  /** BT-115 */
  readonly due: string | undefined;
}

export interface VatSubtotal {
  /** BT-116 */
  readonly taxableAmount: string | undefined;
  /** BT-117 */
  readonly taxAmount: string | undefined;
  readonly currency: string | undefined;
  readonly vat: VatCategory;
}

export interface Attachment {
  /** BT-122 */
  readonly id: string | undefined;
  /** BT-123 */
  readonly description: string | undefined;
  /** BT-124 */
  readonly location: string | undefined;
  /** BT-125 */
  readonly file: AttachedFile | undefined;
}

interface AttachedFile {
  readonly mimeType: string | undefined;
  readonly name: string | undefined;
  /** Base64 as written in the document, white space included. */
  readonly base64: string;
}

export interface InvoiceLine {
  /** BT-126 */
  readonly id: string | undefined;
  /** BT-127 */
  readonly note: string | undefined;
  /** BT-128 */
  readonly object: Identifier | undefined;
  /** BT-129 */
  readonly quantity: string | undefined;
  /** BT-130, UN/ECE Recommendation 20 or 21 */
  readonly unit: string | undefined;
  /** BT-131 */
  readonly netAmount: string | undefined;
  readonly currency: string | undefined;
  /** Line of which this line is a part, by its BT-126 (EXT-FR-FE-162). */
  readonly parent: string | undefined;
  /** `DETAIL`, `GROUP` or `INFORMATION` (EXT-FR-FE-163); undefined on a document without a hierarchy. */
  readonly kind: string | undefined;
  /** BT-132 */
  readonly orderLine: string | undefined;
  /** Purchase order of this line (EXTENDED); BT-13 names the order of the whole document. */
  readonly order: string | undefined;
  /** Despatch advice of this line (EXTENDED). */
  readonly despatchAdvice: string | undefined;
  /** Receiving advice of this line (EXTENDED). */
  readonly receivingAdvice: string | undefined;
  /** Place and day of the delivery of this line (EXTENDED). */
  readonly delivery: Delivery | undefined;
  /** BT-133 */
  readonly buyerAccounting: string | undefined;
  /** BG-26 */
  readonly period: Period | undefined;
  /** BG-27 */
  readonly allowances: readonly AllowanceCharge[];
  /** BG-28 */
  readonly charges: readonly AllowanceCharge[];
  /** BG-29 */
  readonly price: Price;
  /** BG-30 */
  readonly vat: VatCategory;
  /** BG-31 */
  readonly item: InvoiceItem;
}

export interface Price {
  /** BT-146 */
  readonly net: string | undefined;
  /** BT-147 */
  readonly discount: string | undefined;
  /** BT-148 */
  readonly gross: string | undefined;
  /** BT-149 */
  readonly baseQuantity: string | undefined;
  /** BT-150 */
  readonly baseUnit: string | undefined;
}

export interface InvoiceItem {
  /** BT-153 */
  readonly name: string | undefined;
  /** BT-154 */
  readonly description: string | undefined;
  /** BT-155 */
  readonly sellerId: string | undefined;
  /** BT-156 */
  readonly buyerId: string | undefined;
  /** BT-157 */
  readonly standardId: Identifier | undefined;
  /** BT-158 */
  readonly classifications: readonly Classification[];
  /** BT-159 */
  readonly originCountry: string | undefined;
  /** BG-32 */
  readonly attributes: readonly ItemAttribute[];
}

interface Classification {
  readonly code: string;
  /** UNTDID 7143 */
  readonly list: string | undefined;
  readonly listVersion: string | undefined;
}

interface ItemAttribute {
  /** BT-160 */
  readonly name: string | undefined;
  /** BT-161 */
  readonly value: string | undefined;
}
