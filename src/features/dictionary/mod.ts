export { findLookup, lookupLabels, type LookupReader } from "./find_lookup.ts";
export { Looks, ShownLookup } from "./schemas.ts";
export { type Revised, revised } from "./revised.ts";
export {
  describeColumn,
  lookupsIn,
  type LookupValue,
  type QueryColumn,
  readableLookup,
  type ShownColumn,
  valuesOf,
} from "./show_dictionary.ts";
