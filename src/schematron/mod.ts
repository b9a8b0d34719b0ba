export { type CompiledSchema, compileSchema } from "./compile_schema.ts";
export { SchematronError, type SchematronPlace } from "./errors.ts";
export { loadSchema } from "./loader.ts";
export type { SchemaModel } from "./model.ts";
export type { Failure, FiredDiagnostic, Omitted, RunLimits, SchemaReport } from "./report.ts";
