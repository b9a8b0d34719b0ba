export { CII_NAMESPACES, writeCii } from "./write_cii.ts";
