/** Last results of the connections to outside systems, which tests and real use record. */
export { CONNECTION_KINDS, type ConnectionKind, recordTest, recordUse } from "./record.ts";
export { type ConnectionState, forgetEarlierSuccess, listConnectionStates } from "./store.ts";
