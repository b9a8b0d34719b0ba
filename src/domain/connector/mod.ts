export {
  type ApiConnector,
  type Connector,
  type Endpoint,
  getPermission,
  type NamedQuery,
  needsOfConnector,
  type SqlConnector,
} from "./connector.ts";
export { valueAt } from "./extract.ts";
export { type DownloadRequest, fitsPattern } from "./file_pattern.ts";
export { fillBody } from "./fill_body.ts";
export { fillUrl } from "./fill_url.ts";
export { fillHeaders, fillHeaderValues, maskedHeaders, problemOfHeader } from "./headers.ts";
export { problemOfOwnQuery, problemOfRoleQuery } from "./own_queries.ts";
export { readConnector } from "./read_connector.ts";
export { bindNames, pastedPlaceholder, problemOfSql } from "./sql_text.ts";
export {
  conditionParts,
  getParts,
  paramsIn,
  problemOfCondition,
  problemOfQuery,
  type QueryPart,
} from "./query_text.ts";
export { type SqlDialect } from "./sql_pieces.ts";
export { formatValue, lookupFor, namesIn, PLACEHOLDER, type ValueLookup } from "./values.ts";
