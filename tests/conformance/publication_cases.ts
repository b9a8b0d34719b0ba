/** Inputs on which the publications 1.4.0.03 and 1.4.0.04 of the French rules differ. */

/** Input on which the publications differ, or must not differ. */
export interface PublicationCase {
  readonly name: string;
  readonly set: string;
  /** Sample below `tests/conformance/french`, or the text of a document. */
  readonly sample: string;
  readonly edits: readonly (readonly [find: string, replace: string])[];
  /** `-RULE`: only 1.4.0.03 gives the finding; `+RULE`: only 1.4.0.04 gives it; `=RULE`: both do, among others. */
  readonly expected: string;
  /** Rules whose finding says that the published rules 1.4.0.04 stop. */
  readonly stops?: readonly string[];
}

const FREE_NOTE = "<cbc:Note>Merci de votre confiance</cbc:Note>";
const BAR = "<cbc:Note>#BAR#B2B</cbc:Note>";
const BAR_AND_TXD = "<cbc:Note>#BAR#B2BINT#TXD#MEMBRE_ASSUJETTI_UNIQUE</cbc:Note>";
const TXD = "<cbc:Note>#TXD#MEMBRE_ASSUJETTI_UNIQUE</cbc:Note>";
const NOTHING_DUE = '<cbc:PayableAmount currencyID="EUR">0.00</cbc:PayableAmount>';
const PREPAID = '<cbc:PrepaidAmount currencyID="EUR">12.00</cbc:PrepaidAmount>';
const BUYER_SIREN = '<cbc:CompanyID schemeID="0002">435714324</cbc:CompanyID>';
const BUYER_ADDRESS = '<cbc:EndpointID schemeID="0225">435714324</cbc:EndpointID>';
const SELLER_ADDRESS = '<cbc:EndpointID schemeID="0225">438570830</cbc:EndpointID>';
const AAB = "<cbc:Note>#AAB#Pas d’escompte</cbc:Note>";
const G2_NET =
  '<cbc:ID>G2</cbc:ID>\n    <cbc:InvoicedQuantity unitCode="C62">1</cbc:InvoicedQuantity>\n    <cbc:LineExtensionAmount currencyID="EUR">20.00</cbc:LineExtensionAmount>';
const LINE_4_NET = G2_NET.replace("G2", "4");
const GROSS = (amount: string) =>
  `<cbc:TaxInclusiveLineExtensionAmount currencyID="EUR">${amount}</cbc:TaxInclusiveLineExtensionAmount>`;
const G3_REFERENCE =
  '<cbc:DocumentStatusCode>GROUP</cbc:DocumentStatusCode></cac:InvoiceDocumentReference></cac:BillingReference><cac:DocumentReference><cbc:ID schemeID="AFL">V3-12</cbc:ID>';
const G1_VAT = '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">30.10</cbc:TaxAmount></cac:TaxTotal>';
const PAYMENT = (date: string) =>
  `<cac:PaymentMeans><cbc:PaymentMeansCode>30</cbc:PaymentMeansCode><cbc:PaymentDueDate>${date}</cbc:PaymentDueDate></cac:PaymentMeans>`;

