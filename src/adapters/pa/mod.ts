export { directoryClient } from "./directory.ts";
export { paClient } from "./flow_client.ts";
export type { PaReach } from "./http.ts";
