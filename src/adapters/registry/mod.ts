export { registryClient, type RegistrySettings } from "./company_search.ts";
