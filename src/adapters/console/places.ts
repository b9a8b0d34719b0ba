import { fileURLToPath } from "node:url";

/** The sources of the console. */
export const SOURCES = fileURLToPath(new URL("../../console/", import.meta.url));
/** In the folder it is built into: where a page begins. */
export const ENTRY_FILE = "entry.json";
