export { createXsd } from "./xsd.ts";
