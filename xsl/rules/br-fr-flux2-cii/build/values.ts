import type { Pattern, SchemaRule } from "../../br-fr-flux2-ubl/build/schema.ts";
import { AGREEMENT, DELIVERY, DOCUMENT, LINE, LINE_SETTLEMENT, SETTLEMENT } from "./places.ts";
import { type CiiRuleInput, describe } from "./said.ts";

const ATTRIBUTE = `${LINE}/ram:SpecifiedTradeProduct/ram:ApplicableProductCharacteristic`;

const rule = (context: string, ...asked: readonly CiiRuleInput[]): SchemaRule => ({
  context,
  asserts: asked.map(describe),
});
const pattern = (id: string, title: string, rules: readonly SchemaRule[]): Pattern => ({
  id,
  title,
  rules,
});

export function valuePatterns(): readonly Pattern[] {
  return [
    pattern("numbers", "Invoice numbers", numberRules()),
    pattern("dates", "Dates", dateRules()),
    pattern("types", "Types", typeRules()),
    pattern("categories", "VAT categories", categoryRules()),
    pattern("rates", "VAT rates", rateRules()),
    pattern("attachments", "Attachments", [attachmentRule()]),
    pattern("attributes", "Item attributes", attributeRules()),
    pattern("amounts", "Amounts", amountRules()),
    pattern("quantities", "Quantities", quantityRules()),
    pattern("prices", "Prices", priceRules()),
    pattern("percentages", "Rates as written", percentRules()),
  ];
}

function numberRules(): SchemaRule[] {
  const places = [
    ["BT-1", `${DOCUMENT}/ram:ID`],
    ["BT-25", `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`],
    ["EXT-FR-FE-136", `${LINE_SETTLEMENT}/ram:InvoiceReferencedDocument/ram:IssuerAssignedID`],
  ] as const;
  return places.map(([term, path]) =>
    rule(
      path,
      { id: `BR-FR-01_${term}`, as: `BR-FR-01_${term}-1`, test: "string-length(.) <= 35" },
      {
        id: `BR-FR-02_${term}`,
        test: "matches(normalize-space(.), '^[A-Za-z0-9+\\-_/]+$') and not(contains(., ' '))",
      },
    )
  );
}

const DAY = "matches(substring(., 1, 8), '^20\\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\\d|3[01])$') and " +
  "concat(substring(., 1, 4), '-', substring(., 5, 2), '-', substring(., 7, 2)) castable as xs:date";

function dateRules(): SchemaRule[] {
  const period = "ram:BillingSpecifiedPeriod";
  const occurred = "ram:ActualDeliverySupplyChainEvent/ram:OccurrenceDateTime/udt:DateTimeString";
  const referenced = "ram:InvoiceReferencedDocument/ram:FormattedIssueDateTime/qdt:DateTimeString";
  const due = "ram:SpecifiedTradePaymentTerms/ram:DueDateDateTime/udt:DateTimeString";
  const start = `${period}/ram:StartDateTime/udt:DateTimeString`;
  const end = `${period}/ram:EndDateTime/udt:DateTimeString`;
  const places: readonly (readonly [term: string, path: string, as?: string])[] = [
    ["BT-2", `${DOCUMENT}/ram:IssueDateTime/udt:DateTimeString`],
    ["BT-7", `${SETTLEMENT}/ram:ApplicableTradeTax/ram:TaxPointDate/udt:DateString`],
    ["BT-9", `${SETTLEMENT}/${due}`],
    ["BT-26", `${SETTLEMENT}/${referenced}`],
    ["BT-72", `${DELIVERY}/${occurred}`],
    ["BT-73", `${SETTLEMENT}/${start}`],
    ["BT-74", `${SETTLEMENT}/${end}`],
    ["EXT-FR-FE-138", `${LINE_SETTLEMENT}/${referenced}`],
    ["EXT-FR-FE-158", `${LINE}/ram:SpecifiedLineTradeDelivery/${occurred}`],
    ["EXT-FR-FE-134", `${LINE_SETTLEMENT}/${start}`, "BT-134"],
    ["EXT-FR-FE-135", `${LINE_SETTLEMENT}/${end}`, "BT-135"],
  ];
  return places.map(([term, path, as = term]) =>
    rule(path, { id: `BR-FR-03_${term}`, as: `BR-FR-03_${as}`, test: DAY })
  );
}

