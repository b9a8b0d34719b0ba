export type { Personality, Script, Step } from "./model.ts";
export type { OpenFacturX, Validate } from "./pa.ts";
export { type SandboxOptions, type SandboxServer, startSandboxPa } from "./server.ts";