const UBL: readonly Omit<PublicationCase, "set">[] = [
  {
    name: "a free note after the note BAR",
    sample: "multi-vendor.xml",
    edits: [[BAR, BAR + FREE_NOTE]],
    expected: "-BR-FR-20_BT-21",
  },
  {
    name: "a free note after BAR, and a buyer without SIREN and without an address 0225",
    sample: "multi-vendor.xml",
    edits: [
      [BAR, BAR + FREE_NOTE],
      [BUYER_SIREN, ""],
      [BUYER_ADDRESS, '<cbc:EndpointID schemeID="EM">a@b.fr</cbc:EndpointID>'],
    ],
    expected: "-BR-FR-20_BT-21 +BR-FR-11_BT-47 +BR-FR-21_BT-49",
  },
  {
    name: "a free note that is just BAR, and the next one",
    sample: "multi-vendor.xml",
    edits: [[BAR, "<cbc:Note>BAR</cbc:Note><cbc:Note>B2X</cbc:Note>"]],
    expected: "+BR-FR-20_BT-21",
  },
  {
    name: "an empty note BAR and a treatment as the next note",
    sample: "multi-vendor.xml",
    edits: [[BAR, "<cbc:Note>#BAR#</cbc:Note><cbc:Note>B2X</cbc:Note>"]],
    expected: "-BR-FR-20_BT-21",
  },
  {
    name: "a treatment with a blank behind it",
    sample: "multi-vendor.xml",
    edits: [[BAR, "<cbc:Note>#BAR#B2B </cbc:Note>"]],
    expected: "=BR-FR-20_BT-21",
  },
  {
    name: "a note joined to the next one is no statement of its own",
    sample: "multi-vendor.xml",
    edits: [[AAB, "<cbc:Note>#AAB</cbc:Note><cbc:Note>x</cbc:Note>"]],
    expected: "=BR-FR-05_BT-22-3",
  },
  {
    name: "a free note after the note TXD",
    sample: "credit-note-dollars.xml",
    edits: [[BAR_AND_TXD, TXD + FREE_NOTE]],
    expected: "-BR-FR-CO-14_BT-29-1",
  },
  {
    name: "a self-billed invoice with BAR = B2BINT and an e-mail address of the seller",
    sample: "multi-vendor.xml",
    edits: [
      ["<cbc:InvoiceTypeCode>380", "<cbc:InvoiceTypeCode>389"],
      [BAR, "<cbc:Note>#BAR#B2BINT</cbc:Note>"],
      [SELLER_ADDRESS, '<cbc:EndpointID schemeID="EM">a@b.fr</cbc:EndpointID>'],
    ],
    expected: "-BR-FR-22_BT-34",
  },
  {
    name: "the same with BAR = B2B",
    sample: "multi-vendor.xml",
    edits: [
      ["<cbc:InvoiceTypeCode>380", "<cbc:InvoiceTypeCode>389"],
      [SELLER_ADDRESS, '<cbc:EndpointID schemeID="EM">a@b.fr</cbc:EndpointID>'],
    ],
    expected: "=BR-FR-22_BT-34",
  },
  {
    name: "a credit note due before its date",
    sample: "credit-note-dollars.xml",
    edits: [["<cac:PaymentMeans>", `${PAYMENT("2026-09-01")}<cac:PaymentMeans>`]],
    expected: "+BR-FR-CO-07_BT-9",
  },
  {
    name: "a credit note of a prepayment due before its date",
    sample: "credit-note-dollars.xml",
    edits: [
      ["<cac:PaymentMeans>", `${PAYMENT("2026-09-01")}<cac:PaymentMeans>`],
      ["<cbc:CreditNoteTypeCode>381", "<cbc:CreditNoteTypeCode>503"],
    ],
    expected: "",
  },
  {
    name: "an invoice whose payment means are due before its date",
    sample: "multi-vendor.xml",
    edits: [[
      '<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">40.35',
      `${PAYMENT("2026-09-01")}<cac:TaxTotal><cbc:TaxAmount currencyID="EUR">40.35`,
    ]],
    expected: "+BR-FR-CO-07_BT-9",
  },
  {
    name: "a paid invoice whose paid amount has a comma",
    sample: "already-paid.xml",
    edits: [[PREPAID, PREPAID.replace("12.00", "1200,00")]],
    expected: "=BR-FR-CO-09_BT-23-1",
    stops: ["BR-FR-CO-09_BT-23-1"],
  },
  {
    name: "a paid invoice whose amount due has a comma",
    sample: "already-paid.xml",
    edits: [[NOTHING_DUE, NOTHING_DUE.replace("0.00", "0,00")]],
    expected: "=BR-FR-CO-09_BT-23-2",
    stops: ["BR-FR-CO-09_BT-23-2"],
  },
  {
    name: "a paid invoice whose paid amount is an exponent, at which 1.4.0.04 stops",
    sample: "already-paid.xml",
    edits: [[PREPAID, PREPAID.replace("12.00", "1.2E1")]],
    expected: "+BR-FR-CO-09_BT-23-1",
    stops: ["BR-FR-CO-09_BT-23-1"],
  },
  {
    name: "a paid invoice without a paid amount",
    sample: "already-paid.xml",
    edits: [[PREPAID, ""]],
    expected: "=BR-FR-CO-09_BT-23-1",
    stops: [],
  },
  {
    name: "VAT of a group that differs by a cent",
    sample: "multi-vendor.xml",
    edits: [
      [G1_VAT, G1_VAT.replace("30.10", "0.10")],
      [
        '<cbc:TaxAmount currencyID="EUR">30.10</cbc:TaxAmount><cac:TaxCategory>',
        '<cbc:TaxAmount currencyID="EUR">0.09</cbc:TaxAmount><cac:TaxCategory>',
      ],
    ],
    expected: "-BR-FR-MV-09_EXT-FR-FE-181",
  },
  {
    name: "a group without VAT",
    sample: "multi-vendor.xml",
    edits: [[G1_VAT, ""]],
    expected: "=BR-FR-MV-03_EXT-FR-FE-181 =BR-FR-MV-09_EXT-FR-FE-181",
    stops: ["BR-FR-MV-09_EXT-FR-FE-181"],
  },
  {
    name: "the net amount of a group that differs by a cent from its sub-line",
    sample: "multi-vendor.xml",
    edits: [
      [G2_NET, G2_NET.replace("20.00", "0.10")],
      [LINE_4_NET, LINE_4_NET.replace("20.00", "0.09")],
    ],
    expected: "-BR-FR-MV-05_EXT-FR-FE-BG-12",
  },
  {
    name: "an amount with VAT of a group that differs by a cent",
    sample: "multi-vendor.xml",
    edits: [[G2_NET, G2_NET + GROSS("24.01")]],
    expected: "-BR-FR-MV-10_EXT-FR-FE-184",
  },
  {
    name: "an amount with VAT of a group that is no number",
    sample: "multi-vendor.xml",
    edits: [[G2_NET, G2_NET + GROSS("24,00")]],
    expected: "=BR-FR-MV-10_EXT-FR-FE-184",
    stops: ["BR-FR-MV-10_EXT-FR-FE-184"],
  },
  {
    name: "a group with a group below it, whose sub-lines widen the tolerance",
    sample: "multi-vendor.xml",
    edits: [
      [G2_NET, G2_NET + GROSS("24.02")],
      [
        G3_REFERENCE,
        G3_REFERENCE.replace(
          "</cac:InvoiceDocumentReference>",
          "</cac:InvoiceDocumentReference><cac:BillingReferenceLine><cbc:ID>G2</cbc:ID></cac:BillingReferenceLine>",
        ),
      ],
    ],
    expected:
      "=BR-FR-MV-05_EXT-FR-FE-BG-12 =BR-FR-MV-06_EXT-FR-FE-167 =BR-FR-MV-07_BT-128 -BR-FR-MV-10_EXT-FR-FE-184",
  },
];