function typeRules(): SchemaRule[] {
  const places = [
    ["BT-3", `${DOCUMENT}/ram:TypeCode`],
    ["EXT-FR-FE-02", `${SETTLEMENT}/ram:InvoiceReferencedDocument/ram:TypeCode`],
    ["EXT-FR-FE-137", `${LINE_SETTLEMENT}/ram:InvoiceReferencedDocument/ram:TypeCode`],
  ] as const;
  const ofDocument: readonly CiiRuleInput[] = [
    {
      id: "BR-FR-MV-13_BT-3",
      test: "not($multiVendor) or (normalize-space(.) != '' and not(. = $selfBilledTypes))",
    },
    {
      id: "BR-FR-BD-13_BT-3",
      as: "BR-FR-MV-BD_BT-3",
      test: "not($twoWay) or normalize-space(.) = $selfBilledTypes",
    },
  ];
  return places.map(([term, path]) =>
    rule(
      path,
      { id: `BR-FR-04_${term}`, test: ". = $documentTypes" },
      ...(term === "BT-3" ? ofDocument : []),
    )
  );
}

/** Positions of VAT details: suffixes of the rule numbers in CII and in UBL. */
const TAXED = [
  {
    rate: ["BT-96_BT-103", "BT-96"],
    category: ["BT-95_BT-102", "BR-FR-15_BT-95_BT-102-1", "BR-FR-15_BT-95_BT-102-2"],
    path: `${SETTLEMENT}/ram:SpecifiedTradeAllowanceCharge/ram:CategoryTradeTax`,
  },
  {
    rate: ["BT-119", "BT-119"],
    category: ["BT-95_BT-118", "BR-FR-15_BT-118-1", "BR-FR-15_BT-118-2"],
    path: `${SETTLEMENT}/ram:ApplicableTradeTax`,
  },
  {
    rate: ["BT-152", "BT-152"],
    category: ["BT-95_BT-151", "BR-FR-15_BT-151-1", "BR-FR-08_BT-151-2"],
    path: `${LINE_SETTLEMENT}/ram:ApplicableTradeTax`,
  },
] as const;

function categoryRules(): SchemaRule[] {
  const known = "ram:CategoryCode = $vatCategories";
  const unasked = "(empty(ram:CategoryCode) and ../../ram:AssociatedDocumentLineDocument" +
    "/ram:LineStatusReasonCode = ('GROUP', 'INFORMATION'))";
  return TAXED.map(({ category: [term, as, foreign], path }) =>
    rule(
      path,
      {
        id: `BR-FR-15_${term}`,
        as,
        test: term === "BT-95_BT-151" ? `${known} or ${unasked}` : known,
        value: "ram:CategoryCode",
      },
      {
        id: `BR-FR-15_${term}_LM`,
        as: foreign,
        test: "not(ram:CategoryCode = ('L', 'M'))",
        value: "ram:CategoryCode",
      },
    )
  );
}

function rateRules(): SchemaRule[] {
  return TAXED.map(({ rate: [term, as], path }) =>
    rule(path, {
      id: `BR-FR-16_${term}`,
      as: `BR-FR-16_${as}`,
      test: "string(ram:RateApplicablePercent) = ('', $vatRates)",
      value: "ram:RateApplicablePercent",
    })
  );
}

function attachmentRule(): SchemaRule {
  return rule(`${AGREEMENT}/ram:AdditionalReferencedDocument[ram:TypeCode = '916']`, {
    id: "BR-FR-17_BT-123",
    test: "normalize-space(ram:Name) = ('', $attachmentCodes)",
    value: "ram:Name",
  });
}

function attributeRules(): SchemaRule[] {
  const filled = "normalize-space(.) != ''";
  return [
    rule(
      ATTRIBUTE,
      { id: "BR-FR-27_BG-32", test: "exists(ram:Description | ram:TypeCode)", value: null },
      {
        id: "BR-FR-28-Value",
        test: "if (exists(ram:Value)) then empty(ram:ValueMeasure) " +
          "else exists(ram:ValueMeasure[@unitCode != ''])",
        value: null,
      },
    ),
    rule(`${ATTRIBUTE}/ram:Description`, { id: "BR-FR-27_BT-160", test: filled }),
    rule(`${ATTRIBUTE}/ram:TypeCode`, { id: "BR-FR-27_EXT-FR-FE-159", test: filled }),
  ];
}

