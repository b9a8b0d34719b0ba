export { newPreflight, type Preflight } from "./preflight.ts";
