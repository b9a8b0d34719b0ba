export { openDatabases } from "./open_databases.ts";
export { filled } from "./settings_of.ts";
