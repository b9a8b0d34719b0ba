import { groupedBy, localName, schemaText, valueType, type XsdDocument } from "./generate_parts.ts";

const UNCEFACT = "urn:un:unece:uncefact:data:standard";
const LIBRARIES = {
  ram: `${UNCEFACT}:ReusableAggregateBusinessInformationEntity:100`,
  udt: `${UNCEFACT}:UnqualifiedDataType:100`,
  qdt: `${UNCEFACT}:QualifiedDataType:100`,
};

/**
 * Returns the schemas of one UN/CEFACT message in one directory, in their own folder. Columns of the model:
 * parent type (the message itself first), element, type, min, max. Columns of the data types: type, element
 * (for a choice of elements), content, attributes.
 */
export function uncefactFiles(
  folder: string,
  model: string[][],
  datatypes: string[][],
): Record<string, string> {
  const [[message, parts] = ["", []], ...aggregates] = groupedBy(model);
  const rsm = `${UNCEFACT}:${message}:100`;
  const { ram, udt, qdt } = LIBRARIES;
  const values = (prefix: "udt" | "qdt") =>
    [...groupedBy(datatypes)].filter(([name]) => name.startsWith(`${prefix}:`))
      .flatMap(([name, rows]) => dataType(localName(name), rows));
  const schemas: Record<string, XsdDocument> = {
    [`${message}.xsd`]: {
      namespace: rsm,
      prefixes: { rsm, ram },
      imports: { ram: "aggregate.xsd" },
      body: [
        `  <xs:element name="${message}" type="rsm:${message}Type"/>`,
        aggregate(message, parts),
      ],
    },
    "aggregate.xsd": {
      namespace: ram,
      prefixes: { ram, udt, qdt },
      imports: { udt: "unqualified.xsd", qdt: "qualified.xsd" },
      body: aggregates.map(([name, rows]) => aggregate(name, rows)),
    },
    "unqualified.xsd": { namespace: udt, prefixes: { udt }, imports: {}, body: values("udt") },
    "qualified.xsd": { namespace: qdt, prefixes: { qdt }, imports: {}, body: values("qdt") },
  };
  return Object.fromEntries(
    Object.entries(schemas).map(([name, schema]) => [`${folder}/${name}`, schemaText(schema)]),
  );
}

function aggregate(name: string, rows: readonly string[][]): string {
  return [
    `  <xs:complexType name="${name}Type">`,
    `    <xs:sequence>`,
    ...rows.map(([, element = "", type = "", min = "", max = ""]) =>
      `      <xs:element name="${element}" type="${type}Type"${often(min, max)}/>`
    ),
    `    </xs:sequence>`,
    `  </xs:complexType>`,
  ].join("\n");
}

function often(min: string, max: string): string {
  const least = min === "1" ? "" : ` minOccurs="${min}"`;
  return max === "1" ? least : `${least} maxOccurs="${max === "n" ? "unbounded" : max}"`;
}

/**
 * Returns a value type with attributes, or a choice of elements, such as a date as text with its format or as
 * an XML date.
 */
function dataType(name: string, rows: readonly string[][]): string[] {
  const ways = rows.map(([, element = "", content = "", attributes = ""]) => ({
    element,
    content,
    attributes: attributes === "" ? [] : attributes.split("; "),
  }));
  const [first] = ways;
  if (first === undefined) return [];
  if (first.element === "") return [valueType(`${name}Type`, first.content, first.attributes)];
  const elements = ways.map(({ element, content, attributes }) =>
    `      <xs:element name="${element}"${
      attributes.length === 0
        ? ` type="${content}"/>`
        : `>\n${
          valueType("", content, attributes).replace(' name=""', "").replace(/^/gm, "      ")
        }\n      </xs:element>`
    }`
  );
  return [[
    `  <xs:complexType name="${name}Type">`,
    `    <xs:choice>`,
    ...elements,
    `    </xs:choice>`,
    `  </xs:complexType>`,
  ].join("\n")];
}
