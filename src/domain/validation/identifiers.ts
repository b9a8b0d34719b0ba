/** Check digits and shapes of the identifiers an invoice carries. Every function takes any string and never throws. */

const LA_POSTE = "356000000";

/** Validates nine digits with their check digit (ISO/IEC 7812, Luhn). */
export function sirenIsValid(siren: string): boolean {
  return /^[0-9]{9}$/.test(siren) && luhnSum(siren) % 10 === 0;
}

/**
 * Validates fourteen digits with their check digit. The establishments of La Poste follow their own rule (INSEE):
 * digits sum to a multiple of 5.
 */
export function siretIsValid(siret: string): boolean {
  if (!/^[0-9]{14}$/.test(siret)) return false;
  if (luhnSum(siret) % 10 === 0) return true;
  return siret.startsWith(LA_POSTE) && digitSum(siret) % 5 === 0;
}

/**
 * Returns the two-digit key of a French VAT number (CGI, annex II art. 242 nonies): "40" for 438570830; undefined
 * when the SIREN is not nine digits.
 */
export function frenchVatKey(siren: string): string | undefined {
  if (!/^[0-9]{9}$/.test(siren)) return undefined;
  return String((12 + 3 * (Number(siren) % 97)) % 97).padStart(2, "0");
}

/**
 * Validates an IBAN (ISO 13616): known country, its length, and remainder 1 of 97; spaces between groups are
 * allowed.
 */
export function ibanIsValid(iban: string): boolean {
  return isIbanShape(iban) && remainderOf97(iban.replaceAll(" ", "")) === 1;
}

/** Returns true for the signs of an IBAN in the length of its country, whose check digits are wrong. */
export function hasWrongIbanKey(iban: string): boolean {
  return isIbanShape(iban) && !ibanIsValid(iban);
}

function isIbanShape(iban: string): boolean {
  const compact = iban.replaceAll(" ", "");
  return /^[A-Z]{2}[0-9]{2}[A-Z0-9]+$/.test(compact) &&
    compact.length === ibanLength(compact.slice(0, 2));
}

/** Returns the length of an IBAN of this country; undefined when the country has none. */
export function ibanLength(country: string): number | undefined {
  return IBAN_LENGTHS.get(country);
}

/** Validates thirteen digits with their check digit (GS1 General Specifications, 7.9). */
export function glnIsValid(gln: string): boolean {
  if (!/^[0-9]{13}$/.test(gln)) return false;
  const sum = [...gln].reduce(
    (total, digit, index) => total + Number(digit) * (index % 2 === 0 ? 1 : 3),
    0,
  );
  return sum % 10 === 0;
}

/** Validates a day of the Gregorian calendar, YYYY-MM-DD. */
export function dateExists(date: string): boolean {
  const [, year, month, day] = /^([0-9]{4})-([0-9]{2})-([0-9]{2})$/.exec(date) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  return Number(month) >= 1 && Number(month) <= 12 && Number(day) >= 1 &&
    Number(day) <= daysIn(Number(year), Number(month));
}

function daysIn(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return [4, 6, 9, 11].includes(month) ? 30 : 31;
}

function luhnSum(digits: string): number {
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighed = index % 2 === 0 ? digit : digit * 2;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return sum;
}

function digitSum(digits: string): number {
  return [...digits].reduce((sum, digit) => sum + Number(digit), 0);
}

/** Computes the remainder with country and key moved to the end and letters read as 10 to 35. */
function remainderOf97(iban: string): number {
  let remainder = 0;
  for (const sign of iban.slice(4) + iban.slice(0, 4)) {
    const value = parseInt(sign, 36);
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}

/** SWIFT IBAN Registry, release 99: length by country. */
const IBAN_LENGTHS: ReadonlyMap<string, number> = new Map(
  ("AD24 AE23 AL28 AT20 AZ28 BA20 BE16 BG22 BH22 BI27 BR29 BY28 CH21 CR22 CY28 CZ24 DE22 DJ27 DK18 DO28 EE20 EG29 ES24 " +
    "FI18 FK18 FO18 FR27 GB22 GE22 GI23 GL18 GR27 GT28 HN28 HR21 HU28 IE22 IL23 IQ23 IS26 IT27 JO30 KW30 KZ20 LB28 LC32 " +
    "LI21 LT20 LU20 LV21 LY25 MC27 MD24 ME22 MK19 MN20 MR27 MT31 MU30 NI28 NL18 NO15 OM23 PK24 PL28 PS29 PT25 QA29 RO24 " +
    "RS22 RU33 SA24 SC31 SD18 SE24 SI19 SK24 SM27 SO23 ST25 SV28 TL23 TN24 TR26 UA29 VA22 VG24 XK20 YE30")
    .split(" ")
    .map((entry) => [entry.slice(0, 2), Number(entry.slice(2))]),
);
