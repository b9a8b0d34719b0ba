export { createSaxonXslt, type SaxonOptions } from "./saxon_xslt.ts";
