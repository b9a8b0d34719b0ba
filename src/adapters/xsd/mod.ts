export { createLibxml2Xsd, type Libxml2Options } from "./libxml2.ts";