/**
 * Returns a test for at most this many decimals and 19 characters: the published rules count a minus sign.
 */
function write(decimals: number, sign: "" | "[-]?"): string {
  return `(matches(normalize-space(.), '^${sign}\\d{1,19}(\\.\\d{1,${decimals}})?$') and ` +
    "string-length(replace(normalize-space(.), '\\.', '')) <= 19)";
}

function amountRules(): SchemaRule[] {
  const sums = `${SETTLEMENT}/ram:SpecifiedTradeSettlementHeaderMonetarySummation`;
  const lineSums = `${LINE_SETTLEMENT}/ram:SpecifiedTradeSettlementLineMonetarySummation`;
  const adjusted = "ram:SpecifiedTradeAllowanceCharge";
  const places = [
    ["BT-92_BT-99", `${SETTLEMENT}/${adjusted}/ram:ActualAmount`],
    ["BT-93_BT-100", `${SETTLEMENT}/${adjusted}/ram:BasisAmount`],
    ["BT-106", `${sums}/ram:LineTotalAmount`],
    ["BT-107", `${sums}/ram:AllowanceTotalAmount`],
    ["BT-108", `${sums}/ram:ChargeTotalAmount`],
    ["BT-109", `${sums}/ram:TaxBasisTotalAmount`],
    ["BT-110", `${sums}/ram:TaxTotalAmount`],
    ["BT-112", `${sums}/ram:GrandTotalAmount`],
    ["BT-113", `${sums}/ram:TotalPrepaidAmount`],
    ["BT-114", `${sums}/ram:RoundingAmount`],
    ["BT-115", `${sums}/ram:DuePayableAmount`],
    ["BT-116", `${SETTLEMENT}/ram:ApplicableTradeTax/ram:BasisAmount`],
    ["BT-117", `${SETTLEMENT}/ram:ApplicableTradeTax/ram:CalculatedAmount`],
    ["BT-131", `${lineSums}/ram:LineTotalAmount`],
    ["BT-136_BT-141", `${LINE_SETTLEMENT}/${adjusted}/ram:ActualAmount`],
    ["BT-137_BT-142", `${LINE_SETTLEMENT}/${adjusted}/ram:BasisAmount`],
    // Never reached, as in the published rules: the rule on BT-110 claims the same element.
    ["BT-111", `${sums}/ram:TaxTotalAmount[true()]`],
  ] as const;
  return places.map(([term, path]) =>
    rule(path, { id: `BR-FR-DEC-01_${term}`, test: write(2, "[-]?") })
  );
}

const PRICES = `${LINE}/ram:SpecifiedLineTradeAgreement`;

function quantityRules(): SchemaRule[] {
  const test = write(4, "[-]?");
  return [
    rule(`${LINE}/ram:SpecifiedLineTradeDelivery/ram:BilledQuantity`, {
      id: "BR-FR-DEC-02_BT-129",
      test,
    }),
    rule(`${PRICES}/ram:NetPriceProductTradePrice/ram:BasisQuantity`, {
      id: "BR-FR-DEC-02_BT-149",
      test,
    }),
  ];
}

function priceRules(): SchemaRule[] {
  const gross = `${PRICES}/ram:GrossPriceProductTradePrice`;
  const places = [
    ["BT-146", `${PRICES}/ram:NetPriceProductTradePrice/ram:ChargeAmount`],
    ["BT-147", `${gross}/ram:AppliedTradeAllowanceCharge/ram:ActualAmount`],
    ["BT-148", `${gross}/ram:ChargeAmount`],
  ] as const;
  const test = `if ($twoWay) then ${write(6, "[-]?")} else ${write(6, "")}`;
  return places.map(([term, path]) => rule(path, { id: `BR-FR-DEC-03_${term}`, test }));
}

function percentRules(): SchemaRule[] {
  const test = "matches(normalize-space(.), '^\\d{1,4}(\\.\\d{1,2})?$') and " +
    "string-length(replace(normalize-space(.), '\\.', '')) <= 4";
  return TAXED.map(({ rate: [term], path }) =>
    rule(`${path}/ram:RateApplicablePercent`, { id: `BR-FR-DEC-04_${term}`, test })
  );
}
