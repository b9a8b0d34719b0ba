import type { XmlElement } from "#src/xml/mod.ts";
import type { Address, Contact, Delivery, Identifier, Party } from "./model.ts";
import {
  CBC,
  date,
  group,
  groups,
  identifier,
  isVat,
  present,
  readIdentifier,
  text,
  type UblNode,
} from "./nodes.ts";

/** Scheme that marks the bank-assigned creditor identifier (BT-90) among the identifiers of a party. */
const SEPA = "SEPA";

/** Reads BG-4, BG-7, BG-10, BG-11: an absent party reads as one without any property. */
export function readParty(party: UblNode): Party {
  const legal = group(party, "PartyLegalEntity");
  const registered = text(legal, "RegistrationName");
  const named = text(group(party, "PartyName"), "Name");
  return {
    name: registered ?? named,
    tradingName: registered === undefined ? undefined : named,
    ids: partyIds(party).filter((id) => id.scheme !== SEPA),
    legalId: identifier(legal, "CompanyID"),
    vatId: taxNumber(party, true),
    taxRegistrationId: taxNumber(party, false),
    legalInformation: text(legal, "CompanyLegalForm"),
    endpoint: identifier(party, "EndpointID"),
    address: readAddress(group(party, "PostalAddress")),
    contact: readContact(group(party, "Contact")),
  };
}

/** Returns BT-90, stated by the seller or else by the payee. */
export function readCreditorId(...parties: readonly UblNode[]): string | undefined {
  return parties.flatMap(partyIds).find((id) => id.scheme === SEPA)?.value;
}

/** Reads BG-13 with BG-15. */
export function readDelivery(delivery: UblNode): Delivery | undefined {
  if (!delivery) return undefined;
  const location = group(delivery, "DeliveryLocation");
  return {
    partyName: text(group(delivery, "DeliveryParty", "PartyName"), "Name"),
    locationId: identifier(location, "ID"),
    date: date(delivery, "ActualDeliveryDate"),
    address: readAddress(group(location, "Address")),
  };
}

function partyIds(party: UblNode): Identifier[] {
  return groups(party, "PartyIdentification")
    .map((holder) => readIdentifier(holder.child(CBC, "ID")))
    .filter(present);
}

function taxNumber(party: UblNode, vat: boolean): string | undefined {
  return groups(party, "PartyTaxScheme")
    .filter((scheme: XmlElement) => isVat(scheme) === vat)
    .map((scheme) => text(scheme, "CompanyID"))
    .find(present);
}

function readAddress(address: UblNode): Address | undefined {
  if (!address) return undefined;
  return {
    line1: text(address, "StreetName"),
    line2: text(address, "AdditionalStreetName"),
    line3: text(group(address, "AddressLine"), "Line"),
    city: text(address, "CityName"),
    postCode: text(address, "PostalZone"),
    subdivision: text(address, "CountrySubentity"),
    country: text(group(address, "Country"), "IdentificationCode"),
  };
}

function readContact(contact: UblNode): Contact | undefined {
  if (!contact) return undefined;
  return {
    name: text(contact, "Name"),
    phone: text(contact, "Telephone"),
    email: text(contact, "ElectronicMail"),
  };
}
