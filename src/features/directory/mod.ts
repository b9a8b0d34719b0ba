export { checkDirectory } from "./check_directory.ts";
export { newPreflight, type Preflight } from "./preflight.ts";
