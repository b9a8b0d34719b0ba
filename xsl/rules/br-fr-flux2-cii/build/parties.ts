import type { Pattern, SchemaRule } from "../../br-fr-flux2-ubl/build/schema.ts";
import { AGREEMENT, DELIVERY, LINE, SETTLEMENT } from "./places.ts";
import { describe } from "./said.ts";

interface Party {
  /** Suffix of the rule numbers for its identifiers, and for its electronic address. */
  readonly term: string;
  readonly address?: string;
  readonly path: string;
}

const PARTIES: readonly Party[] = [
  { term: "BT-29", address: "BT-34", path: `${AGREEMENT}/ram:SellerTradeParty` },
  { term: "BT-46", address: "BT-49", path: `${AGREEMENT}/ram:BuyerTradeParty` },
  { term: "BT-60", address: "EXT-FR-FE-29", path: `${SETTLEMENT}/ram:PayeeTradeParty` },
  { term: "EXT-FR-FE-06", address: "EXT-FR-FE-12", path: `${AGREEMENT}/ram:BuyerAgentTradeParty` },
  { term: "EXT-FR-FE-46", address: "EXT-FR-FE-52", path: `${SETTLEMENT}/ram:PayerTradeParty` },
  { term: "EXT-FR-FE-69", address: "EXT-FR-FE-75", path: `${AGREEMENT}/ram:SalesAgentTradeParty` },
  { term: "EXT-FR-FE-92", address: "EXT-FR-FE-98", path: `${SETTLEMENT}/ram:InvoiceeTradeParty` },
  { term: "EXT-FR-FE-115", address: "EXT-FR-FE-121", path: `${SETTLEMENT}/ram:InvoicerTradeParty` },
  { term: "BT-71", path: `${DELIVERY}/ram:ShipToTradeParty` },
  { term: "EXT-FR-FE-146", path: `${LINE}/ram:SpecifiedLineTradeDelivery/ram:ShipToTradeParty` },
];

const FORMAT = "matches(., '^[A-Za-z0-9+\\-_.]+$')";

export function partyPatterns(): readonly Pattern[] {
  return [
    { id: "parties", title: "Identifiers of parties", rules: PARTIES.map(identifierRule) },
    { id: "addresses", title: "Electronic addresses", rules: PARTIES.flatMap(addressRules) },
    { id: "routing", title: "Routing codes", rules: routingRules() },
    { id: "sirens", title: "SIREN", rules: sirenRules() },
  ];
}

/**
 * Returns the rule on a party's identifiers. Seller and buyer need the SIREN; for the others the first digits
 * of the SIRET replace it.
 */
function identifierRule({ term, path }: Party): SchemaRule {
  const legal = "ram:SpecifiedLegalOrganization/ram:ID[@schemeID = '0002']";
  const siren = term === "BT-29" || term === "BT-46"
    ? legal
    : `if (string(${legal}) != '') then ${legal} else substring($siret[1], 1, 9)`;
  return {
    context: path,
    lets: [
      { name: "siret", value: "ram:GlobalID[@schemeID = '0009']" },
      { name: "siren", value: siren },
    ],
    asserts: [
      describe({
        id: `BR-FR-09_${term}`,
        test: "empty($siret) or (matches($siret[1], '^\\d{14}$') and " +
          "substring($siret[1], 1, 9) = $siren)",
        value: "$siret[1]",
      }),
      describe({
        id: `BR-FR-CO-10_${term}-1`,
        test: "empty(ram:GlobalID[empty(@schemeID)])",
        value: "ram:GlobalID[empty(@schemeID)][1]",
      }),
      describe({
        id: `BR-FR-CO-10_${term}-2`,
        test: "count(distinct-values(ram:GlobalID/@schemeID)) = count(ram:GlobalID/@schemeID)",
        value: null,
      }),
    ],
  };
}

/** Returns both rules in one context: the format applies to addresses of scheme 0225 only. */
function addressRules({ address, path }: Party): SchemaRule[] {
  if (address === undefined) return [];
  return [{
    context: `${path}/ram:URIUniversalCommunication/ram:URIID`,
    asserts: [
      describe({ id: `BR-FR-23_${address}`, test: `not(@schemeID = '0225') or ${FORMAT}` }),
      describe({ id: `BR-FR-25_${address}`, test: "string-length(.) <= 125" }),
    ],
  }];
}

function routingRules(): SchemaRule[] {
  return PARTIES.slice(0, 2).map(({ term, path }) => ({
    context: `${path}/ram:GlobalID[@schemeID = '0224']`,
    asserts: [
      describe({ id: `BR-FR-24_${term}`, test: FORMAT }),
      describe({ id: `BR-FR-26_${term}`, test: "string-length(.) <= 100" }),
    ],
  }));
}

function sirenRules(): SchemaRule[] {
  const test = "matches(normalize-space(.), '^\\d{9}$')";
  return [
    {
      context: "ram:SpecifiedLegalOrganization/ram:ID[@schemeID = '0002']",
      asserts: [describe({ id: "BR-FR-32-LEGALID", test })],
    },
    {
      context: "ram:GlobalID[@schemeID = ('0002', '0231')]",
      asserts: [describe({ id: "BR-FR-32-GLOBALID", as: "BR-FR-32-ID", test })],
    },
  ];
}
