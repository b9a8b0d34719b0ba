export type { OpenFacturX } from "./facts.ts";
export type { Validate } from "./pa.ts";
export { type SandboxServer, startSandboxPa } from "./server.ts";
