export { type CompiledSchema, compileSchema, compileSteps } from "./compile_schema.ts";
export { SchematronError } from "./errors.ts";
export { loadSchema, loadSteps } from "./loader.ts";
export type { SchemaModel } from "./model.ts";
export type { FailedAssertion, Omitted } from "./report.ts";
