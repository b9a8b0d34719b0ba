/** Exports the archive writer for commands that do not open the product. */
export { zipArchive as archive } from "#src/adapters/zip/archive.ts";
