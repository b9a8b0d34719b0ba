import type {
  Address,
  AllowanceCharge,
  Identifier,
  Party,
  Period,
  VatCategory,
} from "#src/domain/ubl/mod.ts";
import { group, leaf, type XmlPart } from "./xml.ts";

/** Writes `yyyyMMdd` as UNTDID 2379 code 102 of the qualified or unqualified date type. */
export function dateIn(
  name: string,
  date: string | undefined,
  prefix: "udt" | "qdt" = "udt",
): XmlPart {
  return group(name, leaf(`${prefix}:DateTimeString`, compact(date), { format: "102" }));
}

export function compact(date: string | undefined): string | undefined {
  return date?.replaceAll("-", "");
}

/** Writes identifiers; the schema requires those without scheme before those with one. */
export function identifiers(ids: readonly (Identifier | undefined)[]): XmlPart[] {
  const given = ids.filter((id) => id !== undefined);
  return [
    ...given.filter((id) => id.scheme === undefined).map((id) => leaf("ram:ID", id.value)),
    ...given.filter((id) => id.scheme !== undefined).map((id) =>
      leaf("ram:GlobalID", id.value, { schemeID: id.scheme })
    ),
  ];
}

export function party(name: string, given: Party | undefined): XmlPart {
  if (!given) return undefined;
  return group(
    name,
    identifiers(given.ids),
    leaf("ram:Name", given.name),
    leaf("ram:Description", given.legalInformation),
    group(
      "ram:SpecifiedLegalOrganization",
      leaf("ram:ID", given.legalId?.value, { schemeID: given.legalId?.scheme }),
      leaf("ram:TradingBusinessName", given.tradingName),
    ),
    group(
      "ram:DefinedTradeContact",
      leaf("ram:PersonName", given.contact?.name),
      group(
        "ram:TelephoneUniversalCommunication",
        leaf("ram:CompleteNumber", given.contact?.phone),
      ),
      group("ram:EmailURIUniversalCommunication", leaf("ram:URIID", given.contact?.email)),
    ),
    address(given.address),
    group(
      "ram:URIUniversalCommunication",
      leaf("ram:URIID", given.endpoint?.value, { schemeID: given.endpoint?.scheme }),
    ),
    taxRegistration(given.vatId, "VA"),
    taxRegistration(given.taxRegistrationId, "FC"),
  );
}

export function address(given: Address | undefined): XmlPart {
  return group(
    "ram:PostalTradeAddress",
    leaf("ram:PostcodeCode", given?.postCode),
    leaf("ram:LineOne", given?.line1),
    leaf("ram:LineTwo", given?.line2),
    leaf("ram:LineThree", given?.line3),
    leaf("ram:CityName", given?.city),
    leaf("ram:CountryID", given?.country),
    leaf("ram:CountrySubDivisionName", given?.subdivision),
  );
}

/** Allowances first, as the groups BG-20 and BG-21 (or BG-27 and BG-28) come in the model. */
export function adjustments(
  allowances: readonly AllowanceCharge[],
  charges: readonly AllowanceCharge[],
): XmlPart[] {
  return [
    ...allowances.map((entry) => adjustment(entry, "false")),
    ...charges.map((entry) => adjustment(entry, "true")),
  ];
}

export function period(given: Period | undefined): XmlPart {
  return group(
    "ram:BillingSpecifiedPeriod",
    dateIn("ram:StartDateTime", given?.start),
    dateIn("ram:EndDateTime", given?.end),
  );
}

/** Writes category and rate of VAT on a line, an allowance or a charge. */
export function vat(name: string, category: VatCategory | undefined): XmlPart {
  if (category?.code === undefined && category?.rate === undefined) return undefined;
  return group(
    name,
    leaf("ram:TypeCode", "VAT"),
    leaf("ram:CategoryCode", category.code),
    leaf("ram:RateApplicablePercent", category.rate),
  );
}

function adjustment(entry: AllowanceCharge, isCharge: "true" | "false"): XmlPart {
  return group(
    "ram:SpecifiedTradeAllowanceCharge",
    group("ram:ChargeIndicator", leaf("udt:Indicator", isCharge)),
    leaf("ram:CalculationPercent", entry.percentage),
    leaf("ram:BasisAmount", entry.baseAmount),
    leaf("ram:ActualAmount", entry.amount),
    leaf("ram:ReasonCode", entry.reasonCode),
    leaf("ram:Reason", entry.reason),
    vat("ram:CategoryTradeTax", entry.vat),
  );
}

function taxRegistration(id: string | undefined, scheme: "VA" | "FC"): XmlPart {
  return group("ram:SpecifiedTaxRegistration", leaf("ram:ID", id, { schemeID: scheme }));
}
