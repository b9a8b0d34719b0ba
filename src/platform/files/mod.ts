export { checkStylesheet, requireStylesheet } from "./check_stylesheet.ts";
export { isPartOf } from "./remove_stylesheet.ts";
export { MAX_TEXT_FILE } from "./read_text.ts";
export { pruneQuotas } from "./upload_store.ts";
