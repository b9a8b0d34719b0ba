/** Last results of the connections to outside systems, which tests and real use record. */
export { CONNECTION_KINDS, type ConnectionKind, recordTest, recordUse } from "./record.ts";
export {
  forgetChangedConnections,
  ownProperties,
  TEMPLATE_OF,
  type TemplateKind,
} from "./settings.ts";
export { type ConnectionState, listConnectionStates } from "./store.ts";