const DUE =
  '<ram:SpecifiedTradePaymentTerms><ram:DueDateDateTime><udt:DateTimeString format="102">20261109</udt:DateTimeString></ram:DueDateDateTime></ram:SpecifiedTradePaymentTerms>';
const DUE_ON = (date: string) => DUE.replace("20261109", date);
const FRAME_B1 = "<ram:ID>B1</ram:ID>";
const PAYABLE = "<ram:DuePayableAmount>120.00</ram:DuePayableAmount>";
const CII_PAID = (prepaid: string) =>
  [
    [FRAME_B1, "<ram:ID>B2</ram:ID>"],
    [
      PAYABLE,
      `<ram:TotalPrepaidAmount>${prepaid}</ram:TotalPrepaidAmount><ram:DuePayableAmount>0</ram:DuePayableAmount>`,
    ],
  ] as const;
const HEAD_NET =
  "<ram:LineTotalAmount>100.00</ram:LineTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>";
const HEAD_SUMS = (vat: string, gross: string) =>
  [
    [FRAME_B1, "<ram:ID>B8</ram:ID>"],
    [
      HEAD_NET,
      `<ram:LineTotalAmount>100.00</ram:LineTotalAmount>${
        vat && `<ram:TaxTotalAmount currencyID="EUR">${vat}</ram:TaxTotalAmount>`
      }<ram:GrandTotalAmount>${gross}</ram:GrandTotalAmount></ram:SpecifiedTradeSettlementLineMonetarySummation>`,
    ],
  ] as const;

