export { callerOf, heldValue, heldValues, staticChoices, traitOf, traitsOf } from "./caller.ts";
export { connectorCaller } from "./call_connector.ts";
export { inputOf, inputOfEndpoint, inputOfQuery, type Params } from "./call_schema.ts";
export { callEndpoint, type CallNeeds } from "./http/call_endpoint.ts";
export { findEndpoint } from "./http/open_connector.ts";
export {
  codeOfQuery,
  describeQuery,
  findQuery,
  type FoundQuery,
  type GuardedWrite,
  newShared,
  type QueryName,
  type QueryReader,
  readAllRows,
  readingCall,
  type ReadNeeds,
  readQuery,
  resultCache,
  runQuery,
  runRead,
  runWriteQuery,
  runWrites,
  type Shared,
  type StreamedRows,
  streamQuery,
  unknownQuery,
  type WriteGuard,
  type WriteNeeds,
} from "./sql/mod.ts";
