export { type AddressKind, addressKind } from "./addresses.ts";
export {
  type ApiConnector,
  type Connector,
  type Endpoint,
  type NamedQuery,
  needsOfConnector,
  permissionOf,
  type SqlConnector,
} from "./connector.ts";
export { valueAt } from "./extract.ts";
export { type DownloadRequest, fitsPattern, type PatternParts } from "./file_pattern.ts";
export { fillBody } from "./fill_body.ts";
export { fillUrl } from "./fill_url.ts";
export { fillHeaders, maskedHeaders } from "./headers.ts";
export { readConnector } from "./read_connector.ts";
export { bindNames, type BoundSql, pastedPlaceholder, problemOfSql } from "./sql_text.ts";
export { type Lookup, lookupFor, namesIn, textOf } from "./values.ts";
