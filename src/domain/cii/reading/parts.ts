import type {
  Address,
  AllowanceCharge,
  Contact,
  Identifier,
  Party,
  Period,
  VatCategory,
} from "#src/domain/ubl/mod.ts";
import {
  all,
  at,
  date,
  decimal,
  identifierOf,
  isPresent,
  isTrue,
  type Place,
  text,
} from "./nodes.ts";

/** BG-4, BG-7, BG-10, BG-11: an absent party reads as one without any property. */
export function readParty(party: Place): Party {
  const legal = at(party, "SpecifiedLegalOrganization");
  return {
    name: text(party, "Name"),
    tradingName: text(legal, "TradingBusinessName"),
    ids: readIds(party),
    legalId: identifierOf(at(legal, "ID")),
    vatId: taxNumber(party, "VA"),
    taxRegistrationId: taxNumber(party, "FC"),
    legalInformation: text(party, "Description"),
    endpoint: identifierOf(at(party, "URIUniversalCommunication", "URIID")),
    address: readAddress(at(party, "PostalTradeAddress")),
    contact: readContact(at(party, "DefinedTradeContact")),
  };
}

/** Those without a scheme (`ram:ID`) before those with one (`ram:GlobalID`), as they stand. */
export function readIds(party: Place): Identifier[] {
  return [...all(party, "ID"), ...all(party, "GlobalID")].map(identifierOf).filter(isPresent);
}

export function readAddress(address: Place): Address | undefined {
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

/** BG-14, BG-26 */
export function readPeriod(period: Place): Period | undefined {
  const dates = { start: date(period, "StartDateTime"), end: date(period, "EndDateTime") };
  return dates.start === undefined && dates.end === undefined ? undefined : dates;
}

/** BG-20, BG-21, BG-27, BG-28: those below the place that are charges, or those that are allowances. */
export function readAllowanceCharges(place: Place, charges: boolean): AllowanceCharge[] {
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

export function readVatCategory(tax: Place): VatCategory {
  return {
    code: text(tax, "CategoryCode"),
    rate: decimal(tax, "RateApplicablePercent"),
    exemptionReason: text(tax, "ExemptionReason"),
    exemptionCode: text(tax, "ExemptionReasonCode"),
  };
}

function readContact(contact: Place): Contact | undefined {
  return contact && {
    name: text(contact, "PersonName") ?? text(contact, "DepartmentName"),
    phone: text(contact, "TelephoneUniversalCommunication", "CompleteNumber"),
    email: text(contact, "EmailURIUniversalCommunication", "URIID"),
  };
}

function taxNumber(party: Place, scheme: string): string | undefined {
  return all(party, "SpecifiedTaxRegistration").map((registration) =>
    identifierOf(at(registration, "ID"))
  ).find((id) => id?.scheme === scheme)?.value;
}
