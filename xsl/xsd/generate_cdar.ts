import { groupedBy, localName, type Schema, schemaText, valueType } from "./generate_parts.ts";

const UNCEFACT = "urn:un:unece:uncefact:data:standard";
const NAMESPACES = {
  rsm: `${UNCEFACT}:CrossDomainAcknowledgementAndResponse:100`,
  ram: `${UNCEFACT}:ReusableAggregateBusinessInformationEntity:100`,
  udt: `${UNCEFACT}:UnqualifiedDataType:100`,
  qdt: `${UNCEFACT}:QualifiedDataType:100`,
};
const ROOT = "CrossDomainAcknowledgementAndResponse";
const FOLDER = "cdar";

/** Columns: parent type, element, type, min, max. The message's own parts are local elements of `rsm`. */
export function cdarFiles(model: string[][]): Record<string, string> {
  const parents = groupedBy(model);
  const types = [...parents].filter(([name]) => name !== ROOT);
  const { ram, rsm, udt, qdt } = NAMESPACES;
  const schemas: Record<string, Schema> = {
    [`${ROOT}.xsd`]: {
      namespace: rsm,
      prefixes: { ram },
      imports: { ram: "aggregate.xsd" },
      body: [
        `  <xs:element name="${ROOT}">`,
        ...content(parents.get(ROOT) ?? []),
        `  </xs:element>`,
      ],
    },
    "aggregate.xsd": {
      namespace: ram,
      prefixes: { ram, udt, qdt },
      imports: { udt: "unqualified.xsd", qdt: "qualified.xsd" },
      body: [...types.flatMap(([name, rows]) => content(rows, name)), ...values(), LAX],
    },
    "unqualified.xsd": { namespace: udt, prefixes: { udt }, imports: {}, body: unqualified() },
    "qualified.xsd": { namespace: qdt, prefixes: { qdt }, imports: {}, body: [dateTime("qdt")] },
  };
  const files = Object.entries(schemas)
    .map(([name, schema]) => [`${FOLDER}/${name}`, schemaText(schema)]);
  return Object.fromEntries(files);
}

const LAX = `  <xs:complexType name="LaxType" mixed="true">
    <xs:sequence>
      <xs:any processContents="lax" minOccurs="0" maxOccurs="unbounded"/>
    </xs:sequence>
    <xs:anyAttribute processContents="lax"/>
  </xs:complexType>`;

const TYPES: Readonly<Record<string, string>> = {
  Indicator: "udt:IndicatorType",
  DateTime: "udt:DateTimeType",
  FormattedDateTime: "qdt:DateTimeType",
};

function content(rows: string[][], name?: string): string[] {
  const elements = rows.map(([, element = "", type = "", min, max]) => {
    const least = min === "1" ? "" : ` minOccurs="${min}"`;
    const most = max === "1" ? "" : ` maxOccurs="unbounded"`;
    const full = TYPES[type] ?? `ram:${type}Type`;
    return `      <xs:element name="${localName(element)}" type="${full}"${least}${most}/>`;
  });
  const title = name === undefined ? "" : ` name="${name}Type"`;
  return [
    `  <xs:complexType${title}>`,
    `    <xs:sequence>`,
    ...elements,
    `    </xs:sequence>`,
    `  </xs:complexType>`,
  ];
}

function values(): string[] {
  const scheme = ["schemeID:xs:token", "schemeName:xs:string", "schemeAgencyID:xs:token"];
  const list = [
    "listID:xs:token",
    "listAgencyID:xs:token",
    "listVersionID:xs:token",
    "name:xs:string",
  ];
  return [
    valueType("IdType", "xs:token", [...scheme, "schemeVersionID:xs:token", "schemeURI:xs:anyURI"]),
    valueType("CodeType", "xs:token", [...list, "listURI:xs:anyURI"]),
    valueType("TextType", "xs:string", ["languageID:xs:language"]),
    valueType("AmountType", "xs:decimal", ["currencyID:xs:token"]),
    valueType("MeasureType", "xs:decimal", ["unitCode:xs:token"]),
    valueType("DecimalType", "xs:decimal", ["format:xs:string"]),
    valueType("BinaryType", "xs:base64Binary", ["mimeCode:xs:token", "filename:xs:string"]),
  ];
}

function unqualified(): string[] {
  return [
    dateTime("udt"),
    `  <xs:complexType name="IndicatorType">
    <xs:choice>
      <xs:element name="IndicatorString" type="udt:StringType"/>
      <xs:element name="Indicator" type="xs:boolean"/>
    </xs:choice>
  </xs:complexType>`,
    valueType("StringType", "xs:string", ["format:xs:string"]),
  ];
}

/** A date as a string with its format (102, 204), or as an XML date; a qualified one has the string only. */
function dateTime(prefix: "udt" | "qdt"): string {
  const plain = prefix === "udt" ? `\n      <xs:element name="DateTime" type="xs:dateTime"/>` : "";
  return `  <xs:complexType name="DateTimeType">
    <xs:choice>
      <xs:element name="DateTimeString" type="${prefix}:DateTimeStringType"/>${plain}
    </xs:choice>
  </xs:complexType>
${valueType("DateTimeStringType", "xs:string", ["format:xs:string!"])}`;
}
