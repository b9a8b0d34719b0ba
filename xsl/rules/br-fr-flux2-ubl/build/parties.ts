/** Rules on the parties: their identifiers and electronic addresses. */

import type { Assertion, Pattern, SchemaRule } from "./schema.ts";
import {
  BUYER_PARTY,
  inDocument,
  inLine,
  OTHER_PARTIES,
  PARTIES,
  type PartyPath,
  SELLER_PARTY,
  type TermPath,
} from "./places.ts";

const NINE_DIGITS = "matches(normalize-space(.), '^\\d{9}$')";
const LEGAL_ID = "cac:PartyLegalEntity/cbc:CompanyID[@schemeID = '0002']";
const SAFE_SIGNS = "matches(., '^[A-Za-z0-9+\\-_.]+$')";

const DELIVERY: TermPath = {
  term: "BT-71",
  path: inDocument("cac:Delivery/cac:DeliveryLocation"),
  fr: "Lieu de livraison",
  en: "Delivery location",
};

const LINE_DELIVERY: TermPath = {
  term: "EXT-FR-FE-146",
  path: inLine("cac:Delivery/cac:DeliveryLocation"),
  fr: "Lieu de livraison de la ligne",
  en: "Delivery location of the line",
};

export function partyPatterns(): readonly Pattern[] {
  return [
    {
      id: "siret-and-siren",
      title: "A SIRET starts with the SIREN of its company",
      rules: siretRules(),
    },
    {
      id: "identifier-schemes",
      title: "Every identifier names its scheme, once",
      rules: schemeRules(),
    },
    { id: "electronic-addresses", title: "Electronic addresses", rules: PARTIES.map(address) },
    {
      id: "routing-codes",
      title: "Routing codes",
      rules: [SELLER_PARTY, BUYER_PARTY].map(routingCode),
    },
    { id: "siren", title: "SIREN numbers", rules: sirenRules() },
    { id: "seller-siren", title: "SIREN of the seller", rules: [sellerSiren()] },
  ];
}

function siretRules(): readonly SchemaRule[] {
  const ids = "cac:PartyIdentification/cbc:ID[@schemeID = '0009']";
  const delivered = "cac:DeliveryParty/" + LEGAL_ID;
  return [
    ...[SELLER_PARTY, BUYER_PARTY].map((party) =>
      siret(party, { ids, siren: LEGAL_ID, needed: true })
    ),
    ...OTHER_PARTIES.map((party) => siret(party, { ids, siren: LEGAL_ID, needed: false })),
    siret({ ...DELIVERY, path: "cac:Delivery" }, {
      ids: "cac:DeliveryLocation/cbc:ID[@schemeID = '0009']",
      siren: delivered,
      needed: false,
    }),
    // As published, this rule looks for a location inside the location and so never finds a SIRET.
    siret({ ...LINE_DELIVERY, path: "" }, {
      ids: "cac:DeliveryLocation/cbc:ID[@schemeID = '0009']",
      siren: delivered,
      needed: false,
      context: LINE_DELIVERY.path,
    }),
  ];
}

interface SiretPlace {
  readonly ids: string;
  readonly siren: string;
  /** True if a SIRET without a SIREN is an error. */
  readonly needed: boolean;
  readonly context?: string;
}

function siret(place: TermPath, { ids, siren, needed, context }: SiretPlace): SchemaRule {
  const alone = needed ? "" : "not($siren[string(.)]) or ";
  return {
    context: context ?? inDocument(place.path),
    lets: [{ name: "siret", value: `${ids}[1]` }, { name: "siren", value: siren }],
    asserts: [{
      id: `BR-FR-09_${place.term}`,
      see: place.term,
      test:
        `not($siret) or (matches($siret[1], '^\\d{14}$') and (${alone}substring($siret[1], 1, 9) = $siren))`,
      value: "$siret[1]",
      expected: "{$siren[1]} + NNNNN",
      en:
        `${place.en}: the SIRET "{$siret[1]}" (${place.term}) must have 14 digits and start with the SIREN "{$siren[1]}". Correct the SIRET or the SIREN.`,
      fr:
        `${place.fr} : le SIRET « {$siret[1]} » (${place.term}) doit compter 14 chiffres et commencer par le SIREN « {$siren[1]} ». Corrigez le SIRET ou le SIREN.`,
    }],
  };
}

function schemeRules(): readonly SchemaRule[] {
  return [
    ...PARTIES.map((party) =>
      schemes(party, { context: party.path, ids: "cac:PartyIdentification/cbc:ID" })
    ),
    ...[DELIVERY, LINE_DELIVERY].map((place) =>
      schemes(place, { context: place.path, ids: "cbc:ID" })
    ),
  ];
}

