/** A libxml2 schema message, understood. */
export interface SchemaViolation {
  readonly code: string;
  readonly fr: string;
  readonly en: string;
  readonly value?: string;
  readonly expected?: string;
}

const PREFIXES: Readonly<Record<string, string>> = {
  "urn:oasis:names:specification:ubl:schema:xsd:CommonAggregateComponents-2": "cac:",
  "urn:oasis:names:specification:ubl:schema:xsd:CommonBasicComponents-2": "cbc:",
  "urn:oasis:names:specification:ubl:schema:xsd:CommonExtensionComponents-2": "ext:",
  "urn:un:unece:uncefact:data:standard:CrossIndustryInvoice:100": "rsm:",
  "urn:un:unece:uncefact:data:standard:CrossDomainAcknowledgementAndResponse:100": "rsm:",
  "urn:un:unece:uncefact:data:standard:ReusableAggregateBusinessInformationEntity:100": "ram:",
  "urn:un:unece:uncefact:data:standard:UnqualifiedDataType:100": "udt:",
  "urn:un:unece:uncefact:data:standard:QualifiedDataType:100": "qdt:",
};
const TYPES: Readonly<Record<string, readonly [fr: string, en: string]>> = {
  "xs:decimal": ["un nombre décimal", "a decimal number"],
  "xs:date": ["une date (AAAA-MM-JJ)", "a date (YYYY-MM-DD)"],
  "xs:time": ["une heure (hh:mm:ss)", "a time (hh:mm:ss)"],
  "xs:dateTime": [
    "une date et une heure (AAAA-MM-JJThh:mm:ss)",
    "a date and time (YYYY-MM-DDThh:mm:ss)",
  ],
  "xs:boolean": ["true ou false", "true or false"],
  "xs:base64Binary": ["du base64", "base64"],
  "xs:anyURI": ["une URI", "a URI"],
  "xs:language": ["un code de langue", "a language code"],
};
const MAX_NAMES = 8;
const MAX_VALUE = 120;

/** Translates a schema message of libxml2 into our words; unknown messages are passed on as `XSD-OTHER`. */
export function readMessage(raw: string): SchemaViolation {
  const message = raw.trim().replace(/\{([^}]*)\}/g, (_, uri: string) => PREFIXES[uri] ?? "");
  const [, element = "", attribute, text = message] =
    /^Element '([^']*)'(?:, attribute '([^']*)')?: ([\s\S]*)$/.exec(message) ?? [];
  return ofType({ element, attribute, text }) ?? ofStructure(element, text) ??
    ofAttribute({ element, attribute, text }) ?? {
    code: "XSD-OTHER",
    fr: `L'élément ${element} n'est pas conforme au schéma : ${text}`,
    en: `Element ${element} does not conform to the schema: ${text}`,
  };
}

interface SchemaMessage {
  readonly element: string;
  readonly attribute: string | undefined;
  readonly text: string;
}

function ofType({ element, attribute, text }: SchemaMessage): SchemaViolation | undefined {
  const match =
    /^(?:\[[^\]]*\] )?'([\s\S]*)' is not a valid value of the (?:local )?\w+ type(?: '([^']*)')?/
      .exec(text);
  if (!match) return undefined;
  const [, value = "", type = ""] = match;
  const [fr, en] = TYPES[type] ?? [`une valeur du type ${type}`, `a value of type ${type}`];
  const shown = value.length > MAX_VALUE ? `${value.slice(0, MAX_VALUE)}…` : value;
  const where = attribute === undefined ? "" : `@${attribute}`;
  return {
    code: "XSD-TYPE",
    fr: value === ""
      ? `${element}${where} est vide ; il faut ${fr}`
      : `${element}${where} vaut « ${shown} » ; il faut ${fr}`,
    en: value === ""
      ? `${element}${where} is empty; it must be ${en}`
      : `${element}${where} is "${shown}"; it must be ${en}`,
    value: shown,
    expected: type,
  };
}

function ofStructure(element: string, text: string): SchemaViolation | undefined {
  const names = /Expected is (?:one of )?\( (.*) \)\.$/s.exec(text)?.[1]?.split(", ") ?? [];
  const expected = names.length > 0 ? { expected: names.join(" ") } : {};
  const list = names.length > MAX_NAMES
    ? `${names.slice(0, MAX_NAMES).join(", ")}…`
    : names.join(", ");
  if (text.startsWith("This element is not expected")) {
    return {
      code: "XSD-UNEXPECTED-ELEMENT",
      fr: `L'élément ${element} n'a pas sa place ici${list && ` ; attendu : ${list}`}`,
      en: `Element ${element} may not stand here${list && `; expected: ${list}`}`,
      ...expected,
    };
  }
  if (text.startsWith("Missing child element")) {
    return {
      code: "XSD-MISSING-ELEMENT",
      fr: `L'élément ${element} est incomplet${list && ` ; il manque : ${list}`}`,
      en: `Element ${element} is incomplete${list && `; missing: ${list}`}`,
      ...expected,
    };
  }
  if (text.startsWith("No matching global declaration")) {
    return {
      code: "XSD-UNKNOWN-ROOT",
      fr: `L'élément racine ${element} n'est pas celui de ce type de document`,
      en: `The root element ${element} is not that of this kind of document`,
    };
  }
  return ofContent(element, text);
}

function ofContent(element: string, text: string): SchemaViolation | undefined {
  if (/^Character content/.test(text)) {
    return {
      code: "XSD-TEXT",
      fr: `L'élément ${element} ne peut pas contenir de texte`,
      en: `Element ${element} may not hold text`,
    };
  }
  if (!/^Element content is not allowed/.test(text)) return undefined;
  return {
    code: "XSD-UNEXPECTED-ELEMENT",
    fr: `L'élément ${element} ne peut pas contenir d'autres éléments`,
    en: `Element ${element} may not hold other elements`,
  };
}

function ofAttribute({ element, attribute, text }: SchemaMessage): SchemaViolation | undefined {
  const fixed = /^The value '([\s\S]*)' does not match the fixed value constraint '([^']*)'/
    .exec(text);
  if (fixed !== null) {
    const [, value = "", expected = ""] = fixed;
    return {
      code: "XSD-ATTRIBUTE",
      fr: `${element}@${attribute} vaut « ${value} » ; seule la valeur « ${expected} » est admise`,
      en: `${element}@${attribute} is "${value}"; only "${expected}" may stand there`,
      value,
      expected,
    };
  }
  const missing = /^The attribute '([^']*)' is required but missing/.exec(text)?.[1];
  if (missing !== undefined) {
    return {
      code: "XSD-ATTRIBUTE",
      fr: `L'attribut ${missing} manque à l'élément ${element}`,
      en: `Element ${element} lacks the attribute ${missing}`,
      expected: missing,
    };
  }
  const foreign = /^The attribute '([^']*)' is not allowed/.exec(text)?.[1];
  if (foreign === undefined) return undefined;
  return {
    code: "XSD-ATTRIBUTE",
    fr: `L'élément ${element} n'admet pas l'attribut ${attribute ?? foreign}`,
    en: `Element ${element} does not allow the attribute ${attribute ?? foreign}`,
  };
}
