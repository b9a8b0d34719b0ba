export {
  beginningOfXml,
  decoderOf,
  decodeXml,
  encodeXml,
  type Encoding,
  encodingOf,
  HEAD,
  textOfXml,
  textOfXmlInSteps,
} from "./encoding.ts";
export { XmlError, type XmlErrorCode } from "./errors.ts";
export { DEFAULT_LIMITS, type XmlLimits } from "./limits.ts";
export { findName, type XmlName } from "./names.ts";
export { parseXml, parseXmlSteps } from "./parse.ts";
export { pathOf } from "./path.ts";
export {
  allNamed,
  ATTRIBUTE,
  COMMENT,
  DOCUMENT,
  ELEMENT,
  INSTRUCTION,
  prefixesOf,
  TEXT,
  XmlAttribute,
  type XmlChild,
  XmlDocument,
  XmlElement,
  XmlLeaf,
  type XmlNode,
  type XmlShape,
} from "./tree.ts";
