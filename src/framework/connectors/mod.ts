export {
  collectTraits,
  getTrait,
  heldValue,
  heldValues,
  seesRows,
  staticChoices,
  toCaller,
} from "./caller.ts";
export { connectorCaller } from "./call_connector.ts";
export { buildInputSchema, type CallParams, inputOfEndpoint, inputOfQuery } from "./call_schema.ts";
export { callEndpoint, type EndpointCallDeps } from "./http/call_endpoint.ts";
export { requireEndpoint } from "./http/open_connector.ts";
export {
  codeOfQuery,
  describeQuery,
  findQuery,
  type FoundQuery,
  type GuardedWrite,
  newShared,
  queryCheck,
  type QueryName,
  type QueryReader,
  type QueryState,
  readAllRows,
  type ReadDeps,
  readingCall,
  readQuery,
  resultCache,
  runQuery,
  runRead,
  runWriteQuery,
  runWrites,
  type StreamedRows,
  streamQuery,
  unknownQuery,
  type WriteDeps,
  type WriteGuard,
} from "./sql/mod.ts";
