export { CII_NAMESPACES } from "./namespaces.ts";
export { readCii } from "./reading/read_cii.ts";
export { writeCii } from "./writing/write_cii.ts";
