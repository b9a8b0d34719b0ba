export { givenPools } from "./given_pools.ts";
export { openDatabases } from "./open_databases.ts";
export { fillVariables } from "./resolve_settings.ts";
