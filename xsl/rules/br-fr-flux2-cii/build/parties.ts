import type { Pattern, Rule } from "../../br-fr-flux2-ubl/build/schema.ts";
import { AGREEMENT, DELIVERY, LINE, SETTLEMENT } from "./places.ts";
import { said } from "./said.ts";

interface Party {
  /** End of the numbers of the rules on its identifiers, and on its electronic address. */
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

/** Seller and buyer must give the SIREN; of the others the SIRET's own head stands in for it. */
function identifierRule({ term, path }: Party): Rule {
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
      said({
        id: `BR-FR-09_${term}`,
        test: "empty($siret) or (matches($siret[1], '^\\d{14}$') and " +
          "substring($siret[1], 1, 9) = $siren)",
        value: "$siret[1]",
      }),
      said({
        id: `BR-FR-CO-10_${term}-1`,
        test: "empty(ram:GlobalID[empty(@schemeID)])",
        value: "ram:GlobalID[empty(@schemeID)][1]",
      }),
      said({
        id: `BR-FR-CO-10_${term}-2`,
        test: "count(distinct-values(ram:GlobalID/@schemeID)) = count(ram:GlobalID/@schemeID)",
        value: null,
      }),
    ],
  };
}

/** One context for both rules: the format is asked of addresses of scheme 0225 alone. */
function addressRules({ address, path }: Party): Rule[] {
  if (address === undefined) return [];
  return [{
    context: `${path}/ram:URIUniversalCommunication/ram:URIID`,
    asserts: [
      said({ id: `BR-FR-23_${address}`, test: `not(@schemeID = '0225') or ${FORMAT}` }),
      said({ id: `BR-FR-25_${address}`, test: "string-length(.) <= 125" }),
    ],
  }];
}

function routingRules(): Rule[] {
  return PARTIES.slice(0, 2).map(({ term, path }) => ({
    context: `${path}/ram:GlobalID[@schemeID = '0224']`,
    asserts: [
      said({ id: `BR-FR-24_${term}`, test: FORMAT }),
      said({ id: `BR-FR-26_${term}`, test: "string-length(.) <= 100" }),
    ],
  }));
}

function sirenRules(): Rule[] {
  const test = "matches(normalize-space(.), '^\\d{9}$')";
  return [
    {
      context: "ram:SpecifiedLegalOrganization/ram:ID[@schemeID = '0002']",
      asserts: [said({ id: "BR-FR-32-LEGALID", test })],
    },
    {
      context: "ram:GlobalID[@schemeID = ('0002', '0231')]",
      asserts: [said({ id: "BR-FR-32-GLOBALID", as: "BR-FR-32-ID", test })],
    },
  ];
}
