export {
  beginningOfXml,
  decoderOf,
  decodeXmlOrUtf8,
  encodeXml,
  type Encoding,
  encodingOf,
  HEAD,
  textOfXml,
  textOfXmlInSteps,
} from "./encoding.ts";
export { XmlError } from "./errors.ts";
export { DEFAULT_LIMITS } from "./limits.ts";
export { type XmlName } from "./names.ts";
export { parseXml, parseXmlSteps } from "./parse.ts";
export { pathOf } from "./path.ts";
export {
  ATTRIBUTE,
  COMMENT,
  DOCUMENT,
  ELEMENT,
  INSTRUCTION,
  prefixesOf,
  TEXT,
  XmlAttribute,
  XmlDocument,
  XmlElement,
  type XmlNode,
  type XmlShape,
} from "./tree.ts";
