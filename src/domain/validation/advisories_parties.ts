import type { XmlElement } from "#src/xml/mod.ts";
import type { Advice } from "./advice.ts";
import {
  frenchVatKey,
  glnIsValid,
  ibanIsValid,
  ibanLength,
  sirenIsValid,
  siretIsValid,
} from "./identifiers.ts";

interface Terms {
  readonly legal?: string;
  readonly id?: string;
  readonly vat?: string;
  readonly address?: string;
}

/** Business terms of EN 16931-1 by the element that opens the party. */
const TERMS: Readonly<Record<string, Terms>> = {
  AccountingSupplierParty: { legal: "BT-30", id: "BT-29", vat: "BT-31", address: "BT-34" },
  AccountingCustomerParty: { legal: "BT-47", id: "BT-46", vat: "BT-48", address: "BT-49" },
  PayeeParty: { legal: "BT-61", id: "BT-60" },
  TaxRepresentativeParty: { vat: "BT-63" },
  Delivery: { id: "BT-71" },
};

/** Checks SIREN, SIRET and GLN, recognised anywhere by their scheme (ISO 6523). */
export function identifierAdvice(element: XmlElement): readonly Advice[] {
  const scheme = element.attr("schemeID");
  if (scheme === "0002" || scheme === "0231") return sirenAdvice(element);
  if (scheme === "0009") return siretAdvice(element);
  return scheme === "0088" ? glnAdvice(element) : [];
}

function sirenAdvice(element: XmlElement): readonly Advice[] {
  const value = element.text;
  const siren = value.trim();
  if (!/^[0-9]{9}$/.test(siren)) return [];
  const businessTerm = findTerm(element);
  const blank: readonly Advice[] = siren === value ? [] : [{
    rule: "ADV-SIREN-BLANK",
    businessTerm,
    value,
    expected: siren,
    fr: `le SIREN « ${siren} » est entouré d’espaces, que certaines PA refusent. Supprimez-les.`,
    en: `the SIREN "${siren}" is surrounded by spaces, which some PAs refuse. Remove them.`,
  }];
  return sirenIsValid(siren) ? blank : [...blank, wrongSiren(siren, { value, businessTerm })];
}

function wrongSiren(
  siren: string,
  { value, businessTerm }: { value: string; businessTerm: string | undefined },
): Advice {
  return {
    rule: "ADV-SIREN-LUHN",
    businessTerm,
    value,
    fr:
      `le SIREN ${siren} a une clé de contrôle fausse : un chiffre a sans doute été mal saisi. Vérifiez-le auprès de l’INSEE.`,
    en:
      `the SIREN ${siren} has a wrong check digit: a digit was probably mistyped. Check it with INSEE.`,
  };
}

function siretAdvice(element: XmlElement): readonly Advice[] {
  const siret = element.text.trim();
  if (!/^[0-9]{14}$/.test(siret)) return [];
  const businessTerm = findTerm(element);
  const advice: Advice[] = [];
  if (!siretIsValid(siret)) {
    advice.push({
      rule: "ADV-SIRET-LUHN",
      businessTerm,
      value: siret,
      fr:
        `le SIRET ${siret} a une clé de contrôle fausse : un chiffre a sans doute été mal saisi. Vérifiez-le auprès de l’INSEE.`,
      en:
        `the SIRET ${siret} has a wrong check digit: a digit was probably mistyped. Check it with INSEE.`,
    });
  }
  const siren = sirenBeside(element);
  if (siren !== undefined && !siret.startsWith(siren)) {
    advice.push(mismatch(siret, siren, businessTerm));
  }
  return advice;
}

function mismatch(siret: string, siren: string, businessTerm: string | undefined): Advice {
  return {
    rule: "ADV-SIRET-SIREN",
    businessTerm,
    value: siret,
    expected: `${siren}${siret.slice(9)}`,
    fr:
      `le SIRET ${siret} ne commence pas par le SIREN ${siren} de la même partie. Corrigez l’un des deux.`,
    en:
      `the SIRET ${siret} does not start with the SIREN ${siren} of the same party. Correct one of the two.`,
  };
}