function schemes(place: TermPath, { context, ids }: { context: string; ids: string }): SchemaRule {
  return {
    context,
    asserts: [
      {
        id: `BR-FR-CO-10_${place.term}-1`,
        see: place.term,
        test: `not(${ids}[not(@schemeID)])`,
        value: `${ids}[not(@schemeID)][1]`,
        expected: "@schemeID",
        en:
          `${place.en}: the identifier "{${ids}[not(@schemeID)][1]}" (${place.term}) does not name its scheme. Add the attribute schemeID, for example 0009 for a SIRET.`,
        fr:
          `${place.fr} : l’identifiant « {${ids}[not(@schemeID)][1]} » (${place.term}) n’indique pas son schéma. Ajoutez l’attribut schemeID, par exemple 0009 pour un SIRET.`,
      },
      {
        id: `BR-FR-CO-10_${place.term}-2`,
        see: place.term,
        test: `count(${ids}/@schemeID) = count(distinct-values(${ids}/@schemeID))`,
        value: `${ids}/@schemeID`,
        expected: "1 × @schemeID",
        en:
          `${place.en}: two identifiers (${place.term}) have the same scheme. Keep one identifier per scheme.`,
        fr:
          `${place.fr} : deux identifiants (${place.term}) portent le même schéma. Gardez un seul identifiant par schéma.`,
      },
    ],
  };
}

function address(party: PartyPath): SchemaRule {
  return {
    context: inDocument(`${party.path}/cbc:EndpointID`),
    asserts: [
      {
        id: `BR-FR-23_${party.address}`,
        see: party.address,
        test: `not(@schemeID = '0225') or ${SAFE_SIGNS}`,
        expected: "A-Z a-z 0-9 + - _ .",
        en:
          `${party.en}: the electronic address "{.}" (${party.address}) holds a character that is not allowed. Keep letters without accent, digits and the signs + - _ and point.`,
        fr:
          `${party.fr} : l’adresse électronique « {.} » (${party.address}) contient un caractère interdit. Gardez les lettres sans accent, les chiffres et les signes + - _ et point.`,
      },
      tooLong(`BR-FR-25_${party.address}`, party.address, {
        limit: 125,
        en: `${party.en}: the electronic address`,
        fr: `${party.fr} : l’adresse électronique`,
      }),
    ],
  };
}

function routingCode(party: PartyPath): SchemaRule {
  return {
    context: inDocument(`${party.path}/cac:PartyIdentification/cbc:ID[@schemeID = '0224']`),
    asserts: [
      {
        id: `BR-FR-24_${party.term}`,
        see: party.term,
        test: SAFE_SIGNS,
        expected: "A-Z a-z 0-9 + - _ .",
        en:
          `${party.en}: the routing code "{.}" (${party.term}, scheme 0224) holds a character that is not allowed. Keep letters without accent, digits and the signs + - _ and point.`,
        fr:
          `${party.fr} : le code de routage « {.} » (${party.term}, schéma 0224) contient un caractère interdit. Gardez les lettres sans accent, les chiffres et les signes + - _ et point.`,
      },
      tooLong(`BR-FR-26_${party.term}`, party.term, {
        limit: 100,
        en: `${party.en}: the routing code`,
        fr: `${party.fr} : le code de routage`,
      }),
    ],
  };
}

function tooLong(
  id: string,
  term: string,
  about: { limit: number; en: string; fr: string },
): Assertion {
  return {
    id,
    see: term,
    test: `string-length(.) le ${about.limit}`,
    expected: `≤ ${about.limit}`,
    en:
      `${about.en} (${term}) has {string-length(.)} characters; at most ${about.limit} are allowed. Shorten it.`,
    fr:
      `${about.fr} (${term}) compte {string-length(.)} caractères ; la limite est de ${about.limit}. Raccourcissez cette valeur.`,
  };
}

function sirenRules(): readonly SchemaRule[] {
  return [
    {
      context: "cac:PartyLegalEntity/cbc:CompanyID[@schemeID = '0002']",
      asserts: [{
        id: "BR-FR-32-LEGALID",
        see: "BT-30 BT-47 BT-61",
        test: NINE_DIGITS,
        expected: "999999999",
        en:
          'Legal identifier (scheme 0002): "{.}" is not a SIREN of nine digits. Correct the number or its scheme.',
        fr:
          "Identifiant légal (schéma 0002) : « {.} » n’est pas un SIREN de 9 chiffres. Corrigez le numéro ou son schéma.",
      }],
    },
    {
      context: "cac:PartyIdentification/cbc:ID[@schemeID = ('0002', '0231')]",
      asserts: [{
        id: "BR-FR-32-ID",
        see: "BT-29 BT-46 BT-60",
        test: NINE_DIGITS,
        expected: "999999999",
        en:
          'Party identifier (scheme {@schemeID}): "{.}" is not a SIREN of nine digits. Correct the number or its scheme.',
        fr:
          "Identifiant de partie (schéma {@schemeID}) : « {.} » n’est pas un SIREN de 9 chiffres. Corrigez le numéro ou son schéma.",
      }],
    },
  ];
}

function sellerSiren(): SchemaRule {
  return {
    context: "cac:AccountingSupplierParty/cac:Party/cac:PartyLegalEntity",
    asserts: [{
      id: "BR-FR-10_BT-30",
      see: "BT-30",
      test: `cbc:CompanyID[@schemeID = '0002'][${NINE_DIGITS}]`,
      value: "cbc:CompanyID",
      expected: "999999999 @schemeID=0002",
      en:
        "Seller: the SIREN (BT-30, scheme 0002) is missing or does not have nine digits. Give the SIREN of the seller.",
      fr:
        "Vendeur : le SIREN (BT-30, schéma 0002) manque ou ne compte pas 9 chiffres. Renseignez le SIREN du vendeur.",
    }],
  };
}