const CII: readonly Omit<PublicationCase, "set">[] = [
  {
    name: "two payment terms that are due after the invoice",
    sample: "extended-cii/nested-groups.xml",
    edits: [[DUE, DUE + DUE_ON("20261209")]],
    expected: "-BR-FR-CO-07_BT-9",
  },
  {
    name: "two payment terms, one of which is due before the invoice",
    sample: "extended-cii/nested-groups.xml",
    edits: [[DUE, DUE + DUE_ON("20260901")]],
    expected: "=BR-FR-CO-07_BT-9",
  },
  {
    name: "two payment terms, one of which has an empty due date",
    sample: "extended-cii/nested-groups.xml",
    edits: [[DUE, DUE + DUE_ON("")]],
    expected: "=BR-FR-CO-07_BT-9",
  },
  {
    name: "two payment terms of a paid invoice",
    sample: "extended-cii/nested-groups.xml",
    edits: [...CII_PAID("120.00"), [DUE, DUE + DUE_ON("20261209")]],
    expected: "-BR-FR-CO-07_BT-9 -BR-FR-CO-09_BT-23-3",
  },
  {
    name: "a paid amount with a comma",
    sample: "extended-cii/nested-groups.xml",
    edits: CII_PAID("120,00"),
    expected: "=BR-FR-CO-09_BT-23-1",
    stops: ["BR-FR-CO-09_BT-23-1"],
  },
  {
    name: "a group with a group below it, whose sub-lines widen the tolerance",
    sample: "extended-cii/nested-groups.xml",
    edits: HEAD_SUMS("20.00", "120.02"),
    expected: "-BR-FR-MV-10_EXT-FR-FE-184",
  },
  {
    name: "a group without VAT",
    sample: "extended-cii/nested-groups.xml",
    edits: HEAD_SUMS("", "120.00"),
    expected: "=BR-FR-MV-09_EXT-FR-FE-181 =BR-FR-MV-10_EXT-FR-FE-184",
    stops: ["BR-FR-MV-09_EXT-FR-FE-181", "BR-FR-MV-10_EXT-FR-FE-184"],
  },
];

const SELLER_OF_INVOICE =
  '<ram:IssuerTradeParty><ram:GlobalID schemeID="0002">438570830</ram:GlobalID><ram:RoleCode>SE';
const SENDER = "<ram:SenderTradeParty><ram:RoleCode>WK</ram:RoleCode>";
const SENDER_WITH = (scheme: string, id: string) =>
  `<ram:SenderTradeParty><ram:GlobalID schemeID="${scheme}">${id}</ram:GlobalID><ram:RoleCode>WK</ram:RoleCode>`;

