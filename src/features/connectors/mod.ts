export { connectorCaller } from "./call_connector.ts";
