export { readChecklist } from "./checklist.ts";
export { Checklist } from "./schemas.ts";
export { hasSamples } from "./views.ts";
