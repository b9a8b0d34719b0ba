import {
  getElement,
  groupedBy,
  localName,
  type Particle,
  schemaText,
  sequenceType,
  valueType,
} from "./generate_parts.ts";

const UBL = "urn:oasis:names:specification:ubl:schema:xsd";
const NAMESPACES = {
  cac: `${UBL}:CommonAggregateComponents-2`,
  cbc: `${UBL}:CommonBasicComponents-2`,
  ext: `${UBL}:CommonExtensionComponents-2`,
  dt: "urn:passerelle:xsd:ubl-2.1:datatypes",
};
const DOCUMENTS = ["Invoice", "CreditNote"];
const FOLDER = "ubl-2.1";

/**
 * Returns the UBL schemas by path. Columns of the model: parent type, position, element, kind, type, min,
 * max; of the data types: name, content, attributes.
 */
export function ublFiles(model: string[][], datatypes: string[][]): Record<string, string> {
  const parents = groupedBy(model);
  const documents = DOCUMENTS.map((name) => [
    `${FOLDER}/${name}.xsd`,
    documentSchema(name, particles(parents.get(`${name}Type`) ?? [])),
  ]);
  return {
    [`${FOLDER}/datatypes.xsd`]: datatypeSchema(datatypes),
    [`${FOLDER}/basic.xsd`]: basicSchema(model),
    [`${FOLDER}/aggregate.xsd`]: aggregateSchema(model, parents),
    [`${FOLDER}/extension.xsd`]: extensionSchema(),
    ...Object.fromEntries(documents),
  };
}

function documentSchema(name: string, content: Particle[]): string {
  const namespace = `${UBL}:${name}-2`;
  const { cac, cbc, ext } = NAMESPACES;
  return schemaText({
    namespace,
    prefixes: { doc: namespace, cac, cbc, ext },
    imports: { cac: "aggregate.xsd", cbc: "basic.xsd", ext: "extension.xsd" },
    body: [getElement(name, `doc:${name}Type`), sequenceType(`${name}Type`, content)],
  });
}

function datatypeSchema(datatypes: string[][]): string {
  const body = datatypes.map(([name = "", content = "", attributes = ""]) =>
    valueType(name, content, attributes.split(" ").filter((text) => text !== ""))
  );
  return schemaText({ namespace: NAMESPACES.dt, prefixes: {}, imports: {}, body });
}

function basicSchema(model: string[][]): string {
  const elements = getTypes(model, "basic");
  const body = elements.map(([element, type]) => getElement(localName(element), `dt:${type}`));
  const { dt, cbc } = NAMESPACES;
  return schemaText({ namespace: cbc, prefixes: { dt }, imports: { dt: "datatypes.xsd" }, body });
}

function aggregateSchema(model: string[][], parents: Map<string, string[][]>): string {
  const elements = getTypes(model, "aggregate");
  const documents = DOCUMENTS.map((name) => `${name}Type`);
  const types = [...parents.keys()].filter((name) => !documents.includes(name)).sort();
  const { cac, cbc } = NAMESPACES;
  return schemaText({
    namespace: cac,
    prefixes: { cac, cbc },
    imports: { cbc: "basic.xsd" },
    body: [
      ...elements.map(([element, type]) => getElement(localName(element), `cac:${type}`)),
      ...types.map((name) => sequenceType(name, particles(parents.get(name) ?? []))),
    ],
  });
}

/**
 * Returns the extension schema. Extensions may contain anything; declared elements are checked, others are
 * skipped.
 */
function extensionSchema(): string {
  const { cbc, dt, ext } = NAMESPACES;
  const facts = {
    ExtensionAgencyID: "IdentifierType",
    ExtensionAgencyName: "TextType",
    ExtensionVersionID: "IdentifierType",
    ExtensionAgencyURI: "IdentifierType",
    ExtensionURI: "IdentifierType",
    ExtensionReasonCode: "CodeType",
    ExtensionReason: "TextType",
  };
  const optional = ["cbc:ID", "cbc:Name", ...Object.keys(facts).map((name) => `ext:${name}`)]
    .map((element) => ({ element, min: "0", max: "1" }));
  const content = { element: "ext:ExtensionContent", min: "1", max: "1" };
  return schemaText({
    namespace: ext,
    prefixes: { cbc, dt, ext },
    imports: { cbc: "basic.xsd", dt: "datatypes.xsd" },
    body: [
      getElement("UBLExtensions", "ext:UBLExtensionsType"),
      getElement("UBLExtension", "ext:UBLExtensionType"),
      getElement("ExtensionContent", "ext:ExtensionContentType"),
      ...Object.entries(facts).map(([name, type]) => getElement(name, `dt:${type}`)),
      sequenceType("UBLExtensionsType", [{ element: "ext:UBLExtension", min: "1", max: "n" }]),
      sequenceType("UBLExtensionType", [...optional, content]),
      `  <xs:complexType name="ExtensionContentType" mixed="true">`,
      `    <xs:sequence>`,
      `      <xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>`,
      `    </xs:sequence>`,
      `  </xs:complexType>`,
    ],
  });
}

function getTypes(model: string[][], kind: string): [string, string][] {
  const types = new Map<string, string>();
  for (const [, , element = "", rowKind, type = ""] of model) {
    if (rowKind !== kind) continue;
    const known = types.get(element);
    if (known !== undefined && known !== type) throw new Error(`${element} has two types`);
    types.set(element, type);
  }
  return [...types].sort(([a], [b]) => (a < b ? -1 : 1));
}

function particles(rows: string[][]): Particle[] {
  return rows.toSorted((a, b) => Number(a[1]) - Number(b[1]))
    .map(([, , element = "", , , min = "", max = ""]) => ({ element, min, max }));
}
