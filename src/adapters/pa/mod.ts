export { directoryClient } from "./directory.ts";
export type { PaOutbound } from "./http.ts";
export { PA_PROTOCOLS, paClient } from "./protocols.ts";
