import type { XmlDocument, XmlElement } from "#src/xml/mod.ts";

/** Declaration of a document, as far as the choice of rules depends on it. */
export interface Declaration {
  readonly namespace: string;
  readonly root: string;
  /** Specification identifier (BT-24): CustomizationID in UBL, the guideline in CII; "" when missing. */
  readonly customizationId: string;
  /** Countries of seller and buyer, ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
}

const CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
const CBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";
const INVOICE = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const CREDIT_NOTE = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
const CII = "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100";
const RAM = "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100";
const CDAR = "urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:100";

const CROSS_INDUSTRY_INVOICE = `{${CII}}CrossIndustryInvoice`;

/** Profiles that are defined on D22B: the French ones, and Factur-X. */
const D22B = /urn\.cpro\.gouv\.fr|factur-x\.eu/;

/** Kinds of the XSD port by expanded name of the root. */
const XSD_KINDS: ReadonlyMap<string, string> = new Map([
  [`{${INVOICE}}Invoice`, "ubl-invoice"],
  [`{${CREDIT_NOTE}}CreditNote`, "ubl-creditnote"],
  [CROSS_INDUSTRY_INVOICE, "cii-d16b"],
  [`{${CDAR}}CrossDomainAcknowledgementAndResponse`, "cdar"],
]);

const KNOWN_ROOTS: ReadonlyMap<string, string> = new Map(
  [...XSD_KINDS.keys()].map((name) => {
    const end = name.indexOf("}");
    return [name.slice(end + 1), name.slice(1, end)];
  }),
);

export function readDeclaration({ root }: XmlDocument): Declaration {
  const said = root.ns === CII ? declaredInCii(root) : declaredInUbl(root);
  return {
    namespace: root.ns,
    root: root.local,
    customizationId: said.customizationId?.text.trim() ?? "",
    countries: said.countries.map((code) => code?.text.trim() ?? "").filter((code) => code !== ""),
  };
}

/**
 * Returns the schema for a document; undefined when no schema exists for its root. A CII under French rules uses D22B,
 * on which France and Factur-X build; any other uses D16B, to which EN 16931 binds.
 */
export function findXsdKind(declaration: Declaration): string | undefined {
  const name = `{${declaration.namespace}}${declaration.root}`;
  const isFrench = declaration.countries.includes("FR") || D22B.test(declaration.customizationId);
  return name === CROSS_INDUSTRY_INVOICE && isFrench ? "cii-d22b" : XSD_KINDS.get(name);
}

/** Returns the namespace of a known root name; undefined for an unknown one. */
export function namespaceFor({ root }: Declaration): string | undefined {
  return KNOWN_ROOTS.get(root);
}

/** Names of the roots of documents we know. */
export function knownRoots(): string[] {
  return [...KNOWN_ROOTS.keys()];
}

interface DeclaredElements {
  readonly customizationId: XmlElement | undefined;
  readonly countries: readonly (XmlElement | undefined)[];
}

function declaredInUbl(root: XmlElement): DeclaredElements {
  const countries = ["AccountingSupplierParty", "AccountingCustomerParty"].map((role) =>
    below(root, CAC, [role, "Party", "PostalAddress", "Country"])
      ?.child(CBC, "IdentificationCode")
  );
  return { customizationId: root.child(CBC, "CustomizationID"), countries };
}

function declaredInCii(root: XmlElement): DeclaredElements {
  const context = root.child(CII, "ExchangedDocumentContext");
  const agreement = root.child(CII, "SupplyChainTradeTransaction")
    ?.child(RAM, "ApplicableHeaderTradeAgreement");
  return {
    customizationId: below(context, RAM, ["GuidelineSpecifiedDocumentContextParameter", "ID"]),
    countries: ["SellerTradeParty", "BuyerTradeParty"].map((role) =>
      below(agreement, RAM, [role, "PostalTradeAddress", "CountryID"])
    ),
  };
}

function below(
  place: XmlElement | undefined,
  namespace: string,
  names: readonly string[],
): XmlElement | undefined {
  return names.reduce((at, name) => at?.child(namespace, name), place);
}
