import type {
  Address,
  AllowanceCharge,
  Contact,
  Delivery,
  Identifier,
  Party,
  Period,
  VatCategory,
} from "#src/domain/ubl/mod.ts";
import {
  all,
  at,
  type CiiNode,
  date,
  decimal,
  findIdentifier,
  isPresent,
  isTrue,
  text,
} from "./nodes.ts";

/** Reads BG-4, BG-7, BG-10, BG-11: an absent party reads as one without any property. */
export function readParty(party: CiiNode): Party {
  const legal = at(party, "SpecifiedLegalOrganization");
  return {
    name: text(party, "Name"),
    tradingName: text(legal, "TradingBusinessName"),
    ids: readIds(party),
    legalId: findIdentifier(at(legal, "ID")),
    vatId: taxNumber(party, "VA"),
    taxRegistrationId: taxNumber(party, "FC"),
    legalInformation: text(party, "Description"),
    endpoint: findIdentifier(at(party, "URIUniversalCommunication", "URIID")),
    address: readAddress(at(party, "PostalTradeAddress")),
    contact: readContact(at(party, "DefinedTradeContact")),
  };
}

/**
 * Reads the identifiers in document order: first those without a scheme (`ram:ID`), then those with one
 * (`ram:GlobalID`).
 */
export function readIds(party: CiiNode): Identifier[] {
  return [...all(party, "ID"), ...all(party, "GlobalID")].map(findIdentifier).filter(isPresent);
}

export function readAddress(address: CiiNode): Address | undefined {
  return address && {
    line1: text(address, "LineOne"),
    line2: text(address, "LineTwo"),
    line3: text(address, "LineThree"),
    city: text(address, "CityName"),
    postCode: text(address, "PostcodeCode"),
    subdivision: text(address, "CountrySubDivisionName"),
    country: text(address, "CountryID"),
  };
}

/** Reads BG-14, BG-26. */
export function readPeriod(period: CiiNode): Period | undefined {
  const dates = { start: date(period, "StartDateTime"), end: date(period, "EndDateTime") };
  return dates.start === undefined && dates.end === undefined ? undefined : dates;
}

/** Reads BG-13 with BG-15, and the same of a line (EXTENDED). */
export function readDelivery(delivery: CiiNode): Delivery | undefined {
  const place = at(delivery, "ShipToTradeParty");
  const day = date(delivery, "ActualDeliverySupplyChainEvent", "OccurrenceDateTime");
  if (!place && day === undefined) return undefined;
  return {
    partyName: text(place, "Name"),
    locationId: readIds(place)[0],
    date: day,
    address: readAddress(at(place, "PostalTradeAddress")),
  };
}

/** Reads BG-20, BG-21, BG-27, BG-28: those below the place that are charges, or those that are allowances. */
export function readAllowanceCharges(place: CiiNode, charges: boolean): AllowanceCharge[] {
  return all(place, "SpecifiedTradeAllowanceCharge")
    .filter((entry) => isTrue(at(entry, "ChargeIndicator")) === charges)
    .map((entry) => {
      const category = at(entry, "CategoryTradeTax");
      return {
        amount: decimal(entry, "ActualAmount"),
        baseAmount: decimal(entry, "BasisAmount"),
        percentage: decimal(entry, "CalculationPercent"),
        reason: text(entry, "Reason"),
        reasonCode: text(entry, "ReasonCode"),
        vat: category && readVatCategory(category),
      };
    });
}

export function readVatCategory(tax: CiiNode): VatCategory {
  return {
    code: text(tax, "CategoryCode"),
    rate: decimal(tax, "RateApplicablePercent"),
    exemptionReason: text(tax, "ExemptionReason"),
    exemptionCode: text(tax, "ExemptionReasonCode"),
  };
}

function readContact(contact: CiiNode): Contact | undefined {
  return contact && {
    name: text(contact, "PersonName") ?? text(contact, "DepartmentName"),
    phone: text(contact, "TelephoneUniversalCommunication", "CompleteNumber"),
    email: text(contact, "EmailURIUniversalCommunication", "URIID"),
  };
}

function taxNumber(party: CiiNode, scheme: string): string | undefined {
  return all(party, "SpecifiedTaxRegistration").map((registration) =>
    findIdentifier(at(registration, "ID"))
  ).find((id) => id?.scheme === scheme)?.value;
}
