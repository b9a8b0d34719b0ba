export { createLibxml2Xsd } from "./libxml2.ts";
