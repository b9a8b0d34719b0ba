export { createSaxonXslt } from "./saxon_xslt.ts";
