/** For commands that open no product. */
export { zipArchive as archive } from "#src/adapters/zip/archive.ts";
