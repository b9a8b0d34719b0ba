import { say, type Sentence } from "#src/kernel/i18n/sentence.ts";
import {
  frenchVatKey,
  hasWrongIbanKey,
  ibanIsValid,
  sirenIsValid,
  siretIsValid,
} from "../validation/identifiers.ts";
import type { PropertySpecs } from "./property.ts";

/** Removes the blanks that people type into long numbers. */
const dense = (text: string) => text.replaceAll(/[\s\u00a0\u202f]/g, "");

/** Shape of an account number, which templates of companies and of documents share. */
export const IBAN_SHAPE = {
  of: { test: (text: string) => ibanIsValid(dense(text)) },
  explain: (text: string) =>
    hasWrongIbanKey(dense(text))
      ? say`The check digits of this IBAN are wrong: check its digits`
      : undefined,
  expected: say`an IBAN with its check digits, for example FR76 3000 6000 0112 3456 7890 189`,
};

/** Shape of a SIREN, which may have spaces. */
export const SIREN_SHAPE = {
  of: { test: (text: string) => sirenIsValid(dense(text)) },
  expected: say`a SIREN: nine digits, of which the last is a check digit`,
};

/**
 * Identity of a company that issues invoices. One template is one company, so that an installation can have
 * several.
 */
export const COMPANY_CATALOGUE = {
  name: {
    label: { en: "Company name", fr: "Raison sociale" },
    type: "text",
    help: { en: "Registered name", fr: "Nom inscrit au registre" },
  },
  siren: {
    label: { en: "SIREN", fr: "SIREN" },
    type: "text",
    shape: SIREN_SHAPE,
    help: { en: "Nine digits", fr: "Neuf chiffres" },
  },
  siret: {
    label: { en: "SIRET", fr: "SIRET" },
    type: "text",
    shape: {
      of: { test: (text) => siretIsValid(dense(text)) },
      expected: say`a SIRET: fourteen digits, of which the last is a check digit`,
    },
    help: { en: "Fourteen digits of the registered office", fr: "Quatorze chiffres du siège" },
  },
  vatNumber: {
    label: { en: "VAT number", fr: "Numéro de TVA" },
    type: "text",
    isCode: true,
    shape: {
      of: { test: (text) => isVatNumber(dense(text)) },
      explain: (text) =>
        /^FR..\d{9}$/.test(dense(text)) && sirenIsValid(dense(text).slice(4))
          ? say`The key of this VAT number is wrong: check the two characters after FR`
          : undefined,
      expected: say`a VAT number, for example FR40303265045`,
    },
    help: {
      en: "With the country, for example FR40303265045",
      fr: "Avec le pays, par exemple FR40303265045",
    },
  },
  street: {
    label: { en: "Address", fr: "Adresse" },
    type: "text",
    help: { en: "Number and street", fr: "Numéro et voie" },
  },
  street2: {
    label: { en: "Address, second line", fr: "Complément d'adresse" },
    type: "text",
    help: { en: "Building, floor, post box", fr: "Bâtiment, étage, boîte postale" },
  },
  postCode: {
    label: { en: "Post code", fr: "Code postal" },
    type: "text",
    help: { en: "Post code", fr: "Code postal" },
  },
  city: {
    label: { en: "City", fr: "Ville" },
    type: "text",
    help: { en: "City", fr: "Ville" },
  },
  country: {
    label: { en: "Country", fr: "Pays" },
    type: "text",
    isCode: true,
    shape: { of: /^[A-Z]{2}$/, expected: say`a country code of two capitals, for example FR` },
    default: "FR",
    help: { en: "Code of two letters", fr: "Code de deux lettres" },
  },
  iban: {
    label: { en: "IBAN", fr: "IBAN" },
    type: "text",
    isCode: true,
    shape: IBAN_SHAPE,
    help: {
      en: "Account that customers pay to, where the ERP and the document template name none",
      fr:
        "Compte que vos clients créditent, quand ni l'ERP ni le modèle de document n'en indiquent",
    },
  },
  bic: {
    label: { en: "BIC", fr: "BIC" },
    type: "text",
    isCode: true,
    shape: {
      of: /^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/,
      expected: say`a BIC of 8 or 11 characters, for example BNPAFRPP`,
    },
    help: { en: "Code of the bank", fr: "Code de la banque" },
  },
  vatRegime: {
    label: { en: "VAT regime", fr: "Régime de TVA" },
    type: "choice",
    choices: ["monthly", "quarterly", "simplified", "exempt"],
    choiceLabels: {
      monthly: { en: "Normal, monthly", fr: "Réel normal, mensuel" },
      quarterly: { en: "Normal, quarterly", fr: "Réel normal, trimestriel" },
      simplified: { en: "Simplified", fr: "Réel simplifié" },
      exempt: { en: "Exempt (small business)", fr: "Franchise en base" },
    },
    help: {
      en: "Sets the periods of e-reporting",
      fr: "Détermine les périodes de l'e-reporting",
    },
  },
  electronicAddress: {
    label: { en: "Electronic address", fr: "Adresse électronique de facturation" },
    type: "text",
    shape: {
      of: /^\d{9}(_[A-Za-z0-9_+-]{1,115})?$/,
      expected: say`the SIREN, or the SIREN with a suffix, for example 303265045_SALES`,
    },
    otherwise: { en: "the SIREN", fr: "le SIREN" },
    help: {
      en: "Address in the directory (scheme 0225)",
      fr: "Adresse dans l'annuaire (schéma 0225)",
    },
  },
} as const satisfies PropertySpecs;

function isVatNumber(text: string): boolean {
  const french = /^FR([0-9A-Z]{2})(\d{9})$/.exec(text);
  if (!french) return /^(?!FR)[A-Z]{2}[0-9A-Z+*]{2,13}$/.test(text);
  const [, key = "", siren = ""] = french;
  // Keys with letters follow another rule, which only the tax office computes.
  return sirenIsValid(siren) && (/[A-Z]/.test(key) || key === frenchVatKey(siren));
}

interface Company {
  readonly properties: Readonly<Record<string, string>>;
}

/** Returns the contradictions between the numbers of a company. */
export function problemsOfCompany(company: Company): Sentence[] {
  return contradictions(company).map(({ name, given, siren }) =>
    say`${name} is ${given}, which is not of the SIREN ${siren}`
  );
}

/** Returns the same contradictions by property, for the fields of a form. */
export function fieldsOfCompany(company: Company): [name: string, problem: Sentence][] {
  return contradictions(company).map((
    { name, siren },
  ) => [name, say`This number does not belong to the SIREN ${siren}`]);
}

function contradictions({ properties }: Company) {
  const read = (name: string) =>
    dense(Object.hasOwn(properties, name) ? properties[name] ?? "" : "");
  const siren = read("siren");
  const [siret, vatNumber, address] = ["siret", "vatNumber", "electronicAddress"].map(read);
  if (!siren) return [];
  const others: [string, string | undefined, string | undefined][] = [
    ["siret", siret, siret?.slice(0, 9)],
    ["vatNumber", vatNumber, vatNumber?.startsWith("FR") ? vatNumber.slice(4) : siren],
    ["electronicAddress", address, address?.slice(0, 9)],
  ];
  return others.flatMap(([name, given, part]) =>
    given && part !== siren ? [{ name, given, siren }] : []
  );
}
