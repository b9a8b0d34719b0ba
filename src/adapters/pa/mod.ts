export { directoryClient } from "./directory.ts";
export { paClient } from "./flow_client.ts";