function glnAdvice(element: XmlElement): readonly Advice[] {
  const gln = element.text.trim();
  if (glnIsValid(gln)) return [];
  return [{
    rule: "ADV-GLN",
    businessTerm: findTerm(element),
    value: gln,
    fr:
      `« ${gln} » n’est pas un GLN : 13 chiffres dont le dernier est une clé. Vérifiez-le auprès de GS1.`,
    en: `"${gln}" is not a GLN: 13 digits, the last of which is a check digit. Check it with GS1.`,
  }];
}

/**
 * Checks an electronic address `SIREN`, `SIREN_SIRET…` or `SIREN_SUFFIX` (scheme 0225): the SIREN, and that the
 * SIRET belongs to it.
 */
export function addressAdvice(element: XmlElement): readonly Advice[] {
  if (element.attr("schemeID") !== "0225") return [];
  const address = element.text.trim();
  const [siren = "", siret = ""] = address.split("_");
  if (!/^[0-9]{9}$/.test(siren)) return [];
  const businessTerm = findTerm(element);
  const other = /^[0-9]{14}$/.test(siret) && !siret.startsWith(siren);
  return [
    ...(sirenIsValid(siren) ? [] : [wrongSiren(siren, { value: address, businessTerm })]),
    ...(other ? [mismatch(siret, siren, businessTerm)] : []),
  ];
}

/**
 * Checks a French VAT number, however it is grouped: its key and its SIREN. Numbers of other countries are
 * ignored.
 */
export function vatNumberAdvice(element: XmlElement): readonly Advice[] {
  if (element.local !== "CompanyID" || element.parent?.local !== "PartyTaxScheme") return [];
  const [, key, siren] = /^FR([0-9A-Z]{2})([0-9]{9})$/.exec(compact(element.text)) ?? [];
  if (key === undefined || siren === undefined) return [];
  return [...vatKeyAdvice(element, { key, siren }), ...vatSirenAdvice(element, siren)];
}

/** Keys with letters follow another rule and are left alone. */
function vatKeyAdvice(
  element: XmlElement,
  { key, siren }: { key: string; siren: string },
): readonly Advice[] {
  const right = frenchVatKey(siren);
  if (!/^[0-9]{2}$/.test(key) || right === undefined || key === right) return [];
  const expected = `FR${right}${siren}`;
  return [{
    rule: "ADV-VAT-KEY",
    businessTerm: findTerm(element),
    value: element.text.trim(),
    expected,
    fr:
      `la clé ${key} du numéro de TVA ne correspond pas au SIREN ${siren}. Le numéro attendu est ${expected}.`,
    en:
      `the key ${key} of the VAT number does not belong to the SIREN ${siren}. The expected number is ${expected}.`,
  }];
}

/**
 * Compares the SIREN of a VAT number; a single taxable person's number contains that person's SIREN (scheme
 * 0231), not its member's.
 */
function vatSirenAdvice(element: XmlElement, siren: string): readonly Advice[] {
  const party = element.parent?.parent;
  const own = party && findLegalSiren(party);
  if (
    party === undefined || own === undefined || own === siren ||
    readSirens(party, { holder: "PartyIdentification", scheme: "0231" }).includes(siren)
  ) return [];
  const expected = `FR${frenchVatKey(own)}${own}`;
  return [{
    rule: "ADV-VAT-SIREN",
    businessTerm: findTerm(element),
    value: element.text.trim(),
    expected,
    fr:
      `le numéro de TVA contient le SIREN ${siren}, alors que la même partie indique le SIREN ${own}. Corrigez l’un des deux.`,
    en:
      `the VAT number holds the SIREN ${siren}, while the same party gives the SIREN ${own}. Correct one of the two.`,
  }];
}

