export { registryClient } from "./company_search.ts";