const CDAR: readonly Omit<PublicationCase, "set">[] = [
  {
    name: "an empty identifier of the seller",
    sample: "cdar/210-refused.xml",
    edits: [[SELLER_OF_INVOICE, "<ram:IssuerTradeParty><ram:GlobalID/><ram:RoleCode>SE"]],
    expected: "+BR-FR-CDV-13_MDT-129 +BR-FR-CDV-13_MDT-129-2",
  },
  {
    name: "no identifier of the seller of an invoice that was not receivable",
    sample: "cdar/501-not-receivable.xml",
    edits: [],
    expected: "",
  },
  {
    name: "a foreign seller",
    sample: "cdar/210-refused.xml",
    edits: [[SELLER_OF_INVOICE, SELLER_OF_INVOICE.replace("0002", "9930")]],
    expected: "+BR-FR-CDV-13_MDT-129-2",
  },
  {
    name: "a refusal whose sender gives its SIREN",
    sample: "cdar/210-refused.xml",
    edits: [[SENDER, SENDER_WITH("0002", "435714324")]],
    expected: "-BR-FR-CDV-CL-09_MDT-113_210B2G",
  },
  {
    name: "a refusal sent by Chorus Pro for a reason that public buyers do not have",
    sample: "cdar/210-refused.xml",
    edits: [
      [SENDER, SENDER_WITH("0238", "9999")],
      ["<ram:ReasonCode>DEST_ERR", "<ram:ReasonCode>CONTACT_ACHTR"],
    ],
    expected: "=BR-FR-CDV-CL-09_MDT-113_210B2G",
  },
];

const ATTRIBUTE = (content: string) =>
  [[
    "<ram:Name>Article D1</ram:Name>",
    `<ram:Name>Article D1</ram:Name><ram:ApplicableProductCharacteristic>${content}</ram:ApplicableProductCharacteristic>`,
  ]] as const;
const MEANS =
  "<ram:SpecifiedTradeSettlementPaymentMeans><ram:TypeCode>30</ram:TypeCode><ram:PayeePartyCreditorFinancialAccount><ram:IBANID>FR7630006000011234567890189</ram:IBANID></ram:PayeePartyCreditorFinancialAccount></ram:SpecifiedTradeSettlementPaymentMeans>";

const EXTENDED_CII: readonly Omit<PublicationCase, "set">[] = [
  {
    name: "a credit transfer with an IBAN and another account",
    sample: "extended-cii/nested-groups.xml",
    edits: [[
      "</ram:IBANID>",
      "</ram:IBANID><ram:ProprietaryID>123</ram:ProprietaryID>",
    ]],
    expected: "-BR-CO-27",
  },
  {
    name: "an item attribute without its value",
    sample: "extended-cii/nested-groups.xml",
    edits: ATTRIBUTE("<ram:Description>Taille</ram:Description>"),
    expected: "-CII-SR-072",
  },
  {
    name: "an item attribute without its name",
    sample: "extended-cii/nested-groups.xml",
    edits: ATTRIBUTE("<ram:Value>42</ram:Value>"),
    expected: "-CII-SR-069",
  },
  {
    name: "an item attribute with two values",
    sample: "extended-cii/nested-groups.xml",
    edits: ATTRIBUTE(
      "<ram:Description>Taille</ram:Description><ram:Value>42</ram:Value><ram:Value>43</ram:Value>",
    ),
    expected: "-CII-SR-072 +CII-FREXT-SR-072",
  },
  {
    name: "two means of payment, which EN 16931 does not allow",
    sample: "extended-cii/nested-groups.xml",
    edits: [[MEANS, MEANS + MEANS.replace(">30<", ">58<")]],
    expected: "+CII-SR-467",
  },
  {
    name: "two totals to pay, which EN 16931 does not allow",
    sample: "extended-cii/nested-groups.xml",
    edits: [[PAYABLE, PAYABLE + PAYABLE]],
    expected: "+CII-SR-487",
  },
];

export const PUBLICATION_CASES: readonly PublicationCase[] = [
  ...UBL.map((it) => ({ ...it, set: "br-fr-flux2-ubl" })),
  ...CII.map((it) => ({ ...it, set: "br-fr-flux2-cii" })),
  ...CDAR.map((it) => ({ ...it, set: "br-fr-cdv" })),
  ...EXTENDED_CII.map((it) => ({ ...it, set: "extended-ctc-fr-cii" })),
];
