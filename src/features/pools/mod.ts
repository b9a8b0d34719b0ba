export { type DatabasesOptions, openDatabases } from "./open_databases.ts";
export { type ConfigVariables, filled } from "./settings_of.ts";