/** Accounts that look like an IBAN, and all accounts of SEPA transfers and debits (UNTDID 4461: 58, 59). */
export function accountAdvice(element: XmlElement): readonly Advice[] {
  const account = element.parent?.local;
  if (
    element.local !== "ID" ||
    (account !== "PayeeFinancialAccount" && account !== "PayerFinancialAccount")
  ) return [];
  const value = element.text.trim();
  const iban = compact(value);
  const looksLike = /^[A-Z]{2}[0-9]{2}/.test(iban);
  if (!(looksLike || inSepa(element)) || ibanIsValid(iban)) return [];
  const length = ibanLength(iban.slice(0, 2));
  const short = length !== undefined && iban.length !== length;
  return [{
    rule: "ADV-IBAN",
    businessTerm: account === "PayeeFinancialAccount" ? "BT-84" : "BT-91",
    value,
    ...(short ? { expected: `${length}` } : {}),
    fr: short
      ? `l’IBAN ${value} compte ${iban.length} caractères au lieu de ${length}. Vérifiez-le sur le relevé d’identité bancaire.`
      : `« ${value} » n’est pas un IBAN : pays inconnu ou clé de contrôle fausse. Vérifiez-le sur le relevé d’identité bancaire.`,
    en: short
      ? `the IBAN ${value} has ${iban.length} characters instead of ${length}. Check it against the bank details.`
      : `"${value}" is not an IBAN: unknown country or wrong check digits. Check it against the bank details.`,
  }];
}

function inSepa(account: XmlElement): boolean {
  const means = ancestor(account, (element) => element.local === "PaymentMeans");
  const code = means?.elements().find((element) => element.local === "PaymentMeansCode")?.text
    .trim();
  return code === "58" || code === "59";
}

/**
 * Returns the SIREN (scheme 0002) of the party the identifier belongs to, or of the party delivered at the
 * location.
 */
function sirenBeside(element: XmlElement): string | undefined {
  const container = element.parent?.local === "PartyIdentification"
    ? element.parent.parent
    : element.parent;
  const party = container?.local === "DeliveryLocation"
    ? container.parent?.elements().find((sibling) => sibling.local === "DeliveryParty")
    : container;
  return party && findLegalSiren(party);
}

function findLegalSiren(party: XmlElement): string | undefined {
  return readSirens(party, { holder: "PartyLegalEntity", scheme: "0002" })[0];
}

/**
 * Returns the well-formed SIRENs of a scheme inside the elements `holder` of a party, or directly in it as in a
 * CDAR message.
 */
function readSirens(
  party: XmlElement,
  { holder, scheme }: { holder: string; scheme: string },
): string[] {
  return party.elements()
    .flatMap((child) => child.local === holder ? child.elements() : [child])
    .filter((it) => it.attr("schemeID") === scheme && /^\s*[0-9]{9}\s*$/.test(it.text))
    .map((it) => it.text.trim());
}

/** Normalises codes, which users group by blanks and write in either case. */
function compact(text: string): string {
  return text.replace(/\s+/g, "").toUpperCase();
}

/**
 * Returns the business term of a party. Parties inside a party (agents, providers) have terms only in the French
 * extension and are omitted.
 */
function findTerm(element: XmlElement): string | undefined {
  if (
    ancestor(element, ({ local }) => local === "AgentParty" || local === "ServiceProviderParty") !==
      undefined
  ) {
    return undefined;
  }
  const opening = ancestor(element, ({ local }) => local in TERMS);
  const terms = opening === undefined ? undefined : TERMS[opening.local];
  if (element.local === "EndpointID") return terms?.address;
  if (element.parent?.local === "PartyTaxScheme") return terms?.vat;
  return element.parent?.local === "PartyLegalEntity" ? terms?.legal : terms?.id;
}

function ancestor(
  element: XmlElement,
  matches: (element: XmlElement) => boolean,
): XmlElement | undefined {
  let current = element.parent;
  while (current !== undefined && !matches(current)) current = current.parent;
  return current;
}
