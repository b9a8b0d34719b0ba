export type { Personality, Script, Step } from "./model.ts";
export type { OpenFacturX, Validate } from "./platform.ts";
export { type SandboxOptions, type SandboxPa, startSandboxPa } from "./server.ts";
