export { checkDirectory } from "./check_directory.ts";
export { newPreflight, type Preflight, type Routability } from "./preflight.ts";
