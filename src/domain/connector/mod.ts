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
export { type DownloadRequest, fitsPattern } from "./file_pattern.ts";
export { fillBody } from "./fill_body.ts";
export { fillUrl } from "./fill_url.ts";
export { fillHeaders, maskedHeaders } from "./headers.ts";
export { problemOfOwnQuery } from "./own_queries.ts";
export { readConnector } from "./read_connector.ts";
export { bindNames, pastedPlaceholder, problemOfSql } from "./sql_text.ts";
export {
  conditionParts,
  paramsIn,
  partsOf,
  problemOfCondition,
  problemOfQuery,
  type QueryPart,
} from "./query_text.ts";
export { type SqlDialect } from "./sql_pieces.ts";
export { type Lookup, lookupFor, namesIn, PLACEHOLDER, textOf } from "./values.ts";
