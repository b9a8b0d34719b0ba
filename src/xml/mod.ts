export { findBadByte } from "./bad_byte.ts";
export { findBadReference } from "./bad_reference.ts";
export {
  beginningOfXml,
  createDecoder,
  decodeXmlOrUtf8,
  detectEncoding,
  encodeXml,
  type Encoding,
  HEAD,
  textOfXml,
  textOfXmlInSteps,
} from "./encoding.ts";
export { XmlError } from "./errors.ts";
export { DEFAULT_LIMITS } from "./limits.ts";
export { type XmlName } from "./names.ts";
export { parseXml, parseXmlSteps } from "./parse.ts";
export { formatPath } from "./path.ts";
export { isSameElement } from "./same.ts";
export { ATTRIBUTE, COMMENT, DOCUMENT, ELEMENT, INSTRUCTION, TEXT } from "./kinds.ts";
export {
  collectPrefixes,
  XmlAttribute,
  XmlDocument,
  XmlElement,
  type XmlNode,
  type XmlShape,
} from "./tree.ts";
