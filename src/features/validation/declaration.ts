import type { XmlDocument, XmlElement } from "#src/xml/mod.ts";

/** What a document says about itself, as far as the choice of rules depends on it. */
export interface Declaration {
  readonly namespace: string;
  readonly root: string;
  /** CustomizationID (BT-24); "" when there is none. */
  readonly customizationId: string;
  /** Of seller and buyer, ISO 3166-1 alpha-2. */
  readonly countries: readonly string[];
}

const CAC = "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2";
const CBC = "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2";
const INVOICE = "urn:oasis:names:specification:ubl:schema:xsd:Invoice-2";
const CREDIT_NOTE = "urn:oasis:names:specification:ubl:schema:xsd:CreditNote-2";
const CDAR = "urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:100";

/** Kinds of the XSD port by expanded name of the root. */
const XSD_KINDS: ReadonlyMap<string, string> = new Map([
  [`{${INVOICE}}Invoice`, "ubl-invoice"],
  [`{${CREDIT_NOTE}}CreditNote`, "ubl-creditnote"],
  [`{${CDAR}}CrossDomainAcknowledgementAndResponse`, "cdar"],
]);

const KNOWN_ROOTS: ReadonlyMap<string, string> = new Map(
  [...XSD_KINDS.keys()].map((name) => {
    const end = name.indexOf("}");
    return [name.slice(end + 1), name.slice(1, end)];
  }),
);

export function declarationOf({ root }: XmlDocument): Declaration {
  return {
    namespace: root.ns,
    root: root.local,
    customizationId: root.child(CBC, "CustomizationID")?.text.trim() ?? "",
    countries: ["AccountingSupplierParty", "AccountingCustomerParty"]
      .map((role) => countryOf(root, role)).filter((code) => code !== ""),
  };
}

/** The schema a document must obey; undefined when we have none for such a root. */
export function xsdKindOf({ namespace, root }: Declaration): string | undefined {
  return XSD_KINDS.get(`{${namespace}}${root}`);
}

/** Where a root of this name belongs; undefined for a name that no document we know has. */
export function namespaceFor({ root }: Declaration): string | undefined {
  return KNOWN_ROOTS.get(root);
}

/** Names of the roots of documents we know. */
export function knownRoots(): string[] {
  return [...KNOWN_ROOTS.keys()];
}

function countryOf(root: XmlElement, role: string): string {
  const address = root.child(CAC, role)?.child(CAC, "Party")?.child(CAC, "PostalAddress");
  return address?.child(CAC, "Country")?.child(CBC, "IdentificationCode")?.text.trim() ?? "";
}
