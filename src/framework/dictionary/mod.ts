export { lookupLabels, type LookupReader } from "./read_lookup.ts";
export { Looks, ShownLookup } from "./schemas.ts";
export { addRevision } from "./add_revision.ts";
export { describeColumn, lookupsIn, readableLookup, type ShownColumn } from "./show_dictionary.ts";
