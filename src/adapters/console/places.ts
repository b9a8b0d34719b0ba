import { fileURLToPath } from "node:url";

/** The sources of the console. */
export const SOURCES = fileURLToPath(new URL("../../console/", import.meta.url));
/** Pages of the user guide, which the console shows in a drawer. */
export const GUIDE = fileURLToPath(new URL("../../../docs/guide/", import.meta.url));
/** File in the build folder that lists the files a page loads first. */
export const ENTRY_FILE = "entry.json";
