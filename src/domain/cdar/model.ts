/** Status of one document in a lifecycle message (UN/CEFACT CDAR D22B; MDT numbers of the French profile). */
export interface CdarEvent {
  /** MDT-4 */
  readonly messageId: string | undefined;
  /** MDT-5 */
  readonly messageName: string | undefined;
  /**
   * MDT-8, creation time of the message. Date-times are `yyyy-MM-ddTHH:mm:ss`, without a zone, as in the message.
   */
  readonly issuedAt: string | undefined;
  /** MDT-2: REGULATED, B2C, … */
  readonly businessProcess: string | undefined;
  /** MDT-3 */
  readonly guideline: string | undefined;
  readonly sender: CdarParty | undefined;
  readonly issuer: CdarParty | undefined;
  readonly recipients: readonly CdarParty[];
  /** MDT-77: 305 for a status of a PA, 23 for one of a party. */
  readonly typeCode: string | undefined;
  /** MDT-78, when the status was set. */
  readonly at: string | undefined;
  /** MDT-87, BT-1 of the invoice */
  readonly invoiceNumber: string | undefined;
  /** MDT-91, BT-3 */
  readonly invoiceType: string | undefined;
  /** MDT-100, BT-2, `yyyy-MM-dd` */
  readonly invoiceDate: string | undefined;
  /** MDT-95 */
  readonly receivedAt: string | undefined;
  /** MDT-129 */
  readonly sellerSiren: string | undefined;
  /** MDT-88, UNTDID 1373 */
  readonly statusCode: string | undefined;
  /** MDT-105, the national status as written (200, not 10); unknown codes pass. */
  readonly status: string;
  /** MDT-106 */
  readonly statusText: string | undefined;
  readonly reasons: readonly CdarReason[];
}

/** Party that sends, issues or receives a lifecycle message. */
export interface CdarParty {
  /** SIREN (scheme 0002) of a company, number (0238) of a PA. */
  readonly id?: string | undefined;
  readonly scheme?: string | undefined;
  readonly name?: string | undefined;
  /** WK PA, SE seller, BY buyer, DFH public portal, … */
  readonly role?: string | undefined;
  /** Electronic address. */
  readonly address?: string | undefined;
  /** Scheme of the address (EAS list), usually 0225. */
  readonly addressScheme?: string | undefined;
}

/**
 * One `SpecifiedDocumentStatus`: a reason, a requested action, a comment and the data concerned. Any part may be
 * missing.
 */
export interface CdarReason {
  /** MDT-113 */
  readonly code?: string | undefined;
  /** MDT-114 */
  readonly label?: string | undefined;
  /** MDT-121 */
  readonly actionCode?: string | undefined;
  /** MDT-122 */
  readonly actionLabel?: string | undefined;
  /** MDT-126; several notes are joined by a line feed. */
  readonly comment?: string | undefined;
  readonly amounts?: readonly CdarDatum[] | undefined;
}

/** A `SpecifiedDocumentCharacteristic`: an amount at a VAT rate, or another datum of the document. */
export interface CdarDatum {
  /** MDT-207: MEN collected, MPA paid, RAP remaining, CBB bank details, DIV invalid, DVA expected, … */
  readonly type?: string | undefined;
  /** MDT-206, e.g. BT-152 */
  readonly id?: string | undefined;
  /** MDT-211 */
  readonly name?: string | undefined;
  /** MDT-213 */
  readonly location?: string | undefined;
  /** MDT-209 */
  readonly changed?: boolean | undefined;
  /** MDT-215, decimal text; negative for a reversal */
  readonly amount?: string | undefined;
  readonly currency?: string | undefined;
  /** MDT-219 */
  readonly at?: string | undefined;
  /** MDT-224, VAT rate in percent, decimal text */
  readonly rate?: string | undefined;
}

/** Content a new message requires; the status catalogue provides defaults for the rest. */
export type CdarDraft =
  & {
    readonly status: string;
    readonly at: string;
    readonly invoiceNumber: string;
  }
  & Partial<CdarEvent>
  & {
    /** MDT-129 with its scheme, where the seller has no SIREN. */
    readonly sellerId?: Pick<CdarParty, "id" | "scheme"> | undefined;
  };

export const RSM = "urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:100";
export const RAM =
  "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100";
export const UDT = "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100";
export const QDT = "urn:un:unece:uncefact:data:standard:QualifiedDataType:100";
export const INVOICE_GUIDELINE = "urn.cpro.gouv.fr:1p0:CDV:invoice";
